import { admit, type Delivery, decideCancel } from '../gameround';
import type { Call } from '../../protocol/operator-api/transaction';
import type { Clock } from '../../platform';
import { within } from '../../platform/within';
import type { RoundKey } from './player/round-key';
import type { Rounds } from './store';
import { unknownIfLate } from './attempts';

/** Pauses between attempts to mark a round: about two minutes in all. */
const pausesMs = [50, 200, 1000, 5000, 15_000, 30_000, 60_000];

/** Time limit of the store for each attempt. */
const answerMs = 5000;

/**
 * Marks the round of a call that was answered 5xx as `cancelled`, so that it is listed as waiting for its
 * void (D7). Money does not depend on the mark: the void works with or without it. Marks only what this
 * delivery wrote, and what is not recorded. Resolves to whether the mark is written or not needed.
 */
export async function cancelRound(
  round: RoundKey,
  call: Call,
  delivery: Delivery,
  ports: { readonly rounds: Rounds; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<boolean> {
  const hashes = [...new Set(call.transactions.map(({ hash }) => hash))];
  for (let failures = 0; ; failures++) {
    const marking = tryToMark(round, call, delivery, hashes, ports);
    // A store that throws may work at the next attempt.
    if (await marking.catch(() => false)) return true;
    const pauseMs = pausesMs[failures];
    if (pauseMs === undefined || ports.signal.aborted) return false;
    await ports.clock.pause(pauseMs, ports.signal, 'background');
  }
}

async function tryToMark(
  round: RoundKey,
  { gameCode, transactions }: Call,
  delivery: Delivery,
  hashes: readonly string[],
  { rounds, clock }: { readonly rounds: Rounds; readonly clock: Clock },
): Promise<boolean> {
  const loaded = await within(clock, answerMs, rounds.load(round, hashes), unknownIfLate);
  if (loaded.kind === 'unknown') return false;
  // A body that its signature does not name has no effect, so it marks nothing (D1.8).
  if (admit(transactions, loaded.snapshot, delivery) !== 'admitted') return true;
  const context = { gameCode, now: clock.now(), delivery };
  const change = decideCancel(transactions, loaded.snapshot, context);
  if (change === null) return true;
  const { kind } = await within(clock, answerMs, rounds.commit(round, change), unknownIfLate);
  return kind === 'committed';
}
