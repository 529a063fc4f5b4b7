import type { ContractWallet, StoreSuiteOptions } from '../../subject/players';
import { defineWalletSuite, type Rules } from '../suite';
import { attentionRules } from './attention';
import { decisionRules } from './decisions';
import { repairListRules } from './list';
import { openRoundRules } from './open-rounds';
import { paymentRules } from './payments';

/** Options of {@link repairContract}. */
export interface RepairContractOptions extends StoreSuiteOptions {
  /** Whether the store lists open rounds (`openRounds`); true unless set. */
  readonly listsOpenRounds?: boolean;
}

/**
 * Defines the cases of what people do with rounds, which a store may leave out as a whole: what a listed
 * round says of itself, rounds without an end, repairs (D11), and the list of them.
 */
export function repairContract(options: RepairContractOptions): void {
  const { listsOpenRounds = true } = options;
  const rules: Rules<ContractWallet> = {
    'what a listed round says': attentionRules,
    'proposals and decisions': decisionRules,
    'wins paid by people': paymentRules,
    'all repairs of an operator': repairListRules,
    'rounds without an end': (it) => openRoundRules(it, listsOpenRounds),
  };
  defineWalletSuite(options, 'a store whose rounds a person repairs', rules);
}
