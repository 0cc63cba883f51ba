import assert from "node:assert/strict";
import { test } from "node:test";

import { Rng } from "../src/rng.js";
import { golden } from "./golden.js";

interface Case {
  readonly seed: string;
  readonly step: number;
  readonly below?: readonly (readonly [number, number])[];
  readonly shuffle?: readonly number[];
}

for (const { seed, step, below, shuffle } of golden<Case[]>("rng.json")) {
  test(`seed ${seed.slice(0, 8)}, step ${step}, ${below ? "numbers" : "order"}`, () => {
    const rng = new Rng(Buffer.from(seed, "hex"), step);
    if (shuffle !== undefined) {
      assert.deepEqual(rng.shuffle([...shuffle].sort((a, b) => a - b)), shuffle);
    } else {
      assert.deepEqual(below?.map(([n]) => [n, rng.below(n)]), below);
    }
  });
}

test("what cannot be drawn is refused", () => {
  for (const n of [0, -1, 2 ** 32 + 1, 1.5, Number.NaN]) {
    assert.throws(() => new Rng(new Uint8Array(), 0).below(n), RangeError);
  }
});
