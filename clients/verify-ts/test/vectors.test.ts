import assert from "node:assert/strict";
import { test } from "node:test";

import { check } from "../src/check.js";
import { type Json, NoRecord, NotFair, readRecord, Unknown } from "../src/record.js";
import { golden } from "./golden.js";

type Change =
  | readonly ["set", string, Json]
  | readonly ["remove", string]
  | readonly ["swap", string, string]
  | readonly ["add", string, number]
  | readonly ["flip", string];

interface Case {
  readonly name: string;
  /** The export that is changed; or else the whole document. */
  readonly export?: string;
  readonly document?: Json;
  readonly change: readonly Change[];
  readonly verdict: string;
  readonly needs?: string;
}

// Here anything may be changed into anything.
type Loose = any;

for (const { name, export: file, document, change, verdict, needs } of golden<Case[]>("vectors.json")) {
  test(`${name}: ${verdict}`, { skip: needs === "rules" ? "needs the rules of the moves" : false }, () => {
    const record = file === undefined ? (document as Json) : golden<Json>(`exports/${file}`);
    change.forEach((each) => apply(record, each));
    assert.equal(verdictOf(record), verdict);
  });
}

function verdictOf(record: Json): string {
  try {
    check(readRecord(record));
    return "fair";
  } catch (error) {
    if (error instanceof NotFair) {
      return "not fair";
    }
    if (error instanceof NoRecord) {
      return "no record";
    }
    if (error instanceof Unknown) {
      return "unknown";
    }
    throw error;
  }
}

function apply(record: Json, change: Change): void {
  const [holder, key] = place(record, change[1]);
  switch (change[0]) {
    case "set":
      holder[key] = change[2];
      break;
    case "remove":
      Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key];
      break;
    case "swap": {
      const [other, at] = place(record, change[2]);
      [holder[key], other[at]] = [other[at], holder[key]];
      break;
    }
    case "add":
      holder[key] += change[2];
      break;
    case "flip":
      holder[key] = flipped(holder[key]);
      break;
  }
}

/** Another last digit. */
function flipped(hex: string): string {
  return hex.slice(0, -1) + (hex.endsWith("0") ? "1" : "0");
}

/** What holds the end of the path `/moves/3/seat`, and the key there. */
function place(record: Loose, path: string): [Loose, string] {
  const keys = path.split("/").slice(1);
  const last = keys.pop() as string;
  return [keys.reduce((holder, key) => holder[key], record), last];
}
