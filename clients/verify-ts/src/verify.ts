#!/usr/bin/env node
/**
 * `node dist/src/verify.js EXPORT`: says whether the chance of a game was fair. Exit code 0: fair; 1: not fair;
 * 2: it cannot be said; 3: the file is no record of a game.
 */
import { readFileSync } from "node:fs";

import { type Checked, check } from "./check.js";
import { type Json, NoRecord, NotFair, readRecord, Unknown } from "./record.js";

const FAIR = 0;
const NOT_FAIR = 1;
const UNUSABLE = 2;
const NO_RECORD = 3;

function words({ moves, versions, draws, dealt }: Checked): string {
  const chance = draws === undefined ? "it tells no draws" : `${draws} numbers drawn from the committed seed`;
  const opening = dealt ? "the opening dealt again" : "begun from a given position";
  return `fair as far as chance goes: ${chance}, ${opening}, ${moves} moves in ${versions} versions`;
}

function main(args: readonly string[]): number {
  const [file, ...more] = args;
  if (file === undefined || more.length > 0) {
    console.error("usage: verify.js EXPORT");
    return UNUSABLE;
  }
  try {
    const document = JSON.parse(readFileSync(file, "utf8")) as Json;
    console.log(`${file}: ${words(check(readRecord(document)))}`);
    console.log("Not checked here: that the moves keep the rules and make these states. `rookery verify` plays them again.");
    return FAIR;
  } catch (error) {
    if (error instanceof NotFair) {
      console.log(`${file}: not fair: ${error.message}`);
      return NOT_FAIR;
    }
    if (error instanceof Unknown) {
      console.error(`${file}: ${error.message}`);
      return UNUSABLE;
    }
    // No JSON, or deeper than anything that a game has.
    if (error instanceof NoRecord || error instanceof SyntaxError || error instanceof RangeError) {
      console.error(`${file}: is no record of a game: ${error.message}`);
      return NO_RECORD;
    }
    if (error instanceof Error && "code" in error) {
      console.error(`${file}: cannot be read: ${error.message}`);
      return UNUSABLE;
    }
    throw error;
  }
}

process.exitCode = main(process.argv.slice(2));
