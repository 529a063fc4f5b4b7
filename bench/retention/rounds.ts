import { randomUUID } from 'node:crypto';
import { type AccountStore, doTransactions, type WalletStore } from '../../lib/operator/wallet';
import { systemClock } from '../../lib/platform';
import type { Transaction } from '../../lib/protocol/operator-api/transaction';
import { currency, gameCode, operatorId } from '../terms';

const atOnce = 16;
const opensAtOnce = 100;
const policy = { useBonusFirst: true, creditTo: 'real' } as const;
const delivery = { id: 'Ab-_', fingerprint: 'Ab+/cd01EF23', isOtherBody: false };

/** How a round is played. */
export type RoundKind = 'one' | 'two';

export async function openPlayers(store: AccountStore, players: readonly string[]): Promise<void> {
  const balances = { real: '1000000' };
  for (let at = 0; at < players.length; at += opensAtOnce) {
    const batch = players.slice(at, at + opensAtOnce);
    const results = await Promise.all(
      batch.map((playerId) =>
        store.players.openPlayer({ operatorId, playerId, currency, balances }),
      ),
    );
    if (results.some(({ kind }) => kind !== 'opened')) throw new Error('a player is not opened');
  }
}

/** Plays rounds until they are closed, several at once, each of a player by chance. */
export async function playRounds(
  store: WalletStore,
  players: readonly string[],
  kind: RoundKind,
  rounds: number,
): Promise<void> {
  let played = 0;
  const worker = async () => {
    while (played < rounds) {
      played += 1;
      await playRound(store, players[Math.floor(Math.random() * players.length)] ?? '', kind);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function playRound(store: WalletStore, playerId: string, kind: RoundKind): Promise<void> {
  const gameRound = randomUUID();
  const usual = { currency, serial: null } as const;
  const more = { amount: 10_000n, discount: 0n, isFirstDebit: true } as const;
  const debit: Transaction = { type: 'debit', hash: gameRound, ...usual, ...more };
  const credit: Transaction = { type: 'credit', hash: randomUUID(), ...usual, amount: 9_500n };
  const end: Transaction = { type: 'end', hash: randomUUID() };
  for (const transactions of kind === 'one' ? [[debit, credit, end]] : [[debit], [credit, end]]) {
    const round = { operatorId, playerId, gameRound };
    const call = { playerId, gameCode, gameRound, transactions };
    const ports = { rounds: store.rounds, clock: systemClock, policy, deadlineMs: 20_000 };
    const { unknown, verdicts } = await doTransactions(round, call, delivery, ports);
    if (unknown !== null) throw unknown.cause;
    if (!verdicts.every(({ outcome }) => outcome === 'processed')) throw new Error('refused');
  }
}
