/** Records that somebody else made, one a line: the file is named by the environment. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { check } from "../src/check.js";
import { type Json, readRecord } from "../src/record.js";

const file = process.env["ROOKERY_RECORDS"];

test("every record is fair", { skip: file === undefined ? "no records given" : false }, () => {
  const lines = readFileSync(file as string, "utf8").trimEnd().split("\n");
  assert.ok(lines.length > 0);
  for (const line of lines) {
    const record = readRecord(JSON.parse(line) as Json);
    assert.doesNotThrow(() => check(record), `${record.gameType}, ${record.seats} seats: ${JSON.stringify(record.options)}`);
  }
});
