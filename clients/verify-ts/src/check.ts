/** The check of a record: everything that needs no rules but those of the deal. */
import { isDeepStrictEqual } from "node:util";

import { dealOf } from "./deals/deals.js";
import { chanceSeed, commitment } from "./fairness.js";
import { type Drawn, type GameRecord, NotFair, Unknown } from "./record.js";
import { Rng } from "./rng.js";

const PLATFORM = -1;

/** What a fair record holds. `draws`: how many numbers were checked; undefined if the record tells none. */
export interface Checked {
  readonly moves: number;
  readonly versions: number;
  readonly draws: number | undefined;
  readonly dealt: boolean;
}

/** Check a record. Throws NotFair, and Unknown when its game is not dealt here. */
export function check(record: GameRecord): Checked {
  if (commitment(record.seed, record.salt) !== record.commitment) {
    throw new NotFair("seed and salt are not those of the commitment");
  }
  checkEntropy(record);
  const seed = chanceSeed(record.seed, record.entropy);
  const moves = checkLog(record);
  const draws = record.draws === undefined ? undefined : checkDraws(record, record.draws, seed, moves);
  if (record.dealt) {
    checkOpening(record, seed);
  }
  if (!isDeepStrictEqual(record.options, record.start["options"])) {
    throw new NotFair("its options are not those of its start");
  }
  return { moves, versions: record.states.length, draws, dealt: record.dealt };
}

/** One contribution of the platform, then one of each seat at most, in their order: it decides what they make. */
function checkEntropy(record: GameRecord): void {
  let before = PLATFORM - 1;
  for (const { who } of record.entropy) {
    if (who <= before || who >= record.seats) {
      throw new NotFair("entropy: is not in the order of platform and seats");
    }
    before = who;
  }
}

/** The log leads from version to version; the number of moves. */
function checkLog(record: GameRecord): number {
  const { states, moves } = record;
  if (states.length === 0) {
    throw new NotFair("states: there is none");
  }
  // By version, the one whose state it takes over if nobody moves: the one before, or where an undo leads.
  const from = new Map(record.undone.map(({ version, toVersion }) => [version, toVersion]));
  for (const [version, to] of from) {
    if (version > states.length || to < 1 || to >= version) {
      throw new NotFair(`undone: version ${version} cannot go back to ${to}`);
    }
  }
  const moved = new Set<number>();
  let before = 1;
  let count = 0;
  for (const { version, seat, moves: made, seated } of moves) {
    if (version <= before || version > states.length || from.has(version)) {
      throw new NotFair(`moves: version ${version} is out of order`);
    }
    before = version;
    if (made.length === 0 && seated) {
      continue;
    }
    if (made.length === 0 || seat === null || seat < 0 || seat >= record.seats) {
      throw new NotFair(`moves: version ${version} has no mover or no move`);
    }
    count += made.length;
    moved.add(version);
  }
  for (let version = 2; version <= states.length; version++) {
    if (!moved.has(version) && states[version - 1] !== states[(from.get(version) ?? version - 1) - 1]) {
      throw new NotFair(`version ${version} is another state without a move`);
    }
  }
  if (count === 0 && !isDeepStrictEqual(record.start, record.position)) {
    throw new NotFair("no move leads to another position");
  }
  return count;
}

/** Every number is what the seed gives for its step; how many there are. */
function checkDraws(record: GameRecord, told: readonly Drawn[], seed: Uint8Array, moves: number): number {
  let before = record.dealt ? -1 : 0;
  let count = 0;
  for (const { step, draws } of told) {
    if (step <= before || step > moves || draws.length === 0) {
      throw new NotFair(`draws: step ${step} is out of order or empty`);
    }
    before = step;
    const rng = new Rng(seed, step);
    for (const [n, drawn] of draws) {
      if (n < 1 || n > 2 ** 32 || rng.below(n) !== drawn) {
        throw new NotFair(`draws: step ${step} is not what the seed gives`);
      }
    }
    count += draws.length;
  }
  return count;
}

/** The record starts as the seed deals, and the deal drew what the record tells. */
function checkOpening(record: GameRecord, seed: Uint8Array): void {
  const deal = dealOf(record.gameType, record.rulesVersion);
  if (deal === undefined) {
    throw new Unknown(`${record.gameType} ${record.rulesVersion} is not dealt here`);
  }
  const rng = new Rng(seed, 0);
  if (!isDeepStrictEqual(deal(record.options, record.seats, rng), record.start)) {
    throw new NotFair("the seed deals otherwise than the record starts");
  }
  const told = record.draws?.find(({ step }) => step === 0)?.draws ?? [];
  if (record.draws !== undefined && !isDeepStrictEqual(rng.draws, told)) {
    throw new NotFair("draws: the deal takes others");
  }
}
