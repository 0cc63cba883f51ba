/** The deals that are known here, by game and rules version: a later version may deal otherwise. */
import type { JsonObject } from "../record.js";
import type { Rng } from "../rng.js";
import { cubirds } from "./cubirds.js";
import { euchre } from "./euchre.js";
import { nanaToridori } from "./nana_toridori.js";
import { paintTheRoses } from "./paint_the_roses.js";
import { sevens } from "./sevens.js";
import { wingspan } from "./wingspan.js";

/** The position that a game starts from: a deal for so many seats. */
export type Deal = (options: JsonObject, seats: number, rng: Rng) => JsonObject;

const DEALS: ReadonlyMap<string, Deal> = new Map([
  ["cubirds 1.0.0", cubirds],
  ["euchre 1.0.0", euchre],
  ["nana_toridori 1.0.0", nanaToridori],
  ["paint_the_roses 1.0.0", paintTheRoses],
  ["sevens 1.0.0", sevens],
  ["wingspan 1.0.0", wingspan],
]);

/** The deal of a game's rules version, if it is known. */
export function dealOf(gameType: string, rulesVersion: string): Deal | undefined {
  return DEALS.get(`${gameType} ${rulesVersion}`);
}
