/**
 * The chance of one step of a game: the generator `rookery-rng-1`.
 *
 * Its words of 32 bits are, for the blocks 0, 1, 2, ..., the eight big-endian words of
 * SHA-256("rookery-rng-1" || seed || step as u32 || block as u32), all numbers big-endian.
 */
import { createHash } from "node:crypto";

const WORDS = 2 ** 32;
const WORDS_PER_BLOCK = 8;

/** A number below `n`, as it was drawn. */
export type Draw = readonly [n: number, drawn: number];

export class Rng {
  /** Everything drawn so far. */
  readonly draws: Draw[] = [];
  readonly #seed: Uint8Array;
  readonly #step: number;
  #block = 0;
  #words: number[] = [];

  constructor(seed: Uint8Array, step: number) {
    this.#seed = seed;
    this.#step = step;
  }

  /** A whole number from 0 to n - 1, each equally likely; `n` is 1 to 2^32. */
  below(n: number): number {
    if (!Number.isInteger(n) || n < 1 || n > WORDS) {
      throw new RangeError(`below() takes 1 to 2**32, not ${n}`);
    }
    // Words beyond a whole multiple of n would make some numbers likelier than others.
    const limit = WORDS - (WORDS % n);
    let word = this.#word();
    while (word >= limit) {
      word = this.#word();
    }
    const drawn = word % n;
    this.draws.push([n, drawn]);
    return drawn;
  }

  /** The items in random order: from the last place down, each is swapped with one at or before it. */
  shuffle<T>(items: readonly T[]): T[] {
    const order = [...items];
    for (let i = order.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const moved = order[i] as T;
      order[i] = order[j] as T;
      order[j] = moved;
    }
    return order;
  }

  #word(): number {
    if (this.#words.length === 0) {
      const counters = Buffer.alloc(8);
      counters.writeUInt32BE(this.#step, 0);
      counters.writeUInt32BE(this.#block++, 4);
      const digest = createHash("sha256").update("rookery-rng-1").update(this.#seed).update(counters).digest();
      this.#words = Array.from({ length: WORDS_PER_BLOCK }, (_, i) => digest.readUInt32BE(4 * i));
    }
    return this.#words.shift() as number;
  }
}
