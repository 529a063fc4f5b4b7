import type { Secret } from '../../../protocol/signature';

/** The caller, for the log: verified by the signature, although the rest of the call may be wrong. */
export interface KnownCaller {
  readonly operatorId: string;
  readonly playerId: string | null;
  /** Absent if the operation has none. */
  readonly gameRound?: string | null;
}

/** An error in a call after its caller was verified. */
export class KnownCallerError extends Error {
  override readonly name = 'KnownCallerError';

  constructor(
    readonly caller: KnownCaller,
    override readonly cause: unknown,
  ) {
    super('A call of a verified caller failed.');
  }
}

/** The names in the body of a doTransactions call with a verified signature. */
export function callerOf(operatorId: string, body: unknown): KnownCaller {
  const { playerId, gameRound } = Object(body) as { playerId?: unknown; gameRound?: unknown };
  return { operatorId, playerId: nameIn(playerId), gameRound: nameIn(gameRound) };
}

/** The value of a name field, if it is a string. */
export function nameIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The names for the log, each cut to the length of an identifier; one that holds a secret is replaced. */
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
