import type { JsonValue } from './parse';

/** Levels of objects and arrays in a parsed value: 0 for one that is neither. */
export function levelsOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let below = 0;
  for (const item of Object.values(value)) below = Math.max(below, levelsOf(item));
  return below + 1;
}
