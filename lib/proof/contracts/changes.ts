import {
  type CreditRecord,
  type DebitRecord,
  type EndRecord,
  type Movement,
  type NewRecord,
  noTexts,
  type RoundChange,
  type RoundHead,
  unseenRound,
  type VoidRecord,
  callStart,
  decideStep,
  hashesNeeded,
  unsignedDelivery,
} from '../../operator/gameround';
import { addPurses, emptyPurse, type Purse, subtractPurses } from '../../protocol/money/purse';
import assert from 'node:assert/strict';
import type { Account, RoundKey, WalletStore } from '../../operator/wallet';
import { assertCommitted, snapshotOf } from './case';

/** A part of a change: a record and its movement. */
export interface ChangePart {
  readonly record: NewRecord;
  readonly movement?: Movement;
}

const at = 1_700_000_000_000;

/** A head of an open round in EUR. */
export const openHead: RoundHead = Object.freeze({
  ...unseenRound,
  version: 1,
  state: 'open',
  changedAt: at,
  currency: 'EUR',
  gameCode: 'game',
  started: true,
});

/** The change from `before` to an open round with these parts, or to what `after` says. */
export function changeOf(
  before: RoundHead,
  parts: readonly ChangePart[],
  after: Partial<RoundHead> = {},
): RoundChange {
  let { debits, credits } = before;
  for (const { movement } of parts) {
    if (movement?.kind === 'give') credits = addPurses(credits, movement.purse);
    if (movement?.kind === 'reverse') debits = subtractPurses(debits, movement.purse);
  }
  return {
    before,
    after: { ...openHead, debits, credits, ...after, version: before.version + 1 },
    records: parts.map(({ record }) => record),
    movements: parts.flatMap(({ movement }) => (movement === undefined ? [] : [movement])),
  };
}

/** The change that opens a round with these parts. */
export function openingOf(
  parts: readonly ChangePart[],
  after: Partial<RoundHead> = {},
): RoundChange {
  return changeOf(unseenRound, parts, after);
}

/** A debit that takes its amount, real first; the round's first one unless `more` says otherwise. */
export function take(
  hash: string,
  amount: bigint,
  { bonusFirst = false, currency = 'EUR', first = true } = {},
): ChangePart {
  return {
    record: { hash, record: debitRecord(amount, { currency, first }) },
    movement: { kind: 'take', hash, currency, amount, bonusFirst },
  };
}

/** A credit that gives this purse. */
export function give(hash: string, purse: Purse, currency = 'EUR'): ChangePart {
  return {
    record: { hash, record: creditRecord(purse, { currency }) },
    movement: { kind: 'give', hash, currency, purse },
  };
}

/** A follow-up debit that takes its amount. */
export function takeMore(
  hash: string,
  amount: bigint,
  more: { readonly bonusFirst?: boolean } = {},
): ChangePart {
  return take(hash, amount, { ...more, first: false });
}

/** The same follow-up debit, with what was accepted after it in its call (D5.3). */
export function withBehind(part: ChangePart, behind: readonly string[]): ChangePart {
  const { hash, record } = part.record;
  return record.type === 'debit'
    ? { ...part, record: { hash, record: { ...record, behind } } }
    : part;
}

/** A record without a movement. */
export function note(hash: string, record: NewRecord['record']): ChangePart {
  return { record: { hash, record } };
}

/** An accepted end. */
export function end(hash: string): ChangePart {
  return note(hash, endRecord());
}

/** A void that gives back this purse. */
export function reverse(hash: string, purse: Purse, currency = 'EUR'): ChangePart {
  return {
    record: { hash, record: voidRecord(purse) },
    movement: { kind: 'reverse', hash, currency, purse },
  };
}

/** Real units only. */
export function real(units: bigint): Purse {
  return { real: units, bonus: 0n };
}

/** A debit as the rules pass it to a store: what it takes is not known yet. */
export function debitRecord(amount: bigint, more: Partial<DebitRecord> = {}): DebitRecord {
  return {
    type: 'debit',
    outcome: 'accepted',
    currency: 'EUR',
    amount,
    discount: 0n,
    first: true,
    serial: null,
    delivery: 'Ab-_',
    behind: noTexts,
    purse: emptyPurse,
    at,
    fingerprints: noTexts,
    ...more,
  };
}

/** A credit that gave this purse. */
export function creditRecord(purse: Purse, more: Partial<CreditRecord> = {}): CreditRecord {
  return {
    type: 'credit',
    outcome: 'accepted',
    currency: 'EUR',
    amount: purse.real + purse.bonus,
    serial: null,
    purse,
    at,
    fingerprints: noTexts,
    ...more,
  };
}

/** The record of an end. */
export function endRecord(more: Partial<EndRecord> = {}): EndRecord {
  return { type: 'end', outcome: 'accepted', at, fingerprints: noTexts, ...more };
}

/** A void that gave back this purse. */
export function voidRecord(purse: Purse): VoidRecord {
  return { type: 'void', purse, at, fingerprints: noTexts };
}

/** Opens the round with these parts; returns the accounts, none if the store reads them separately. */
export async function commitFirst(
  store: Pick<WalletStore, 'rounds'>,
  round: RoundKey,
  parts: readonly ChangePart[],
  after?: Partial<RoundHead>,
): Promise<readonly Account[]> {
  return assertCommitted(await store.rounds.commit(round, openingOf(parts, after)));
}

/** Adds these parts to the round as it is now; the accounts as above. */
export async function commitNext(
  store: Pick<WalletStore, 'rounds'>,
  round: RoundKey,
  parts: readonly ChangePart[],
  after?: Partial<RoundHead>,
): Promise<readonly Account[]> {
  const { head } = await snapshotOf(store, round);
  return assertCommitted(await store.rounds.commit(round, changeOf(head, parts, after)));
}

/** The change of a call that voids these hashes, as the use case decides it. */
export async function changeOfVoids(
  store: WalletStore,
  round: RoundKey,
  hashes: readonly string[],
): Promise<RoundChange> {
  const voids = hashes.map(
    (hash) => ({ type: 'void', hash, amount: null, currency: null }) as const,
  );
  const known = await snapshotOf(store, round, hashes);
  const needed = [...hashes, ...hashesNeeded(voids, known)];
  const { change } = decideStep(voids, callStart, await snapshotOf(store, round, needed), {
    gameRound: round.gameRound,
    gameCode: 'game',
    now: 1_700_000_000_000,
    delivery: unsignedDelivery('void'),
    refusals: new Map(),
    eligibleDiscounts: new Set(),
    policy: { useBonusFirst: false, creditTo: 'real' },
  });
  assert.ok(change !== null, 'a void that is new must be written');
  return change;
}

/** Voids these hashes; resolves to the change that was written. */
export async function commitVoids(
  store: WalletStore,
  round: RoundKey,
  ...hashes: readonly string[]
): Promise<RoundChange> {
  const change = await changeOfVoids(store, round, hashes);
  assertCommitted(await store.rounds.commit(round, change));
  return change;
}
