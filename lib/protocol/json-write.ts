/** A number that is written to JSON by the text it carries, never by way of a float. */
export class ExactNumber {
  constructor(
    /** A JSON number's text. */
    readonly text: string,
  ) {}
}

/** What {@link writeJson} writes; undefined members are left out. */
export type Writable =
  | string
  | number
  | boolean
  | null
  | undefined
  | ExactNumber
  | readonly Writable[]
  | { readonly [key: string]: Writable };

/** JSON.stringify for values that hold exact numbers. */
export function writeJson(value: Writable): string {
  if (value instanceof ExactNumber) return value.text;
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members: string[] = [];
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) members.push(`${JSON.stringify(key)}:${writeJson(member)}`);
    }
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}

function isList(value: Writable): value is readonly Writable[] {
  return Array.isArray(value);
}
