import { isJsonObject, type JsonValue } from './parse';

/**
 * A value without its members that are null: null is absent (E4.3). What is below `payloads`, paths such
 * as `data/data`, is the sender's own and stays as it is.
 */
export function presentIn(value: JsonValue, payloads: readonly string[]): JsonValue {
  // Most messages hold no null: they need no copy.
  return holdsNull(value) ? withoutNull(value, payloads, '') : value;
}

function holdsNull(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(holdsNull);
  return value === null || (isJsonObject(value) && Object.values(value).some(holdsNull));
}

function withoutNull(value: JsonValue, payloads: readonly string[], path: string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => withoutNull(item, payloads, path));
  if (!isJsonObject(value)) return value;
  const members: [string, JsonValue][] = [];
  for (const [key, member] of Object.entries(value)) {
    const at = path === '' ? key : `${path}/${key}`;
    if (payloads.includes(at)) members.push([key, member]);
    else if (member !== null) members.push([key, withoutNull(member, payloads, at)]);
  }
  return Object.fromEntries(members);
}
