import { createHash } from 'node:crypto';

import { type ErrorCode, errorCatalogue } from '../../../lib/protocol/operator-api';
import type { Call } from '../../../lib/protocol/operator-api';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { cancelRound, doTransactions, type WalletStore } from '../../../lib/operator/wallet';
import type { Clock } from '../../../lib/platform';
import type { Answer, Delivery, State } from './reference-log';
import { type CallStep, GAME_ROUND, START, type Step, type Wallet } from './story';

const PLAYER = { operatorId: 'operator', playerId: 'player' };
const ROUND = { ...PLAYER, gameRound: GAME_ROUND };
const DEADLINE_MS = 1_000;

/**
 * The wallet itself: the use case of doTransactions over a memory store, with a player of
 * {@link START}. `around` makes what the calls go through to the store.
 */
export async function createRealWallet(
  around: (store: WalletStore) => WalletStore = (store) => store,
): Promise<Wallet> {
  const clock = createStandingClock();
  const store = createMemoryStore({ clock });
  const ports = {
    store: around(store),
    clock,
    policy: { useBonusFirst: false, creditTo: 'real' },
    deadlineMs: DEADLINE_MS,
    discountCheck: () => false,
  } as const;
  let deposits = 0;
  await store.ready();
  for (const [currency, real] of Object.entries(START)) {
    await store.openPlayer({ ...PLAYER, currency, balances: { real: { units: real } } });
  }
  const deliver = async ({ delivery, fate }: CallStep): Promise<readonly Answer[]> => {
    if (fate === 'unwritten') return [];
    const { verdicts, unknown } = await doTransactions(
      ROUND,
      callOf(delivery),
      nameOf(delivery),
      ports,
    );
    const answers: Answer[] = verdicts.map((verdict) =>
      verdict.outcome === 'refused' ? idOf(verdict.code) : 'ok',
    );
    if (fate !== 'answered') return [];
    return unknown === null ? answers : [...answers, 'unknown'];
  };
  const mark = async (delivery: Delivery): Promise<void> => {
    if (!delivery.transactions.some(({ type }) => type === 'debit')) return;
    const { signal } = new AbortController();
    await cancelRound(ROUND, callOf(delivery), nameOf(delivery), { store, clock, signal });
  };
  const play = async (step: Step): Promise<readonly Answer[]> => {
    if (step.kind === 'block') await store.setBlocked(PLAYER, step.isBlocked);
    if (step.kind === 'deposit') {
      const amount = { units: step.amount };
      const reference = `${(deposits += 1)}`;
      await store.deposit({ ...PLAYER, currency: 'EUR', amount, reference });
    }
    if (step.kind === 'mark') await mark(step.delivery);
    if (step.kind !== 'call') return [];
    const answers = await deliver(step);
    if (step.fate === 'lost' || step.fate === 'unwritten') await mark(step.delivery);
    return answers;
  };
  return {
    play,
    state: async (): Promise<State> => {
      const state = (await store.readRound(ROUND))?.head.state ?? 'none';
      const needsAttention = ['cancelled', 'stranded', 'crashed'].includes(state);
      let isListed = false;
      for await (const entry of store.attention(PLAYER.operatorId)) {
        isListed = entry.state === state;
      }
      if (isListed !== needsAttention) throw new Error(`${state}, and listed otherwise`);
      return state;
    },
    balance: async (currency) => {
      const result = await store.accounts(PLAYER);
      const accounts = result.kind === 'known' ? result.accounts : null;
      const account = accounts?.find((candidate) => candidate.currency === currency);
      if (account === undefined) throw new Error(`no account in ${currency}`);
      return account.real;
    },
  };
}

function callOf({ transactions }: Delivery): Call {
  return { playerId: PLAYER.playerId, gameCode: 'game', gameRound: GAME_ROUND, transactions };
}

/** What names the delivery in the records; each was signed anew (D1.8). */
function nameOf({ id }: Delivery): Parameters<typeof doTransactions>[2] {
  const digest = createHash('sha256').update(id).digest('base64');
  return { id: digest.slice(0, 8), fingerprint: digest.slice(8, 16), isOtherBody: false };
}

function idOf(code: ErrorCode): number {
  return errorCatalogue[code].id;
}

/** Time passes only where something waits for it. */
function createStandingClock(): Clock {
  let now = Date.UTC(2026, 0, 1);
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
