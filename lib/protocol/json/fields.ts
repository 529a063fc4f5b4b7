import { maxUnits, shortestForm } from '../money/amount';
import { type DecimalText, type ExactJsonObject, exactRest, readExactAmount } from './exact';
import { memberText, MessageFault } from './documents';
import { isJsonObject, type JsonDocument, type JsonObject, type JsonValue } from './parse';

/** Digits without a sign, a point, an exponent or a leading zero (E4.1). */
const digits = /^(?:0|[1-9]\d*)$/;

/** The same with a sign, of at most 40 digits: each of what it sums is below 2^53, the sum need not be. */
const plainSum = /^-?(?:0|[1-9]\d{0,39})$/;

/** The members of an object that its schema accepts, in exact terms; null is absent (E4.3). */
export class Fields {
  constructor(
    private readonly document: JsonDocument,
    private readonly object: JsonObject,
    private readonly pointer = '',
  ) {}

  /** The members of a document that is an object. @throws MessageFault */
  static of(document: JsonDocument): Fields {
    const { value } = document;
    if (isJsonObject(value)) return new Fields(document, value);
    throw new MessageFault('', 'must be an object');
  }

  has(name: string): boolean {
    return this.value(name) !== null;
  }

  /** Null if absent. */
  value(name: string): JsonValue {
    return this.object[name] ?? null;
  }

  /** Empty if absent, or not a text. */
  text(name: string): string {
    return this.optionalText(name) ?? '';
  }

  /** Null if absent, or not a text. */
  optionalText(name: string): string | null {
    const value = this.object[name];
    return typeof value === 'string' ? value : null;
  }

  /** Units; 0 if absent. @throws MessageFault */
  units(name: string): bigint {
    return this.optionalUnits(name) ?? 0n;
  }

  /** Units of a JSON integer or a text of digits, by their own text (E4.1). @throws MessageFault */
  optionalUnits(name: string): bigint | null {
    if (!this.has(name)) return null;
    const text = this.numberText(name);
    const units = digits.test(text) && text.length <= 16 ? BigInt(text) : null;
    if (units !== null && units <= maxUnits) return units;
    throw this.wrong(name, 'must be a whole number of units from 0 to 2^53-1');
  }

  /** Units in any spelling that is exact, below zero too; null if absent. @throws MessageFault */
  signedUnits(name: string): bigint | null {
    if (!this.has(name)) return null;
    try {
      return readExactAmount(this.numberText(name), 0);
    } catch {
      throw this.wrong(name, 'must be a whole number of units up to 2^53-1');
    }
  }

  /** A sum of units: as {@link signedUnits}, and in plain digits above 2^53-1 too, up to 40 of them. @throws MessageFault */
  sumOfUnits(name: string): bigint | null {
    const text = this.has(name) ? this.numberText(name) : '';
    return plainSum.test(text) ? BigInt(text) : this.signedUnits(name);
  }

  /** A whole number written as digits; null if absent. @throws MessageFault */
  whole(name: string): number | null {
    if (!this.has(name)) return null;
    if (digits.test(this.document.lexeme(this.object, name) ?? '')) return this.number(name);
    throw this.wrong(name, 'must be a whole number');
  }

  /** A count in any spelling that is exact; null if absent. @throws MessageFault */
  count(name: string): number | null {
    const value = this.number(name);
    if (value === null) return null;
    const isExact = shortestForm(this.numberText(name)) === String(value);
    if (isExact && Number.isSafeInteger(value) && value >= 0) return value;
    throw this.wrong(name, 'must be a whole number up to 2^53-1');
  }

  /** The text of a number; null if absent, or not a number. */
  decimal(name: string): DecimalText | null {
    return this.document.lexeme(this.object, name) ?? null;
  }

  /** Null if absent, or not a number. */
  number(name: string): number | null {
    const value = this.object[name];
    return typeof value === 'number' ? value : null;
  }

  /** False if absent. */
  flag(name: string): boolean {
    const value = this.object[name];
    return value === true || value === 'true';
  }

  /** The object under a name; without members if absent. */
  within(name: string): Fields {
    const value = this.value(name);
    return new Fields(this.document, isJsonObject(value) ? value : {}, `${this.pointer}/${name}`);
  }

  /** The objects of a list; none if absent. */
  list(name: string): readonly Fields[] {
    const items = this.object[name];
    if (!Array.isArray(items)) return [];
    return items
      .filter(isJsonObject)
      .map((item, at) => new Fields(this.document, item, `${this.pointer}/${name}/${at}`));
  }

  /** A map of texts, another value as its JSON text; empty if absent. */
  texts(name: string): Readonly<Record<string, string>> {
    const map = this.value(name);
    if (!isJsonObject(map)) return {};
    const members = Object.entries(map).filter(([, member]) => member !== null);
    return Object.fromEntries(
      members.map(([key, member]) => {
        return [key, typeof member === 'string' ? member : memberText(this.document, map, key)];
      }),
    );
  }

  /** The JSON text of a payload, its numbers as they were written. The member must be there. */
  json(name: string): string {
    return memberText(this.document, this.object, name);
  }

  /** The same; null if absent. */
  optionalJson(name: string): string | null {
    return this.has(name) ? this.json(name) : null;
  }

  /** The names of the members that are there. */
  names(): readonly string[] {
    return Object.keys(this.object).filter((name) => this.has(name));
  }

  /** The members besides the known ones. */
  further(known: readonly string[]): ExactJsonObject {
    return exactRest(this.document, this.object, known);
  }

  /** The fault of a member. */
  wrong(name: string, problem: string): MessageFault {
    return new MessageFault(`${this.pointer}/${name}`, problem);
  }

  private numberText(name: string): string {
    return this.optionalText(name) ?? this.decimal(name) ?? '';
  }
}
