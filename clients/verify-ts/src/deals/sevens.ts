import type { JsonObject } from "../record.js";
import type { Rng } from "../rng.js";
import { cardName, numberOption, range, rankOf, times } from "./table.js";

const PACK = range(52).map((card) => card + 1);
const SEVEN = 7;
const SEVEN_OF_DIAMONDS = 20;

/** Cards one at a time from seat 0 on; all sevens go to the table, and the left of the seven of diamonds begins. */
export function sevens(options: JsonObject, seats: number, rng: Rng): JsonObject {
  const pack = rng.shuffle(times(numberOption(options, "decks"), PACK).flat());
  const hands = range(seats).map((seat) => ascending(pack.filter((_, place) => place % seats === seat)));
  const starter = hands.findIndex((hand) => hand.includes(SEVEN_OF_DIAMONDS));
  return {
    options,
    turn: (starter + 1) % seats,
    hands: hands.map((hand) => hand.filter((card) => rankOf(card) !== SEVEN).map(cardName)),
    table: ascending(pack.filter((card) => rankOf(card) === SEVEN)).map(cardName),
    passes: times(seats, numberOption(options, "pass_limit")),
    finished: [],
    out: [],
  };
}

function ascending(cards: readonly number[]): number[] {
  return [...cards].sort((a, b) => a - b);
}
