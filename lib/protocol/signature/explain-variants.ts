import { isZero, shortestForm } from '../money/amount';
import type { SignedField } from './fields';
import type { SecretForm } from './secret';
import { signatureHeaders } from './sign';
import { parseTimestamp } from './timestamp';

/** One way to make a signature; `deviation` names it if it is not the right one. */
export interface Variant<T> {
  readonly value: T;
  readonly deviation: string | null;
}

/** The variants of each aspect of a signature; the right one is the first of each. */
export type Aspects<Choice> = {
  readonly [aspect in keyof Choice]: readonly Variant<Choice[aspect]>[];
};

/** A choice of one variant of each aspect that passed a test. */
export interface Found<Choice> {
  readonly choice: Choice;
  readonly deviations: readonly string[];
}

/**
 * The first choice with exactly this many deviations that passes the test; null if there is none. Aspects vary in
 * their order, the last one fastest.
 */
export function findChoice<Choice extends object>(
  aspects: Aspects<Choice>,
  count: number,
  passes: (choice: Choice) => boolean,
): Found<Choice> | null {
  const names = Object.keys(aspects) as (keyof Choice)[];
  const choice: Partial<Choice> = {};
  const deviations: string[] = [];
  const choose = (nth: number): boolean => {
    const name = names[nth];
    if (name === undefined) return deviations.length === count && passes(choice as Choice);
    for (const { value, deviation } of aspects[name]) {
      if (deviation !== null && deviations.length === count) continue;
      choice[name] = value;
      if (deviation !== null) deviations.push(deviation);
      if (choose(nth + 1)) return true;
      if (deviation !== null) deviations.pop();
    }
    return false;
  };
  return choose(0) ? { choice: { ...choice } as Choice, deviations } : null;
}

/** A field of the signed string; `text` is null if the message lacks it. */
export interface SpelledPart {
  readonly name: string;
  readonly kind: SignedField['kind'];
  readonly text: string | null;
}

/** Reorders the fields, or leaves some out. */
export type Arrangement = (parts: readonly SpelledPart[]) => readonly SpelledPart[];

/** The separator between the fields, including the secret, and the end. */
export interface Joining {
  readonly separator: string;
  readonly end: string;
}

/** Keys that are made of the secret in a wrong way. */
export const wrongKeys: readonly Variant<SecretForm>[] = [
  wrong('trailingNewline', 'a newline at the end of the secret'),
  wrong('trailingCrLf', 'a carriage return and newline at the end of the secret'),
  wrong('trailingSpace', 'a space at the end of the secret'),
  wrong('leadingSpace', 'a space before the secret'),
  wrong('keyFromBase64', 'the secret decoded from base64 to be the key'),
  wrong('keyFromHex', 'the secret decoded from hex to be the key'),
];

/** The ways in which the secret may have been used. */
export const secretUses: readonly Variant<SecretForm>[] = [
  right('plain'),
  wrong('notInString', 'the secret missing at the front of the signed string'),
  ...wrongKeys,
];

/** The ways in which the fields may have been joined. */
export const joinings: readonly Variant<Joining>[] = [
  right({ separator: '#', end: '' }),
  wrong({ separator: '#', end: '#' }, '# at the end of the signed string'),
  wrong({ separator: '#', end: '\n' }, 'a newline at the end of the signed string'),
  wrong({ separator: '', end: '' }, 'the fields joined without #'),
];

/** The possible spellings of the timestamp in the signed string, given the header. */
export function timestampSpellings(header: string): Variant<string>[] {
  const name = signatureHeaders.timestamp;
  const at = parseTimestamp(header);
  const spellings = [right(header)];
  if (at === null) return spellings;
  const iso = new Date(at).toISOString();
  const candidates: readonly (readonly [string, string])[] = [
    [iso, 'with milliseconds and Z'],
    [`${iso.slice(0, 19)}Z`, 'without milliseconds'],
    [iso.slice(0, 23), 'without a zone'],
    [iso.slice(0, 19), 'without milliseconds and zone'],
    [`${iso.slice(0, 23)}+00:00`, 'with +00:00'],
    [`${iso.slice(0, 19)}+00:00`, 'without milliseconds, with +00:00'],
    [`${iso.slice(0, 23)}000Z`, 'with microseconds'],
    [iso.replace('T', ' '), 'with a space for T'],
    [String(at), 'in milliseconds since 1970'],
    [String(Math.floor(at / 1000)), 'in seconds since 1970'],
  ];
  for (const [text, how] of candidates) {
    if (text !== header) spellings.push(wrong(text, `${name} signed ${how}`));
  }
  return spellings;
}

