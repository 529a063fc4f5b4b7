import type { JsonValue } from '../../../protocol/json/parse';

/**
 * Writes one type as JSON and reads it back: strictly, so that damage is not taken for an event (B4). What stays in memory
 * and is read by the same process alone is packed: lists in place of objects, numbers in place of known texts.
 */
export interface Shape<T> {
  write(value: T): JsonValue;
  /**
   * @param place The member that holds the value.
   * @throws UnreadableEventError naming the place.
   */
  read(json: JsonValue, place: string): T;
  /** A third of what `write` gives; its form may differ from version to version. */
  pack(value: T): JsonValue;
  /** What was packed by this process. It is not checked. */
  unpack(packed: JsonValue): T;
}

/** JSON that is not what this version writes. */
export class UnreadableEventError extends Error {
  override readonly name = 'UnreadableEventError';

  constructor(place: string, expected: string) {
    super(`${place} is not ${expected}`);
  }
}

export const text: Shape<string> = plain('a text', (value) => typeof value === 'string');

/** A whole number that JavaScript keeps exactly. */
export const whole: Shape<number> = plain('a whole number', Number.isSafeInteger);

export const flag: Shape<boolean> = plain('a flag', (value) => typeof value === 'boolean');

/** Units of money: digits as text, with a sign if below 0. */
export const units: Shape<bigint> = {
  write: String,
  pack: String,
  unpack: (packed) => BigInt(packed as string),
  read: (json, place) => {
    if (typeof json !== 'string' || !/^(?:0|-?[1-9][0-9]*)$/.test(json)) {
      throw new UnreadableEventError(place, 'an amount');
    }
    return BigInt(json);
  },
};

/** A map of texts. */
export const texts: Shape<Readonly<Record<string, string>>> = {
  write: (value) => ({ ...value }),
  pack: (value) => value,
  unpack: (packed) => packed as Readonly<Record<string, string>>,
  read: (json, place) => {
    const members = Object.entries(objectOf(json, place));
    return Object.fromEntries(members.map(([key, value]) => [key, text.read(value, place)]));
  },
};

/** A map of JSON values that are kept as they are. */
export const settings: Shape<Readonly<Record<string, JsonValue>>> = {
  write: (value) => ({ ...value }),
  pack: (value) => value,
  unpack: (packed) => packed as Readonly<Record<string, JsonValue>>,
  read: (json, place) => ({ ...objectOf(json, place) }),
};

/** One of these texts. */
export function oneOf<const T extends string>(...values: readonly T[]): Shape<T> {
  const known: readonly string[] = values;
  const isKnown = (value: JsonValue): boolean => typeof value === 'string' && known.includes(value);
  return {
    ...plain<T>(`one of ${values.join(', ')}`, isKnown),
    pack: (value) => known.indexOf(value),
    unpack: (packed) => known[packed as number] as T,
  };
}

/** The value, or null. */
export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return {
    write: (value) => (value === null ? null : shape.write(value)),
    read: (json, place) => (json === null ? null : shape.read(json, place)),
    pack: (value) => (value === null ? null : shape.pack(value)),
    unpack: (packed) => (packed === null ? null : shape.unpack(packed)),
  };
}

/** A list of values. */
export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return {
    write: (values) => values.map((value) => shape.write(value)),
    read: (json, place) => {
      if (!Array.isArray(json)) throw new UnreadableEventError(place, 'a list');
      return json.map((value) => shape.read(value, place));
    },
    pack: (values) => values.map((value) => shape.pack(value)),
    unpack: (packed) => (packed as readonly JsonValue[]).map((value) => shape.unpack(value)),
  };
}

/** A shape for every member; each is there, and none else. */
type Members<T> = { readonly [Name in keyof T]-?: Shape<T[Name]> };

/** An object with exactly these members. */
export function object<T extends object>(members: Members<T>): Shape<T> {
  const entries: readonly (readonly [string, Shape<unknown>])[] = Object.entries(members);
  return {
    write: (value) => {
      const values = value as Readonly<Record<string, unknown>>;
      const written: Record<string, JsonValue> = {};
      for (const [name, shape] of entries) written[name] = shape.write(values[name]);
      return written;
    },
    read: (json, place) => {
      const source = objectOf(json, place);
      if (Object.keys(source).length !== entries.length) {
        throw new UnreadableEventError(place, 'an object of these members');
      }
      const read: Record<string, unknown> = {};
      for (const [name, shape] of entries) {
        const value = Object.hasOwn(source, name) ? source[name] : undefined;
        if (value === undefined) throw new UnreadableEventError(`${place}.${name}`, 'there');
        read[name] = shape.read(value, name);
      }
      return read as T;
    },
    pack: (value) => {
      const values = value as Readonly<Record<string, unknown>>;
      return entries.map(([name, shape]) => shape.pack(values[name]));
    },
    unpack: (packed) => {
      const values = packed as readonly JsonValue[];
      const unpacked: Record<string, unknown> = {};
      let at = 0;
      for (const [name, shape] of entries) unpacked[name] = shape.unpack(values[at++] ?? null);
      return unpacked as T;
    },
  };
}

/** A fixed text. */
export function exactly<const T extends string>(value: T): Shape<T> {
  return oneOf(value);
}

/** Objects of the types that a text in `type` tells apart, each given by its other members. */
export function byType<T extends { readonly type: string }>(
  members: {
    readonly [Type in T['type']]: Members<Omit<Extract<T, { readonly type: Type }>, 'type'>>;
  },
): Shape<T> {
  const shapes = Object.entries<Members<object>>(members).map(
    ([type, others]) => [type, object({ type: exactly(type), ...others })] as const,
  );
  return union<T, 'type'>('type', Object.fromEntries(shapes) as never);
}

/** Objects that differ by the text of one member; each shape is the whole object's. */
export function union<T extends Readonly<Record<Tag, string>>, Tag extends string>(
  tag: Tag,
  shapes: { readonly [Name in T[Tag]]: Shape<Extract<T, Readonly<Record<Tag, Name>>>> },
): Shape<T> {
  const known = new Map<string, Shape<T>>(Object.entries(shapes));
  const shapeOf = (name: string): Shape<T> => {
    const shape = known.get(name);
    if (shape === undefined) throw new Error(`no shape for ${name}`);
    return shape;
  };
  return {
    write: (value) => shapeOf(value[tag]).write(value),
    pack: (value) => [value[tag], shapeOf(value[tag]).pack(value)],
    unpack: (packed) => {
      const [name, rest] = packed as [string, JsonValue];
      return shapeOf(name).unpack(rest);
    },
    read: (json, place) => {
      const name = objectOf(json, place)[tag];
      const shape = typeof name === 'string' ? known.get(name) : undefined;
      if (shape === undefined) throw new UnreadableEventError(`${place}.${tag}`, 'known');
      return shape.read(json, place);
    },
  };
}

function plain<T extends JsonValue>(
  expected: string,
  isValid: (value: JsonValue) => boolean,
): Shape<T> {
  return {
    write: (value) => value,
    read: (json, place) => {
      if (!isValid(json)) throw new UnreadableEventError(place, expected);
      return json as T;
    },
    pack: (value) => value,
    unpack: (packed) => packed as T,
  };
}

function objectOf(json: JsonValue, place: string): Readonly<Record<string, JsonValue>> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  throw new UnreadableEventError(place, 'an object');
}
