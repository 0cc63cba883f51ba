import type { JsonObject } from "../record.js";
import type { Rng } from "../rng.js";
import { modulo, range, seatOption, times } from "./table.js";

const VALUES = 7;
const COPIES = 9;
const PACK = range(VALUES).flatMap((value) => times(COPIES, value + 1));
const PENGUINS = 2;

/** The leader is drawn unless named; blocks of cards clockwise from him on, and in a duel two front cards each. */
export function nanaToridori(options: JsonObject, seats: number, rng: Rng): JsonObject {
  const leader = seatOption(options, "first_leader", seats) ?? rng.below(seats);
  const duel = options["two_player_mode"] === "duel";
  const handSize = duel ? 11 : 8;
  const frontSize = duel ? 2 : 0;
  const pack = rng.shuffle(PACK);
  const block = (from: number, size: number, seat: number): number[] => {
    const start = from + size * modulo(seat - leader, seats);
    return pack.slice(start, start + size);
  };
  const dealt = seats * handSize;
  return {
    options,
    phase: "play",
    round_number: 1,
    leader,
    turn: leader,
    hands: range(seats).map((seat) => block(0, handSize, seat)),
    known: times(seats, []),
    front: range(seats).map((seat) => block(dealt, frontSize, seat)),
    draw_pile: pack.slice(dealt + seats * frontSize),
    penguins: times(seats, PENGUINS),
    points: times(seats, 0),
    discard_pile: [],
    table: [],
    owner: null,
    beaten: [],
    drawn: null,
    passes: 0,
    finished: [],
    last_round: null,
  };
}