/** The possible spellings of amounts and other numbers; only the right way if there are none. */
export function amountSpellings(
  parts: readonly SpelledPart[],
): Variant<(part: SpelledPart) => string | null>[] {
  const asIs = ({ kind, text }: SpelledPart) =>
    kind === 'amount' && text !== null && isZero(text) ? null : text;
  if (parts.every(({ kind }) => kind === 'text')) return [right(asIs)];
  const spelled = (write: (lexeme: string) => string | null) => (part: SpelledPart) => {
    const text = asIs(part);
    return text === null || part.kind === 'text' ? text : write(text);
  };
  const withZeros = (zero: string | null, absent: string | null) => (part: SpelledPart) => {
    if (part.kind !== 'amount') return part.text;
    if (part.text === null) return absent;
    return isZero(part.text) ? (zero ?? part.text) : part.text;
  };
  return [
    right(asIs),
    wrong(spelled(shortestForm), 'amounts in shortest form (10.5 for 10.50)'),
    wrong(withZeros(null, null), 'zero amounts signed as well'),
    wrong(withZeros(null, '0'), 'zero amounts signed as well, and absent ones as 0'),
    wrong(withZeros('', ''), 'zero and absent amounts signed as empty texts'),
    wrong(spelled(toDecimals(0)), 'amounts without decimals (10)'),
    wrong(spelled(toDecimals(1)), 'amounts with one decimal (10.0)'),
    wrong(spelled(toDecimals(2)), 'amounts with two decimals (10.00)'),
    wrong(spelled(toDecimals(4)), 'amounts with four decimals (10.0000)'),
    wrong(spelled(shiftPoint(2)), 'amounts times 100'),
    wrong(spelled(shiftPoint(-2)), 'amounts divided by 100'),
  ];
}

/** Orders and omissions of the fields with these names. */
export function arrangements(names: readonly string[]): Variant<Arrangement>[] {
  const distinct = [...new Set(names)];
  const listed = distinct.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  const single = distinct.filter((name) => !listed.includes(name));
  const found: Variant<Arrangement>[] = [right((parts) => parts)];
  for (const name of distinct) {
    found.push(wrong((parts) => parts.filter((part) => part.name !== name), `${name} missing`));
  }
  for (const [index, one] of distinct.entries()) {
    for (const other of distinct.slice(index + 1)) {
      found.push(wrong(exchange(one, other), `${other} in the place of ${one}, and the reverse`));
    }
  }
  if (listed.length > 1) {
    const grouped: Arrangement = (parts) => [
      ...parts.filter(({ name }) => single.includes(name)),
      ...listed.flatMap((wanted) => parts.filter(({ name }) => name === wanted)),
    ];
    const order = listed.map((name) => `every ${name}`).join(', then ');
    found.push(wrong(grouped, `${order}, not item by item`));
  }
  return found;
}

/** Each field of one name swaps places with the nearest of the other: item by item in a list. */
function exchange(one: string, other: string): Arrangement {
  return (parts) => {
    const changed = [...parts];
    const firsts = placesOf(parts, one);
    for (const [index, place] of placesOf(parts, other).entries()) {
      const partner = firsts[index];
      const here = parts[place];
      const there = partner === undefined ? undefined : parts[partner];
      if (partner === undefined || here === undefined || there === undefined) break;
      changed[partner] = here;
      changed[place] = there;
    }
    return changed;
  };
}

function placesOf(parts: readonly SpelledPart[], name: string): number[] {
  return parts.flatMap((part, index) => (part.name === name ? [index] : []));
}

/** The number with exactly this many decimals; further ones are cut off. */
function toDecimals(decimals: number): (lexeme: string) => string {
  return (lexeme) => {
    const [whole = '', fraction = ''] = shortestForm(lexeme).split('.');
    return decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals).padEnd(decimals, '0')}`;
  };
}

function shiftPoint(places: number): (lexeme: string) => string {
  return (lexeme) => shortestForm(`${shortestForm(lexeme)}e${places}`);
}

/** The right way. */
export function right<T>(value: T): Variant<T> {
  return { value, deviation: null };
}

/** Another way, and what it is called. */
export function wrong<T>(value: T, deviation: string): Variant<T> {
  return { value, deviation };
}
