import type { ContractWallet, StoreSuiteOptions } from '../../subject/players';
import { defineWalletSuite, type Rules } from '../suite';
import { filterRules } from './filters';
import { contentRules } from './content';
import { notedRules } from './noted';
import { pagingRules } from './paging';

/** Options of {@link actsContract}. */
export type ActsContractOptions = StoreSuiteOptions;

const rules: Rules<ContractWallet> = {
  'what is listed': contentRules,
  'which acts': filterRules,
  'page by page': pagingRules,
  'what is noted': notedRules,
};

/**
 * Defines the cases of the list of what people did (`acts`), which a store may leave out as a whole. Where the money is
 * elsewhere it has repairs alone.
 */
export function actsContract(options: ActsContractOptions): void {
  defineWalletSuite(options, 'a store that lists what people did', rules);
}
