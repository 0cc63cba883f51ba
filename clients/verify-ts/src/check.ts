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
  const moved = new Set<number>();
  let before = 1;
  let count = 0;
  for (const entry of moves) {
    if (entry.version <= before || entry.version > states.length) {
      throw new NotFair(`moves: version ${entry.version} is out of order`);
    }
    if (entry.seat < 0 || entry.seat >= record.seats || entry.moves.length === 0) {
      throw new NotFair(`moves: version ${entry.version} has no mover or no move`);
    }
    before = entry.version;
    count += entry.moves.length;
    moved.add(entry.version);
  }
  for (let version = 2; version <= states.length; version++) {
    if (!moved.has(version) && states[version - 1] !== states[version - 2]) {
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
