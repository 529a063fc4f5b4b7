import type { RepairKind } from '../../../../lib/operator/gameround';
import {
  approveRepair,
  proposeRepair,
  rejectRepair,
  type RepairOptions,
} from '../../../../lib/operator/operations';
import type { Clock } from '../../../../lib/platform';
import { createWalletOver, type WalletParts } from '../real-wallet';
import { GAME_ROUND, type Wallet } from '../story';
import type { PersonId } from './story';

/** What came of what a person did: `proposed`, `made`, `made again`, `rejected`, or why not. */
export type Word = string;

/** A proposal as its person got it. */
export interface Proposed {
  readonly word: Word;
  readonly id: string;
  /** The transaction that it is about; null for `resolve`. */
  readonly hash: string | null;
}

/** The wallet with the people who repair its round. */
export interface RepairedWallet extends Wallet {
  /** Whether a void gives up a debit that another call has in hand: that call is answered 503 (D7). */
  readonly isOverLedger: boolean;
  propose(kind: RepairKind, hash: string | null, by: PersonId): Promise<Proposed>;
  approve(id: string, by: PersonId): Promise<Word>;
  reject(id: string, by: PersonId): Promise<Word>;
  passDay(): void;
}

const reason = 'The RGS confirms it, ticket 4711';
const dayAndMoreMs = 24 * 3_600_000 + 1_000;

/** The wallet over a store, and people who repair its round through the public functions. */
export async function createRepairedWallet(parts: WalletParts): Promise<RepairedWallet> {
  const wallet = await createWalletOver(parts);
  const round = { ...parts.player, gameRound: GAME_ROUND };
  let ahead = 0;
  const clock: Clock = { ...parts.clock, now: () => parts.clock.now() + ahead };
  const options: RepairOptions = { store: parts.store, clock, deadlineMs: parts.deadlineMs };
  return {
    ...wallet,
    isOverLedger: 'settle' in parts.store,
    propose: async (kind, hash, by) => {
      const named = hash === null ? {} : { hash };
      const reference = kind === 'resolve' ? { reference: 'ticket-4711' } : {};
      const order = { kind, reason, ...named, ...reference };
      const result = await proposeRepair(round, order, person(by), options);
      if (result.kind === 'proposed') {
        return { word: 'proposed', id: result.repair.id, hash: result.repair.hash };
      }
      return { word: wordOf(result), id: '', hash: null };
    },
    approve: async (id, by) => {
      const result = await approveRepair(round, id, person(by), options);
      if (result.kind === 'made') return result.replay ? 'made again' : 'made';
      return wordOf(result);
    },
    reject: async (id, by) => {
      const result = await rejectRepair(round, id, person(by), 'not so, see the ticket', options);
      return result.kind === 'rejected' ? 'rejected' : wordOf(result);
    },
    passDay: () => {
      ahead += dayAndMoreMs;
    },
  };
}

function wordOf(
  result: { readonly kind: 'refused'; readonly reason: string } | { kind: 'unknown'; cause: Error },
): Word {
  if (result.kind === 'unknown')
    throw new Error('no store is silent here', { cause: result.cause });
  return result.reason;
}

function person(id: PersonId): { readonly id: string; readonly name: null } {
  return { id, name: null };
}
