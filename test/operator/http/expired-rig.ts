import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import type { OperatorOptions } from '../../../lib/operator/http/options';
import { withParts } from '../../support/with-parts';
import { type Answer, createRig, type Mount, operatorId, playerId, type Rig } from './rig';

export const DAY_MS = 24 * 3_600_000;
export const retentionMs = 30 * DAY_MS;
/** The clock tolerance is 300 s unless set. */
export const toleranceMs = 300_000;
/** The greatest age at which a first debit of an unknown round is taken (D10.2). */
export const edgeMs = retentionMs - toleranceMs;

/** Differs between two tests. */
export interface ExpiredRigOptions
  extends Pick<OperatorOptions, 'creditTo' | 'clockToleranceMs' | 'errors' | 'expiredDebits'> {
  readonly follows?: boolean;
  readonly retentionMs?: number;
  /** Whether the store says how long it keeps rounds. */
  readonly saysRetention?: boolean;
}

/** A wallet with a retention, and a clock that moves only when a test says so. */
export interface ExpiredRig extends Pick<Rig, 'balance' | 'close'> {
  /** Sends a call; the next one is a millisecond later, so that no two have the same signature (D1.8). */
  call(transactions: readonly object[], more?: object): Promise<Answer>;
  /** Lets time pass, in milliseconds. */
  pass(ms: number): void;
  /** The text of the time so many milliseconds ago; of the next call, unless said. */
  ago(ms?: number): string;
  /** The state of the round; null if the store does not know it. */
  state(gameRound?: string): Promise<string | null>;
}

/** A player with 100 EUR in a memory store. */
export async function createExpiredRig(
  { saysRetention = true, ...options }: ExpiredRigOptions = {},
  mount: Mount = 'node:http',
): Promise<ExpiredRig> {
  const { retentionMs: keptMs = retentionMs, ...others } = options;
  const clock = new VirtualClock(Date.UTC(2026, 0, 31, 12));
  const kept = createMemoryStore({ retentionMs: keptMs, clock });
  const store = saysRetention ? kept : withParts(kept, { retentionMs: undefined });
  const rig = await createRig({ ...others, store, clock }, mount);
  return {
    balance: () => rig.balance(),
    close: () => rig.close(),
    call: async (transactions, more) => {
      const answer = await rig.call(transactions, more);
      clock.setWallClock(1);
      return answer;
    },
    pass: (ms) => clock.setWallClock(ms),
    ago: (ms = 0) => new Date(clock.now() - ms).toISOString(),
    state: async (gameRound = 'round-1') => {
      const report = await store.rounds.readRound({ operatorId, playerId, gameRound });
      return report === null ? null : report.head.state;
    },
  };
}

interface Body {
  readonly errorCode?: { readonly id: number };
  readonly hashesProcessed?: readonly {
    readonly hash: string;
    readonly errorCode?: { readonly id: number };
  }[];
}

/** An answer as a line: `400 9010: round-1 9010, credit-1 9004`, or `200: round-1, credit-1`. */
export function lineOf({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  const { errorCode, hashesProcessed = [] } = body as Body;
  const processed = hashesProcessed.map((one) => wordsOf(one.hash, one.errorCode));
  return `${wordsOf(String(status), errorCode)}: ${processed.join(', ')}`;
}

function wordsOf(what: string, error: { readonly id: number } | undefined): string {
  return error === undefined ? what : `${what} ${error.id}`;
}
