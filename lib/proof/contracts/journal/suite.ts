import type { ContractRunner } from '../../subject/runner';
import { closingRules, durabilityRules, orderRules, rejectionRules } from './appends';
import { type ContractJournal, type JournalCase, JournalPlace } from './case';
import { contentRules, snapshotRules } from './snapshots';

/** Options of {@link journalContract}. */
export interface JournalContractOptions {
  /** `{ describe, it, afterAll }` of jest or vitest, `{ describe, it, afterAll: after }` of node:test. */
  readonly runner: ContractRunner;
  /** Creates the place of a journal in which nothing is kept yet; called for each case. */
  readonly createJournal: () => ContractJournal | Promise<ContractJournal>;
}

const rules: Readonly<Record<string, (it: JournalCase) => void>> = {
  order: orderRules,
  durability: durabilityRules,
  'rejected appends': rejectionRules,
  snapshots: snapshotRules,
  closing: closingRules,
  contents: contentRules,
};

/**
 * Defines the cases that every `Journal` must pass before a remote game server rests on it (B4); none can
 * be left out. No case sleeps, and none needs the journal of another.
 */
export function journalContract({ runner, createJournal }: JournalContractOptions): void {
  const it: JournalCase = (name, run) => {
    runner.it(name, async () => {
      const place = new JournalPlace(await createJournal());
      try {
        await run(place);
      } finally {
        await place.close();
      }
    });
  };
  runner.describe('a journal', () => {
    for (const [name, define] of Object.entries(rules)) runner.describe(name, () => define(it));
  });
}
