import type { DebitRecord } from '../../../../lib/operator/gameround';
import type { RoundReport } from '../../../../lib/operator/wallet';
import { isEmptyPurse, type Purse } from '../../../../lib/protocol/money/purse';

/** Money that a round has moved, and that stands. */
export interface StandingMoney {
  readonly type: 'take' | 'give';
  readonly currency: string;
  readonly purse: Purse;
  /** By the clock of the process that moved it. */
  readonly at: number;
}

/** By its hash, or the id of the repair that paid it. */
export type RoundMoney = ReadonlyMap<string, StandingMoney>;

/** Of an unanswered debit that nobody wrote the mark alone is recorded: it took nothing (D7). */
function isTaken({ outcome, purse }: DebitRecord): boolean {
  return outcome === 'accepted' || (outcome === 'unanswered' && !isEmptyPurse(purse));
}

/** What a round has moved so far and not taken back (D5.2, D5.3, D11.4), by its records alone. */
export function moneyOf({ head, entries }: Pick<RoundReport, 'head' | 'entries'>): RoundMoney {
  const money = new Map<string, StandingMoney>();
  if (head.state === 'voided') return money;
  for (const [hash, { transaction: one, void: voided }] of entries) {
    if (one?.type === 'debit' && isTaken(one) && voided === undefined) {
      const { currency, purse, at } = one;
      money.set(`debit ${hash}`, { type: 'take', currency, purse, at });
    }
    if (one?.type === 'credit' && one.outcome === 'accepted') {
      const { currency, purse, at } = one;
      money.set(`credit ${hash}`, { type: 'give', currency, purse, at });
    }
  }
  for (const { id, kind, status, currency, purse, decidedAt } of head.repairs?.list ?? []) {
    if (kind !== 'pay' || status !== 'done' || currency === null || decidedAt === null) continue;
    money.set(`repair ${id}`, { type: 'give', currency, purse, at: decidedAt });
  }
  return money;
}

/** What a commit did to a round: what it took back, and what it moved. */
export function changeOf(before: RoundMoney, after: RoundMoney) {
  return { back: missingIn(after, before), moved: missingIn(before, after) };
}

function missingIn(some: RoundMoney, others: RoundMoney): StandingMoney[] {
  return [...others].flatMap(([name, money]) => (some.has(name) ? [] : [money]));
}
