import { type HashEntry, type RoundHead, unseenRound, withRecord } from '../../../gameround';
import type { KeptBalances } from '../../../gameround/balances';
import type { Purse } from '../../../../protocol/money/purse';
import type { Account, PlayerKey, RoundSummary } from '../../../wallet';
import { summaryOf } from '../../../wallet/lists/history';
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
  const pending = line[15];
  const head: RoundHead = {
    version: Number(line[0]),
    state: stateOf(line[1]),
    resume: stateOf(line[2]),
    changedAt: Number(line[3]),
    currency: line[4] ?? null,
    gameCode: line[5] ?? null,
    started: line[6] === 'true',
    credited: Number(line[7]),
    ended: Number(line[8]),
    declined: line[9] ?? null,
    unanswered: Number(line[10]),
    debits: purseOf(line[11], line[12]),
    credits: purseOf(line[13], line[14]),
    pending: typeof pending === 'string' ? decodePending(pending) : null,
  };
  const { declined, stuckBy } = readDeclined(head.declined);
  return stuckBy === undefined ? head : Object.assign(head, { declined, stuckBy });
}

/** See `encodeDeclined`. */
export function readDeclined(text: string | null): {
  readonly declined: string | null;
  readonly stuckBy?: string;
} {
  const [declined = '', stuckBy] = text?.split('#') ?? [];
  if (stuckBy === undefined) return { declined: text };
  return { declined: declined === '' ? null : declined, stuckBy };
}

/** A hash, and the row of its record. */
export type FirstRow = readonly [hash: string, ...row: unknown[]];

/** The records of the call that opened the round. Those of the table come later and override them. */
function readFirstRecords(
  [text, took]: Line,
  entries: Map<string, HashEntry>,
  hashes: readonly string[] | undefined,
): void {
  if (typeof text !== 'string') return;
  const taken = takenOf(took);
  for (const [hash, ...row] of JSON.parse(text) as FirstRow[]) {
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
