import type { JsonObject } from "../record.js";
import type { Rng } from "../rng.js";
import { times } from "./table.js";

const COLOURS = ["pink", "red", "yellow", "purple"];
const SHAPES = ["club", "diamond", "heart", "spade"];
const COPIES = 2;
const SPACES = 24;
const STARTING: ReadonlyMap<number, string> = new Map([
  [0, "pink-heart"],
  [3, "yellow-club"],
  [6, "purple-heart"],
  [9, "red-spade"],
  [14, "red-diamond"],
  [17, "purple-club"],
  [20, "yellow-diamond"],
  [23, "pink-spade"],
]);
const GREENHOUSE = 4;
const GARDENERS = 0;
const QUEEN = -6;

/** The tiles that do not start in the garden. */
const BAG = COLOURS.flatMap((colour) => SHAPES.map((shape) => `${colour}-${shape}`)).flatMap((tile) =>
  times(COPIES - [...STARTING.values()].filter((starting) => starting === tile).length, tile),
);

/** Two cards of each pair: colours alone, then colours or shapes alone, then any two symbols. */
const DECKS = [
  deck("E", pairs(COLOURS)),
  deck("M", [...pairs(COLOURS), ...pairs(SHAPES)]),
  deck("H", pairs([...COLOURS, ...SHAPES])),
];

/** The bag is shuffled, then the three decks. */
export function paintTheRoses(options: JsonObject, seats: number, rng: Rng): JsonObject {
  const bag = rng.shuffle(BAG);
  return {
    options,
    phase: "choose_level",
    active: 0,
    players: times(seats, { whim: null, serial: null, refuted: [] }),
    garden: Array.from({ length: SPACES }, (_, space) => STARTING.get(space) ?? null),
    greenhouse: bag.slice(0, GREENHOUSE),
    bag: bag.slice(GREENHOUSE),
    decks: DECKS.map((cards) => rng.shuffle(cards)),
    discards: times(DECKS.length, []),
    gardeners: GARDENERS,
    queen: QUEEN,
    clue_tokens: seats === 2 ? 1 : 0,
    rejections: 0,
    proposal: null,
    plantings: [],
    revealed: [],
  };
}

function pairs(symbols: readonly string[]): string[] {
  return symbols.flatMap((first, at) => symbols.slice(at).map((second) => `${first}-${second}`));
}

function deck(level: string, of: readonly string[]): string[] {
  return of.flatMap((pair) => [`${level}-${pair}-1`, `${level}-${pair}-2`]);
}
