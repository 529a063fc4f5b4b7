import { type HashEntry, type RoundHead, unseenRound, withRecord } from '../../../gameround';
import type { Purse } from '../../../../protocol/money';
import type { Account } from '../../../wallet';
import { decodePending } from '../../pending-codec';
import { stateOf } from '../../record-codec';
import type { Line } from '../connections/executor';
import { readRow, type Taken } from './record';

/** A round and its player, read from lines. */
export interface RoundLines {
  /** An unseen round if nothing is known of it. */
  readonly head: RoundHead;
  readonly entries: Map<string, HashEntry>;
  /** Null if the player is unknown. */
  readonly accounts: Account[] | null;
}

/** Reads the lines of head, records and accounts, with the records of these hashes, or all. */
export function readRoundLines(lines: readonly Line[], hashes?: readonly string[]): RoundLines {
  const entries = new Map<string, HashEntry>();
  const accounts: Account[] = [];
  let head = unseenRound;
  for (const [kind, ...rest] of lines) {
    if (kind === 'head') {
      head = readHead(rest);
      readFirstRecords(rest.slice(16), entries, hashes);
    } else if (kind === 'account') accounts.push(readAccount(rest));
    else if (kind === 'record') {
      const [hash, , text, real, bonus] = rest;
      const row = JSON.parse(text ?? '') as unknown[];
      const record = readRow(row, [BigInt(real ?? 0), BigInt(bonus ?? 0)]);
      entries.set(hash ?? '', withRecord(entries.get(hash ?? ''), record));
    } else throw new Error('PostgreSQL sent an unknown reply.');
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
  const [version, state, resume, changedAt, currency, gameCode, started, credited, ended] = line;
  const [declined, unanswered, debitsReal, debitsBonus, ...rest] = line.slice(9);
  const [creditsReal, creditsBonus, pending] = rest;
  return {
    version: Number(version),
    state: stateOf(state),
    resume: stateOf(resume),
    changedAt: Number(changedAt),
    currency: currency ?? null,
    gameCode: gameCode ?? null,
    started: started === 'true',
    credited: Number(credited),
    ended: Number(ended),
    declined: declined ?? null,
    unanswered: Number(unanswered),
    debits: purseOf(debitsReal, debitsBonus),
    credits: purseOf(creditsReal, creditsBonus),
    pending: typeof pending === 'string' ? decodePending(pending) : null,
  };
}

/** The records of the call that opened the round. Those of the table come later and override them. */
function readFirstRecords(
  [text, took]: Line,
  entries: Map<string, HashEntry>,
  hashes: readonly string[] | undefined,
): void {
  if (typeof text !== 'string') return;
  const taken = takenOf(took);
  for (const [hash, ...row] of JSON.parse(text) as [string, ...unknown[]][]) {
    if (!(hashes?.includes(hash) ?? true)) continue;
    entries.set(hash, withRecord(entries.get(hash), readRow(row, taken)));
  }
}

/** An array of PostgreSQL, such as `{100,0}`. */
function takenOf(text: string | null | undefined): Taken {
  if (typeof text !== 'string') return [];
  return text.slice(1, -1).split(',').map(BigInt);
}

function purseOf(real: string | null | undefined, bonus: string | null | undefined): Purse {
  return { real: BigInt(real ?? 0), bonus: BigInt(bonus ?? 0) };
}
