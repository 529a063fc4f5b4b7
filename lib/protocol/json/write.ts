/** A number that is written to JSON as its text, never through a float. */
export class ExactNumber {
  constructor(
    /** A JSON number's text. */
    readonly text: string,
  ) {}
}

/** A value that is written to JSON as its text: a payload goes out as it came in, character by character. */
export class JsonText {
  constructor(
    /** One JSON value's text. */
    readonly text: string,
  ) {}
}

/** What `writeJson` writes; undefined members are left out. */
export type Writable =
  | string
  | number
  | boolean
  | null
  | undefined
  | ExactNumber
  | JsonText
  | readonly Writable[]
  | { readonly [key: string]: Writable };

/** JSON.stringify for values that hold exact numbers and texts of JSON. */
export function writeJson(value: Writable): string {
  if (value instanceof ExactNumber || value instanceof JsonText) return value.text;
  if (isList(value)) return writeList(value);
  if (typeof value === 'object' && value !== null) return writeMembers(value);
  return JSON.stringify(value ?? null);
}

function writeList(list: readonly Writable[]): string {
  let text = '[';
  for (const item of list) text += text === '[' ? writeJson(item) : `,${writeJson(item)}`;
  return `${text}]`;
}

function writeMembers(object: { readonly [key: string]: Writable }): string {
  let text = '{';
  for (const key of Object.keys(object)) {
    const member = object[key];
    if (member === undefined) continue;
    const name = plainName.test(key) ? `"${key}"` : JSON.stringify(key);
    text += `${text === '{' ? '' : ','}${name}:${writeJson(member)}`;
  }
  return `${text}}`;
}

/** A name without characters that JSON escapes. */
const plainName = /^\w+$/;

function isList(value: Writable): value is readonly Writable[] {
  return Array.isArray(value);
}
