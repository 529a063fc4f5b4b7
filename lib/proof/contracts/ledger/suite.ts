import type { ContractRunner } from '../../subject/runner';
import { defineSuite, type Rules } from '../suite';
import { type ContractLedger, RetryingLedger } from './case';
import { concurrencyRules, keyRules } from './keys';
import { accountRules, bonusRules, identityRules, bonusSplitRules, realSplitRules } from './money';
import { postedRules } from './posted';
import { randomRules } from './random';
import { reversalRules } from './reversals';

/** Options of {@link ledgerContract}. */
export interface LedgerContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /**
   * Creates the ledger, and the platform's services that open, fund and block its players. It may hold
   * other players: every case uses its own operator ids.
   */
  readonly createLedger: () => ContractLedger | Promise<ContractLedger>;
  /** Whether players may have bonus money besides real money; true unless set. */
  readonly hasBonus?: boolean;
  /** Seed of the first random sequence; random unless set. A failure prints its own. */
  readonly seed?: number;
}

const rules: Rules<RetryingLedger> = {
  keys: keyRules,
  'several at once': concurrencyRules,
  reversals: reversalRules,
  accounts: accountRules,
  'identifiers and amounts': identityRules,
  'who pays': realSplitRules,
  'what was posted': postedRules,
};

const withBonus: Rules<RetryingLedger> = {
  'real and bonus money': bonusRules,
  'real and bonus money, who pays': bonusSplitRules,
};

/**
 * Defines the cases that every `Ledger` must pass before money moves through it; none can be left out. The
 * name of each says what breaks otherwise. A posting that throws is retried for 15 seconds, as the kit
 * does. The cases of the optional `postedRounds` hold for a ledger without it. Amounts are units, up to 2^53-1.
 */
export function ledgerContract(options: LedgerContractOptions): void {
  const { runner, createLedger, hasBonus = true, seed } = options;
  const closers: (() => unknown)[] = [];
  const all = {
    ...rules,
    ...(hasBonus ? withBonus : {}),
    'random sequences': randomRules(hasBonus, seed),
  };
  defineSuite(runner, 'a ledger', all, {
    make: async () => {
      const made = await createLedger();
      closers.push(async () => made.close?.());
      return new RetryingLedger(made.ledger, made.players);
    },
    close: async () => {
      for (const close of closers.splice(0)) await close();
    },
  });
}
