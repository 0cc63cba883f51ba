/** The commitment to a game's chance, and the mixing in of what others gave to it. */
import { createHash } from "node:crypto";

/** Bytes that somebody gave to the chance of a game: `who` is a seat, or -1 for the platform. */
export interface Contribution {
  readonly who: number;
  readonly bytes: Uint8Array;
}

/** SHA-256("rookery-fairness-1" || salt || seed), in hex. */
export function commitment(seed: Uint8Array, salt: Uint8Array): string {
  return createHash("sha256").update("rookery-fairness-1").update(salt).update(seed).digest("hex");
}

/**
 * The seed of the generator: the server's own if nobody gave entropy, else SHA-256("rookery-entropy-1" || seed || for each
 * contribution, in the order platform, seat 0, seat 1, ...: who as i32, length as u32, bytes), all numbers big-endian.
 */
export function chanceSeed(seed: Uint8Array, entropy: readonly Contribution[]): Uint8Array {
  if (entropy.length === 0) {
    return seed;
  }
  const hash = createHash("sha256").update("rookery-entropy-1").update(seed);
  for (const { who, bytes } of entropy) {
    const head = Buffer.alloc(8);
    head.writeInt32BE(who, 0);
    head.writeUInt32BE(bytes.length, 4);
    hash.update(head).update(bytes);
  }
  return hash.digest();
}
