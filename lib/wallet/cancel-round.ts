import { decideCancel } from '../gameround';
import type { Call, Debit } from '../protocol';
import { answerWithin } from './answer-within';
import type { Clock } from './ports';
import type { RoundKey, WalletStore } from './wallet-store';

/** Pauses between attempts to mark a round: about two minutes in all. */
const pausesMs = [50, 200, 1000, 5000, 15_000, 30_000, 60_000];

/** How long the store may take to answer each time. */
const answerMs = 5000;

/**
 * Marks the round of a call that was answered 5xx as `cancelled`, so that it shows up as waiting
 * for its void (D7). Nothing rests on it: the void does its work with or without the mark.
 * Resolves to whether the mark stands, or was not needed.
 */
export async function cancelRound(
  round: RoundKey,
  call: Call,
  ports: { readonly store: WalletStore; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<boolean> {
  const debits = call.transactions.filter((item): item is Debit => item.type === 'debit');
  const hashes = [...new Set(debits.map(({ hash }) => hash))];
  for (const pauseMs of pausesMs) {
    const marking = tryToMark(round, call.gameCode, debits, hashes, ports);
    // A store that throws may be whole again at the next attempt.
    if (await marking.catch(() => false)) return true;
    if (ports.signal.aborted) return false;
    await ports.clock.pause(pauseMs, ports.signal);
  }
  return false;
}

async function tryToMark(
  round: RoundKey,
  gameCode: string,
  debits: readonly Debit[],
  hashes: readonly string[],
  { store, clock }: { readonly store: WalletStore; readonly clock: Clock },
): Promise<boolean> {
  const loaded = await answerWithin(answerMs, clock, () => store.load(round, hashes));
  if (loaded.kind === 'unknown') return false;
  const change = decideCancel(debits, loaded.snapshot, { gameCode, now: clock.now() });
  if (change === null) return true;
  const { kind } = await answerWithin(answerMs, clock, () => store.commit(round, change));
  return kind === 'committed';
}
