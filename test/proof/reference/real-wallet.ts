import { createHash } from 'node:crypto';

import { errorCatalogue, type ErrorCode } from '../../../lib/protocol/operator-api/catalogue';
import type { Call } from '../../../lib/protocol/operator-api/transaction';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import {
  cancelRound,
  doTransactions,
  type PlayerKey,
  type WalletStore,
} from '../../../lib/operator/wallet';
import type { Clock } from '../../../lib/platform';
import type { ContractPlayers } from '../../../lib/proof';
import type { Answer, Delivery, State } from './reference-log';
import { isMarked } from './reference-player';
import { type CallStep, GAME_ROUND, START, type Step, type Wallet } from './story';

/** Where a wallet keeps its round and its player. */
export interface WalletParts {
  readonly store: WalletStore;
  /** Opens the player, brings money, and blocks: the store itself, or the ledger that it is over. */
  readonly players: ContractPlayers;
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** A player of their own, of an operator of their own. */
  readonly player: PlayerKey;
}

/**
 * The wallet itself: the use case of doTransactions over a memory store, with a player of
 * {@link START}. `around` makes what the calls go through to the store.
 */
export async function createRealWallet(
  around: (store: WalletStore) => WalletStore = (store) => store,
): Promise<Wallet> {
  const clock = createStandingClock();
  const store = createMemoryStore({ clock });
  await store.ready();
  const player = { operatorId: 'operator', playerId: 'player' };
  const parts = { players: store.players, clock, deadlineMs: 1_000, player };
  return createWalletOver({ ...parts, store: around(store) });
}

/** The use case of doTransactions over any store, with a new player of {@link START}. */
export async function createWalletOver(parts: WalletParts): Promise<Wallet> {
  const { store, players, clock, deadlineMs, player } = parts;
  const round = { ...player, gameRound: GAME_ROUND };
  const ports = {
    rounds: store.rounds,
    clock,
    policy: { useBonusFirst: false, creditTo: 'real' },
    deadlineMs,
    discountCheck: () => false,
  } as const;
  let deposits = 0;
  for (const [currency, real] of Object.entries(START)) {
    await players.openPlayer({ ...player, currency, balances: { real: { units: real } } });
  }
  const callOf = ({ transactions }: Delivery): Call => ({
    playerId: player.playerId,
    gameCode: 'game',
    gameRound: GAME_ROUND,
    transactions,
  });
  const deliver = async ({ delivery, fate }: CallStep): Promise<readonly Answer[]> => {
    if (fate === 'unwritten') return [];
    const { verdicts, unknown } = await doTransactions(
      round,
      callOf(delivery),
      nameOf(delivery),
      ports,
    );
    const answers: Answer[] = verdicts.map((verdict) =>
      verdict.outcome === 'refused' ? idOf(verdict.code) : 'ok',
    );
    return unknown === null ? answers : [...answers, 'unknown'];
  };
  const mark = async (delivery: Delivery): Promise<void> => {
    if (!delivery.transactions.some(({ type }) => type === 'debit')) return;
    const { signal } = new AbortController();
    await cancelRound(round, callOf(delivery), nameOf(delivery), {
      rounds: store.rounds,
      clock,
      signal,
    });
  };
  const play = async (step: Step): Promise<readonly Answer[]> => {
    if (step.kind === 'block') await players.setBlocked(player, step.isBlocked);
    if (step.kind === 'deposit') {
      const amount = { units: step.amount };
      const reference = `${(deposits += 1)}`;
      await players.deposit({ ...player, currency: 'EUR', amount, reference });
    }
    if (step.kind === 'mark') await mark(step.delivery);
    if (step.kind !== 'call') return [];
    const reply = await deliver(step);
    if (isMarked(step, reply)) await mark(step.delivery);
    return step.fate === 'answered' ? reply : [];
  };
  return {
    play,
    state: async (): Promise<State> => {
      const state = (await store.rounds.readRound(round))?.head.state ?? 'none';
      const needsAttention = ['cancelled', 'stranded', 'crashed'].includes(state);
      let isListed = false;
      for await (const entry of store.lists.attention(player.operatorId)) {
        isListed = entry.state === state;
      }
      if (isListed !== needsAttention) throw new Error(`${state}, and listed otherwise`);
      return state;
    },
    balance: async (currency) => {
      const result = await store.rounds.accounts(player);
      const accounts = result.kind === 'known' ? result.accounts : null;
      const account = accounts?.find((candidate) => candidate.currency === currency);
      if (account === undefined) throw new Error(`no account in ${currency}`);
      return account.real;
    },
  };
}

/** What names the delivery in the records; each was signed anew (D1.8). */
function nameOf({ id }: Delivery): Parameters<typeof doTransactions>[2] {
  const digest = createHash('sha256').update(id).digest('base64');
  return { id: digest.slice(0, 8), fingerprint: digest.slice(8, 20), isOtherBody: false };
}

function idOf(code: ErrorCode): number {
  return errorCatalogue[code].id;
}

/** Time passes only where something waits for it. */
export function createStandingClock(start = Date.UTC(2026, 0, 1)): Clock {
  let now = start;
  return {
    now: () => now,
    monotonicMs: () => now,
    pause: (ms) => {
      now += ms;
      return Promise.resolve();
    },
    after: () => () => {},
  };
}
