import type { Movement } from '../../../lib/operator/gameround';
import { Accounts } from '../../../lib/operator/stores/memory/accounts';
import {
  checkNewPlayer,
  checkOrder,
  checkPlayerKey,
} from '../../../lib/operator/stores/check-input';
import { checkBlock } from '../../../lib/operator/stores/check-restrictions';
import type {
  Ledger,
  LedgerDone,
  LedgerPosting,
  LedgerRefused,
  PlayerKey,
  Players,
} from '../../../lib/operator/wallet';
import { emptyPurse, type Purse, subtractPurses } from '../../../lib/protocol/money/purse';
import type { Clock } from '../../../lib/platform';

interface Note {
  readonly answer: LedgerDone | LedgerRefused;
  readonly currency: string;
  readonly moved: Purse;
  isReversed: boolean;
}

/** A ledger over the accounts of the memory store, so that both refuse for the same reasons. */
export function createAccountsLedger(
  clock: Clock,
  decimals: number,
): { readonly ledger: Ledger; readonly players: Players } {
  const accounts = new Accounts();
  const notes = new Map<string, Note>();

  const post = (posting: LedgerPosting, movement: Movement): LedgerDone | LedgerRefused => {
    const { key, hash } = posting;
    const known = notes.get(key);
    if (known?.isReversed === true) return { kind: 'refused', reason: 'refused' };
    if (known !== undefined) return known.answer;
    const { currency } = movement;
    const trial = accounts.attempt(posting, [movement], clock.now());
    if (trial.refused !== null) {
      const answer = { kind: 'refused', reason: trial.refused } as const;
      notes.set(key, { answer, currency, moved: emptyPurse, isReversed: false });
      return answer;
    }
    accounts.write(posting, trial);
    const paid = trial.taken.get(hash);
    const given = movement.kind === 'take' ? emptyPurse : movement.purse;
    const moved = subtractPurses(given, paid ?? emptyPurse);
    const answer: LedgerDone = {
      kind: 'done',
      ...(paid === undefined ? {} : { paid }),
      accounts: accounts.list(posting) ?? [],
    };
    notes.set(key, { answer, currency, moved, isReversed: false });
    return answer;
  };

  /** A reversal is never refused, whatever the balance comes to. */
  const giveBack = (player: PlayerKey, { currency, moved }: Note): void => {
    const account = accounts.list(player)?.find((one) => one.currency === currency);
    if (account === undefined) return;
    const { real, bonus } = account;
    const balance = subtractPurses({ real, bonus: bonus ?? 0n }, moved);
    const balances = new Map([[currency, { ...balance, hasBonus: bonus !== null }]]);
    accounts.write(player, { balances, limits: [] });
  };

  const ledger: Ledger = {
    debit: async (posting) => post(posting, { kind: 'take', ...posting }),
    credit: async (posting) => post(posting, { kind: 'give', ...posting }),
    async reverse(posting) {
      const { key } = posting;
      const known = notes.get(key);
      const done = { kind: 'done' } as const;
      const unseen = { answer: done, currency: 'EUR', moved: emptyPurse, isReversed: true };
      if (known === undefined) notes.set(key, unseen);
      if (known === undefined || known.isReversed) return done;
      known.isReversed = true;
      giveBack(posting, known);
      return done;
    },
    balances: async (player) => accounts.list(player),
  };

  const players: Players = {
    async openPlayer(player) {
      const { opened, account } = accounts.open(checkNewPlayer(player, decimals), clock.now());
      return { kind: opened ? 'opened' : 'existed', account };
    },
    deposit: async (order) =>
      accounts.moveCash(checkOrder(order, 'deposit', decimals), clock.now()),
    withdraw: async (order) =>
      accounts.moveCash(checkOrder(order, 'withdrawal', decimals), clock.now()),
    async setBlocked(player, blocked, act) {
      const order = checkBlock(player, blocked, act);
      const isKnown = accounts.setBlocked(order, clock.now()) !== null;
      return { kind: isKnown ? 'done' : 'noPlayer' };
    },
    async readPlayer(player) {
      checkPlayerKey(player);
      return accounts.read(player, clock.now());
    },
  };
  return { ledger, players };
}
