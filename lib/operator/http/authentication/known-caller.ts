import type { Secret } from '../../../protocol/signature';

/** Who called, for the log: verified by the signature, though the rest of the call may be wrong. */
export interface KnownCaller {
  readonly operatorId: string;
  readonly playerId: string | null;
  /** Absent where the operation has none. */
  readonly gameRound?: string | null;
}

/** What went wrong with a call after its caller was verified. */
export class KnownCallerError extends Error {
  override readonly name = 'KnownCallerError';

  constructor(
    readonly caller: KnownCaller,
    override readonly cause: unknown,
  ) {
    super('A call of a verified caller failed.');
  }
}

/** The names in the body of a doTransactions call whose signature was verified. */
export function callerOf(operatorId: string, body: unknown): KnownCaller {
  const { playerId, gameRound } = Object(body) as { playerId?: unknown; gameRound?: unknown };
  return { operatorId, playerId: nameIn(playerId), gameRound: nameIn(gameRound) };
}

/** A text that stands where a name should. */
export function nameIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The names for the log: none longer than an identifier may be, and none that holds a secret. */
export function namesForLog<T extends object>(
  names: T,
  secrets: ReadonlyMap<string, readonly Secret[]>,
): T {
  const entries = Object.entries(names).map(([name, value]) => [
    name,
    typeof value === 'string' ? nameForLog(value, secrets) : value,
  ]);
  return Object.fromEntries(entries) as T;
}

function nameForLog(text: string, secrets: ReadonlyMap<string, readonly Secret[]>): string {
  for (const ofOperator of secrets.values()) {
    for (const secret of ofOperator) if (secret.isWithin(text)) return String(secret);
  }
  return text.slice(0, 128);
}
