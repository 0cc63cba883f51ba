import type { JsonObject } from "../record.js";
import type { Rng } from "../rng.js";
import { cardName, JOKER, modulo, range, rankOf, seatOption, suitOf } from "./table.js";

const SEATS = 4;
const HAND_SIZE = 5;
const DEALT = SEATS * HAND_SIZE;
const RANKS_LOW_TO_HIGH = [9, 10, 11, 12, 13, 1];
const PACK = range(52)
  .map((card) => card + 1)
  .filter((card) => RANKS_LOW_TO_HIGH.includes(rankOf(card)));
const TALLY = { point: 0, march: 0, lone_march: 0, euchre: 0, lone_euchre: 0 };

/** The dealer is drawn unless named; one card at a time from his left, and the 21st is turned up. */
export function euchre(options: JsonObject, _seats: number, rng: Rng): JsonObject {
  const dealer = seatOption(options, "first_dealer", SEATS) ?? rng.below(SEATS);
  const cards = rng.shuffle(options["benny"] === true ? [...PACK, JOKER] : PACK);
  const first = (dealer + 1) % SEATS;
  const upcard = cards[DEALT] as number;
  const blind = upcard === JOKER;
  const handOf = (seat: number): number[] =>
    cards.slice(0, DEALT).filter((_, place) => place % SEATS === modulo(seat - first, SEATS));
  return {
    options,
    phase: blind ? "benny" : "bid1",
    hand_number: 1,
    dealer,
    turn: blind ? dealer : first,
    hands: range(SEATS).map((seat) => held(handOf(seat)).map(cardName)),
    upcard: cardName(upcard),
    upcard_state: "face_up",
    kitty: cards.slice(DEALT + 1).map(cardName),
    scores: [0, 0],
    tallies: [TALLY, TALLY],
    discard: null,
    trump: null,
    maker: null,
    alone: false,
    lone_defender: null,
    trick: [],
    tricks: [],
    last_hand: null,
  };
}

/** As the owner holds the hand: the Benny, then spades, hearts, diamonds, clubs, each from high to low. */
function held(hand: readonly number[]): number[] {
  return [...hand].sort((a, b) => suitOf(b) - suitOf(a) || height(b) - height(a));
}

function height(card: number): number {
  return RANKS_LOW_TO_HIGH.indexOf(rankOf(card));
}
