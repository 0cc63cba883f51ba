import type { JsonObject } from "../record.js";
import type { Rng } from "../rng.js";
import { range, times } from "./table.js";
import { BIRDS, BONUS_CARDS, GOAL_TILES } from "./wingspan_cards.js";

const DIE = ["invertebrate", "seed", "fish", "fruit", "rodent", "invertebrate_or_seed"];
const DICE = 5;
const ROUNDS = 4;
const TRAY = 3;
const BIRDS_DEALT = 5;
const BONUS_DEALT = 2;

/** The birds are shuffled, the dice thrown, the goals laid out, the bonus cards shuffled; everybody gets a block each. */
export function wingspan(options: JsonObject, seats: number, rng: Rng): JsonObject {
  const deck = rng.shuffle(BIRDS);
  const feeder = range(DICE)
    .map(() => rng.below(DIE.length))
    .sort((a, b) => a - b);
  const goals = rng
    .shuffle(GOAL_TILES)
    .slice(0, ROUNDS)
    .map((sides) => sides[rng.below(sides.length)] as string);
  const bonus = rng.shuffle(BONUS_CARDS);
  const block = (from: readonly string[], start: number, size: number, seat: number): string[] =>
    from.slice(start + size * seat, start + size * (seat + 1));
  return {
    options,
    players: range(seats).map((seat) => ({
      food: [1, 1, 1, 1, 1],
      hand: block(deck, TRAY, BIRDS_DEALT, seat),
      bonus: block(bonus, 0, BONUS_DEALT, seat),
      mat: [[], [], []],
      cubes: 0,
      goal_points: [],
    })),
    deck: deck.slice(TRAY + BIRDS_DEALT * seats),
    discard: [],
    tray: deck.slice(0, TRAY),
    bonus_deck: bonus.slice(BONUS_DEALT * seats),
    bonus_discard: [],
    feeder: feeder.map((face) => DIE[face] as string),
    goals,
    round: 1,
    first_player: null,
    active: null,
    keeping: times(seats, { birds: [], foods: [], bonus: null }),
    agenda: [],
    debt: 0,
    gained: [],
    playing: null,
    drafting: [],
    bonus_offer: [],
    revealed: null,
  };
}
