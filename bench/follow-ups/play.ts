import { randomUUID } from 'node:crypto';
import { doTransactions, type WalletStore } from '../../lib/operator/wallet';
import { systemClock } from '../../lib/platform';
import type { Transaction } from '../../lib/protocol/operator-api/transaction';
import { cpuSeconds } from '../cpu-time';
import { currency, gameCode, operatorId } from '../terms';
import type { Place } from './places';

const atOnce = 8;
const policy = { useBonusFirst: true, creditTo: 'real' } as const;
const delivery = { id: 'Ab-_', fingerprint: 'Ab+/cd01EF23', isOtherBody: false };

/** Microseconds of processor a round. */
export interface Cost {
  readonly node: number;
  readonly server: number;
}

/** Plays rounds of [debit], [credit, end] in this process, several at once: the wallet's part, without HTTP. */
export async function playRounds(
  { store, pid }: Place,
  players: readonly string[],
  rounds: number,
): Promise<Cost> {
  let played = 0;
  const worker = async () => {
    while (played < rounds) await playRound(store, players[played++ % players.length] ?? '');
  };
  const before = { node: process.cpuUsage(), server: cpuSeconds(pid) };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const { user, system } = process.cpuUsage(before.node);
  const server = (cpuSeconds(pid) - before.server) * 1e6;
  return { node: (user + system) / rounds, server: server / rounds };
}

async function playRound(store: WalletStore, playerId: string): Promise<void> {
  const gameRound = randomUUID();
  const usual = { currency, amount: 10_000n, serial: null } as const;
  const more = { discount: 0n, isFirstDebit: true } as const;
  const debit: Transaction = { type: 'debit', hash: gameRound, ...usual, ...more };
  const credit: Transaction = { type: 'credit', hash: randomUUID(), ...usual };
  for (const transactions of [[debit], [credit, { type: 'end', hash: randomUUID() } as const]]) {
    const round = { operatorId, playerId, gameRound };
    const call = { playerId, gameCode, gameRound, transactions };
    const ports = { rounds: store.rounds, clock: systemClock, policy, deadlineMs: 20_000 };
    const { unknown, verdicts } = await doTransactions(round, call, delivery, ports);
    if (unknown !== null) throw unknown.cause;
    if (!verdicts.every(({ outcome }) => outcome === 'processed')) throw new Error('refused');
  }
}
