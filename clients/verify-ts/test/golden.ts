/** The files that both verifiers are tested with. */
import { readFileSync } from "node:fs";

const GOLDEN = new URL("../../../../tests/golden/", import.meta.url);

/** A JSON file of the folder. */
export function golden<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, GOLDEN), "utf8")) as T;
}
