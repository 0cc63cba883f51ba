/** An export as it stands in a file, read into types; whatever has another form is refused. */
import type { Contribution } from "./fairness.js";
import type { Draw } from "./rng.js";

/** This is no record of a game: something is missing, or of another type; the message says where. */
export class NoRecord extends Error {}

/** The record contradicts itself; the message says where. */
export class NotFair extends Error {}

/** What the file says cannot be checked here; the message says why. */
export class Unknown extends Error {}

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export interface Moves {
  readonly version: number;
  /** Null where nobody moved. */
  readonly seat: number | null;
  readonly moves: readonly string[];
  /** Whether somebody else answers for a seat from then on. */
  readonly seated: boolean;
}

/** A version that goes back to an earlier one. */
export interface Undone {
  readonly version: number;
  readonly toVersion: number;
}

export interface Drawn {
  readonly step: number;
  readonly draws: readonly Draw[];
}

export interface GameRecord {
  readonly gameType: string;
  readonly rulesVersion: string;
  readonly options: JsonObject;
  readonly seats: number;
  readonly seed: Uint8Array;
  readonly salt: Uint8Array;
  readonly commitment: string;
  readonly entropy: readonly Contribution[];
  /** Whether the game was dealt from the seed; else it began from a given position. */
  readonly dealt: boolean;
  readonly start: JsonObject;
  readonly position: JsonObject;
  readonly moves: readonly Moves[];
  readonly undone: readonly Undone[];
  /** Absent in records of old releases. */
  readonly draws: readonly Drawn[] | undefined;
  readonly states: readonly string[];
}

const FORMAT = 1;
const SECRET_BYTES = 32;
const MOST_ENTROPY_BYTES = 64;

/** The record in a JSON document: an export alone, or the whole answer of ExportGame. Throws NoRecord, Unknown, NotFair. */
export function readRecord(document: Json): GameRecord {
  const outer = object(document, "the document");
  const record = "export" in outer ? object(field(outer, "export"), "export") : outer;
  const format = whole(field(record, "format"), "format");
  if (format !== FORMAT) {
    throw new Unknown(`its format is ${format}, and only ${FORMAT} is known here`);
  }
  return {
    gameType: text(record, "game_type"),
    rulesVersion: text(record, "rules_version"),
    options: object(field(record, "options"), "options"),
    seats: list(field(record, "seats"), "seats").length,
    seed: secret(record, "seed"),
    salt: secret(record, "salt"),
    commitment: text(record, "commitment"),
    entropy: "entropy" in record ? list(field(record, "entropy"), "entropy").map(contribution) : [],
    dealt: flag(record, "dealt"),
    start: object(field(record, "start"), "start"),
    position: object(field(record, "position"), "position"),
    moves: list(field(record, "moves"), "moves").map(movesOf),
    undone: "undone" in record ? list(field(record, "undone"), "undone").map(undoneOf) : [],
    draws: "draws" in record ? list(field(record, "draws"), "draws").map(drawnOf) : undefined,
    states: list(field(record, "states"), "states").map((state) => digest(state)),
  };
}

function contribution(item: Json): Contribution {
  const given = object(item, "entropy");
  const seat = field(given, "seat");
  const bytes = hex(field(given, "entropy"), "entropy");
  if (bytes.length < 1 || bytes.length > MOST_ENTROPY_BYTES) {
    throw new NotFair(`entropy: must be 1 to ${MOST_ENTROPY_BYTES} bytes`);
  }
  return { who: seat === null ? -1 : whole(seat, "entropy.seat"), bytes };
}

function movesOf(item: Json): Moves {
  const entry = object(item, "moves");
  const moves = list(field(entry, "moves"), "moves.moves").map((move) => string(move, "moves.moves"));
  const seat = field(entry, "seat");
  return {
    version: whole(field(entry, "version"), "moves.version"),
    seat: seat === null ? null : whole(seat, "moves.seat"),
    moves,
    seated: "seats" in entry && list(field(entry, "seats"), "moves.seats").length > 0,
  };
}

function undoneOf(item: Json): Undone {
  const entry = object(item, "undone");
  return {
    version: whole(field(entry, "version"), "undone.version"),
    toVersion: whole(field(entry, "to_version"), "undone.to_version"),
  };
}

function drawnOf(item: Json): Drawn {
  const entry = object(item, "draws");
  const draws = list(field(entry, "draws"), "draws.draws").map((pair): Draw => {
    const [n, drawn, ...more] = list(pair, "draws.draws");
    if (n === undefined || drawn === undefined || more.length > 0) {
      throw new NoRecord("draws.draws: is no pair");
    }
    return [whole(n, "draws.draws"), whole(drawn, "draws.draws")];
  });
  return { step: whole(field(entry, "step"), "draws.step"), draws };
}

function secret(record: JsonObject, name: string): Uint8Array {
  const bytes = hex(field(record, name), name);
  // Of any other length, bytes could move between salt and seed under one commitment.
  if (bytes.length !== SECRET_BYTES) {
    throw new NotFair(`${name}: is not ${SECRET_BYTES} bytes`);
  }
  return bytes;
}

function digest(value: Json): string {
  const found = string(value, "states");
  if (!/^[0-9a-f]{64}$/.test(found)) {
    throw new NotFair("states: is no SHA-256 in hex");
  }
  return found;
}

function hex(value: Json, name: string): Uint8Array {
  const found = string(value, name);
  if (!/^([0-9a-f]{2})*$/.test(found)) {
    throw new NotFair(`${name}: is no hex`);
  }
  return Buffer.from(found, "hex");
}

function field(of: JsonObject, name: string): Json {
  const value = Object.hasOwn(of, name) ? of[name] : undefined;
  if (value === undefined) {
    throw new NoRecord(`${name}: is missing`);
  }
  return value;
}

function text(of: JsonObject, name: string): string {
  return string(field(of, name), name);
}

function flag(of: JsonObject, name: string): boolean {
  const value = field(of, name);
  if (typeof value !== "boolean") {
    throw new NoRecord(`${name}: is neither true nor false`);
  }
  return value;
}

function string(value: Json, name: string): string {
  if (typeof value !== "string") {
    throw new NoRecord(`${name}: is no text`);
  }
  return value;
}

function whole(value: Json, name: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) {
    throw new NoRecord(`${name}: is no whole number`);
  }
  return value;
}

function list(value: Json, name: string): readonly Json[] {
  if (!Array.isArray(value)) {
    throw new NoRecord(`${name}: is no list`);
  }
  return value as readonly Json[];
}

function object(value: Json, name: string): JsonObject {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new NoRecord(`${name}: is no object`);
  }
  return value as JsonObject;
}
