import {
  type HashEntry,
  type RoundHead,
  type RoundView,
  unseenRound,
  withRecord,
} from '../../../gameround';
import type { KeptBalances } from '../../../gameround/balances';
import type { Purse } from '../../../../protocol/money/purse';
import type { Account, PlayerKey, RoundSummary } from '../../../wallet';
import { summaryOf } from '../../../wallet/round-history';
import { decodePending } from '../../codec/pending';
import { stateOf } from '../../codec/record';
import { decodeRepairs } from '../../codec/repairs';
import type { NumberedRound } from '../../lists/rounds-walk';
import type { Line } from '../connections/executor';
import { readRow, type Taken } from './record';

/** A round and its player, read from lines. */
interface RoundLines {
  /** An unseen round if nothing is known of it. */
  readonly head: RoundHead;
  readonly entries: Map<string, HashEntry>;
  /** Null if the player is unknown. */
  readonly accounts: Account[] | null;
}

/** A round of a list, with the entries of credits that were not accepted among others. */
export interface ListedRound extends RoundView {
  readonly playerId: string;
  readonly gameRound: string;
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
    } else if (kind === 'repairs') head = { ...head, repairs: decodeRepairs(rest[0] ?? '') };
    else if (kind === 'account') accounts.push(readAccount(rest));
    else if (kind === 'record') {
      const [hash, , text, real, bonus] = rest;
      const row = JSON.parse(text ?? '') as unknown[];
      const record = readRow(row, [BigInt(real ?? 0), BigInt(bonus ?? 0)]);
      entries.set(hash ?? '', withRecord(entries.get(hash ?? ''), record));
    } else if (kind !== 'balance') throw new Error('PostgreSQL sent an unknown reply.');
  }
  return { head, entries, accounts: accounts.length === 0 ? null : accounts };
}

/** The balances after the commits of a whole round, where they were kept. */
export function readBalanceLines(lines: readonly Line[]): KeptBalances[] {
  const balances = new Map<number, Kept>();
  for (const [kind, ...rest] of lines) if (kind === 'balance') readBalance(rest, balances);
  return [...balances.values()];
}

interface Kept extends KeptBalances {
  readonly accounts: Account[];
}

/** One account of the balances after a commit. */
function readBalance([version, at, lines, net, ...account]: Line, all: Map<number, Kept>): void {
  const number = Number(version);
  const note = { version: number, at: Number(at), lines: lines ?? '' };
  const kept = all.get(number) ?? {
    ...note,
    net: typeof net === 'string' ? BigInt(net) : null,
    accounts: [],
  };
  kept.accounts.push(readAccount(account));
  all.set(number, kept);
}

/** An account from currency, real and bonus. */
export function readAccount([currency, real, bonus]: Line): Account {
  return {
    currency: currency ?? '',
    real: BigInt(real ?? 0),
    bonus: typeof bonus === 'string' ? BigInt(bonus) : null,
  };
}

/** A round from a line of a list: player, round, head, repairs, refused credits and their hashes. */
export function readListedRound(line: Line): ListedRound {
  const [playerId, gameRound, , ...rest] = line;
  const [firstRecords = null, took = null, repairs, refused, hashes] = rest.slice(16);
  const entries = new Map<string, HashEntry>();
  readFirstRecords([firstRecords, took], entries, undefined);
  const names = listIn(hashes);
  for (const [at, text] of listIn(refused).entries()) {
    const row = JSON.parse(text) as unknown[];
    entries.set(names[at] ?? '', withRecord(undefined, readRow(row, [])));
  }
  const head = readHead(rest);
  return {
    playerId: playerId ?? '',
    gameRound: gameRound ?? '',
    head: typeof repairs === 'string' ? { ...head, repairs: decodeRepairs(repairs) } : head,
    entries,
  };
}

function listIn(text: string | null | undefined): string[] {
  return typeof text === 'string' ? (JSON.parse(text) as string[]) : [];
}

/** A round from a line of list_rounds. */
export function readNumberedLine(player: PlayerKey, line: Line): NumberedRound {
  const summary = readHistoryLine(player, line);
  return { number: line[1] ?? '', version: Number(line[versionAt]), summary };
}

/** The place of the head's first text, its version, in a line of list_rounds. */
const versionAt = 7;

/** A round from a line of list_rounds or find_round. */
export function readHistoryLine(player: PlayerKey, line: Line): RoundSummary {
  const [, , gameRound = '', oldest, latest, repairs, , ...rest] = line;
  const entries = new Map<string, HashEntry>();
  readFirstRecords(rest.slice(16), entries, undefined);
  const times = [oldest, latest].filter((text) => typeof text === 'string').map(Number);
  for (const { transaction, void: order } of entries.values()) {
    times.push(...[transaction, order].flatMap((record) => record?.at ?? []));
  }
  const head = readHead(rest);
  const whole = typeof repairs === 'string' ? { ...head, repairs: decodeRepairs(repairs) } : head;
  return summaryOf({ ...player, gameRound: gameRound ?? '' }, whole, times);
}

function readHead(line: Line): RoundHead {
  const [version, state, resume, changedAt, currency, gameCode, started, credited, ended] = line;
  const [declined, unanswered, debitsReal, debitsBonus, ...rest] = line.slice(9);
  const [creditsReal, creditsBonus, pending] = rest;
  const head = {
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
  return head.declined?.includes('#') === true ? withStuckBy(head, head.declined) : head;
}

/** See `encodeDeclined`. */
function withStuckBy(head: RoundHead, text: string): RoundHead {
  const [declined = '', stuckBy = ''] = text.split('#');
  return { ...head, declined: declined === '' ? null : declined, stuckBy };
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
