import type { JsonObject } from "../record.js";
import type { Rng } from "../rng.js";
import { modulo, range, seatOption, times } from "./table.js";

const SPECIES = ["flamingo", "owl", "toucan", "duck", "parrot", "magpie", "reed_warbler", "robin"] as const;
const COPIES = [7, 10, 10, 13, 13, 17, 20, 20] as const;
const PACK = range(SPECIES.length).flatMap((species) => times(COPIES[species] as number, species));
const ROWS = 4;
const ROW_START = 3;
const HAND_SIZE = 8;

/** The dealer is drawn unless named; four rows are laid, the rest is shuffled again and dealt in blocks from him on. */
export function cubirds(options: JsonObject, seats: number, rng: Rng): JsonObject {
  const dealer = seatOption(options, "first_dealer", seats) ?? rng.below(seats);
  const { rows, rest } = layOut(rng.shuffle(PACK));
  const pile = rng.shuffle(rest);
  const block = (from: number, size: number, seat: number): number[] => {
    const start = from + size * modulo(seat - dealer, seats);
    return pile.slice(start, start + size).sort((a, b) => a - b);
  };
  const dealt = HAND_SIZE * seats;
  return {
    options,
    phase: "lay",
    turn: dealer,
    dealer,
    round: 1,
    rows: rows.map(names),
    hands: range(seats).map((seat) => names(block(0, HAND_SIZE, seat))),
    collections: range(seats).map((seat) => names(block(dealt, 1, seat))),
    draw_pile: names(pile.slice(dealt + seats)),
    discard_pile: [],
  };
}

/** Rows of three different species from the top; what would come twice is set aside and goes back before the rest. */
function layOut(pack: readonly number[]): { rows: number[][]; rest: number[] } {
  const aside: number[] = [];
  let at = 0;
  const rows = range(ROWS).map(() => {
    const row: number[] = [];
    while (row.length < ROW_START) {
      const bird = pack[at++] as number;
      (row.includes(bird) ? aside : row).push(bird);
    }
    return row;
  });
  return { rows, rest: [...aside, ...pack.slice(at)] };
}

function names(birds: readonly number[]): string[] {
  return birds.map((bird) => SPECIES[bird] as string);
}
