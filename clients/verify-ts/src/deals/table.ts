/** What every deal needs: seats in a ring, cards in numbers. */
import { type JsonObject, NotFair } from "../record.js";

/** `[0, 1, ..., count - 1]`. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** So many times the same. */
export function times<T>(count: number, item: T): T[] {
  return range(count).map(() => item);
}

/** The remainder that is never negative. */
export function modulo(a: number, b: number): number {
  return ((a % b) + b) % b;
}

/** A playing card by its number from 1 on: clubs, diamonds, hearts, spades from the ace to the king, then the joker. */
export function cardName(card: number): string {
  if (card === JOKER) {
    return "BN";
  }
  return `${"A23456789TJQK"[rankOf(card) - 1]}${"CDHS"[suitOf(card) - 1]}`;
}

export const JOKER = 53;

/** 1 (ace) to 13 (king). */
export function rankOf(card: number): number {
  return ((card - 1) % 13) + 1;
}

/** 1 to 4: clubs, diamonds, hearts, spades. */
export function suitOf(card: number): number {
  return Math.floor((card - 1) / 13) + 1;
}

export function numberOption(options: JsonObject, name: string): number {
  const value = options[name];
  if (typeof value !== "number") {
    throw new NotFair(`options.${name}: is no number`);
  }
  return value;
}

/** The option, or undefined if it is null: then chance decides. */
export function seatOption(options: JsonObject, name: string, seats: number): number | undefined {
  if (options[name] === null) {
    return undefined;
  }
  const seat = numberOption(options, name);
  if (!Number.isInteger(seat) || seat < 0 || seat >= seats) {
    throw new NotFair(`options.${name}: is no seat`);
  }
  return seat;
}
