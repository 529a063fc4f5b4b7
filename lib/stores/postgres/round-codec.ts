import { type ErrorCode, errorCatalogue } from '../../errors';
import {
  type HashEntry,
  type RecordedOutcome,
  type RoundHead,
  type RoundState,
  type TransactionRecord,
  unseenRound,
} from '../../gameround';
import type { Purse } from '../../money';
import type { Account } from '../../wallet';
import { decodePending } from '../pending-codec';
import type { Line } from './executor';

/** What lines tell of a round and its player. */
export interface RoundLines {
  /** An unseen round where nothing is known of it. */
  readonly head: RoundHead;
  readonly entries: Map<string, HashEntry>;
  /** Null where the player is not known. */
  readonly accounts: Account[] | null;
}

const states: ReadonlySet<string> = new Set<RoundState>([
  'none',
  'open',
  'closed',
  'cancelled',
  'voided',
  'stranded',
  'crashed',
]);
const ownOutcomes: ReadonlySet<string> = new Set<RecordedOutcome>([
  'accepted',
  'unanswered',
  'pending',
]);

/** The state that a text stands for. */
export function stateOf(text: string | null | undefined): RoundState {
  if (!states.has(text ?? '')) {
    throw new Error('A stored round has a state that this version does not know.');
  }
  return text as RoundState;
}

/** Reads the lines of head, transactions, voids and accounts, in whatever order they are. */
export function readRoundLines(lines: readonly Line[]): RoundLines {
  const entries = new Map<string, HashEntry>();
  const accounts: Account[] = [];
  let head = unseenRound;
  for (const [kind, ...rest] of lines) {
    const hash = rest[0] ?? '';
    if (kind === 'head') head = readHead(rest);
    else if (kind === 'account') accounts.push(readAccount(rest));
    else if (kind === 'transaction') {
      entries.set(hash, { ...entries.get(hash), transaction: readTransaction(rest) });
    } else if (kind === 'void') {
      const [, at, real, bonus] = rest;
      const order = { type: 'void', purse: purseOf(real, bonus), at: Number(at) } as const;
      entries.set(hash, { ...entries.get(hash), void: order });
    } else throw new Error('PostgreSQL answered something else.');
  }
  return { head, entries, accounts: accounts.length === 0 ? null : accounts };
}

/** An account from currency, real and bonus. */
export function readAccount([currency, real, bonus]: Line): Account {
  return {
    currency: currency ?? '',
    real: BigInt(real ?? 0),
    bonus: typeof bonus === 'string' ? BigInt(bonus) : null,
  };
}

function readHead(line: Line): RoundHead {
  const [version, state, resume, changedAt, currency, gameCode, started, credited, declined] = line;
  const [unanswered, debitsReal, debitsBonus, creditsReal, creditsBonus, pending] = line.slice(9);
  return {
    version: Number(version),
    state: stateOf(state),
    resume: stateOf(resume),
    changedAt: Number(changedAt),
    currency: currency ?? null,
    gameCode: gameCode ?? null,
    started: started === 'true',
    credited: credited === 'true',
    declined: declined === 'true',
    unanswered: Number(unanswered),
    debits: purseOf(debitsReal, debitsBonus),
    credits: purseOf(creditsReal, creditsBonus),
    pending: typeof pending === 'string' ? decodePending(pending) : null,
  };
}

function readTransaction(line: Line): TransactionRecord {
  const [, type, outcomeText, atText, currency, amount, discount, first, serial, real, bonus] =
    line;
  const outcome = outcomeOf(outcomeText);
  const at = Number(atText);
  if (type === 'end') return { type, outcome, at };
  if (type !== 'debit' && type !== 'credit') {
    throw new Error('A stored record has a type that this version does not know.');
  }
  const shared = {
    outcome,
    currency: currency ?? '',
    amount: BigInt(amount ?? 0),
    serial: serial ?? null,
    purse: purseOf(real, bonus),
    at,
  };
  if (type === 'credit') return { type, ...shared };
  return { type, ...shared, discount: BigInt(discount ?? 0), first: first === 'true' };
}

function outcomeOf(text: string | null | undefined): RecordedOutcome {
  if (!ownOutcomes.has(text ?? '') && !Object.hasOwn(errorCatalogue, text ?? '')) {
    throw new Error('A stored record has an outcome that this version does not know.');
  }
  return text as ErrorCode;
}

function purseOf(real: string | null | undefined, bonus: string | null | undefined): Purse {
  return { real: BigInt(real ?? 0), bonus: BigInt(bonus ?? 0) };
}
