import { RequestFault } from './request-fault';

/** The place of a row in a list that is ordered by time, then by ids. */
export interface Position {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ids: readonly string[];
}

/** Below zero if the first comes first. */
export function comparePositions(one: Position, other: Position): number {
  if (one.at !== other.at) return one.at - other.at;
  for (const [index, id] of one.ids.entries()) {
    const otherId = other.ids[index] ?? '';
    if (id !== otherId) return id < otherId ? -1 : 1;
  }
  return 0;
}

/** A position as text for a link. */
export function writeCursor({ at, ids }: Position): string {
  return Buffer.from(JSON.stringify([at, ...ids])).toString('base64url');
}

/** The position that a link names; null if there is none. @throws RequestFault for any other text. */
export function readCursor(text: string | null, idCount: number): Position | null {
  if (text === null || text === '') return null;
  const [at, ...ids] = parsed(text);
  if (
    typeof at === 'number' &&
    Number.isFinite(at) &&
    ids.length === idCount &&
    ids.every((id) => typeof id === 'string')
  ) {
    return { at, ids };
  }
  throw new RequestFault(400, 'The place in the list is not valid: begin at the first page.');
}

function parsed(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
