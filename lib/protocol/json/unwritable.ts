import type { MessageFault } from './fault';
import { isJsonNumber } from './exact';
import { ExactNumber, JsonText } from './write';

/** Nesting that the parser accepts. */
const maxLevels = 16;

/** What writeJson would change, leave out or not write: where and why; null if there is none. */
export function findUnwritable(
  value: unknown,
  pointer = '',
  depth = 0,
): Pick<MessageFault, 'pointer' | 'problem'> | null {
  const problem = problemOf(value, depth);
  if (problem !== null) return { pointer, problem };
  if (typeof value !== 'object' || value === null) return null;
  if (value instanceof ExactNumber || value instanceof JsonText) return null;
  for (const [key, member] of Object.entries(value)) {
    const fault = findUnwritable(member, `${pointer}/${key}`, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

function problemOf(value: unknown, depth: number): string | null {
  if (depth > maxLevels) return `must not have more than ${maxLevels} levels`;
  if (value instanceof ExactNumber) {
    return isJsonNumber(value.text) ? null : 'must be a JSON number';
  }
  if (value instanceof JsonText || Array.isArray(value)) return null;
  if (value === null || value === undefined || isPlainObject(value)) return null;
  if (typeof value === 'string') return value.isWellFormed() ? null : 'has a lone surrogate';
  if (typeof value === 'number') {
    const isExact = Number.isFinite(value) && (Number.isSafeInteger(value) || value % 1 !== 0);
    return isExact ? null : 'must be a finite number and, if whole, a safe integer';
  }
  return typeof value === 'boolean' ? null : 'must be a JSON value';
}

/** Whether a value is an object and not an instance of a class: its prototype, if any, inherits nothing. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
