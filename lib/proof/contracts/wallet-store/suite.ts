import type { ContractWallet, StoreSuiteOptions } from '../../subject/players';
import { defineWalletSuite, type Rules } from '../suite';
import { alikeRules, bonusAlikeRules } from '../follow-up/alike';
import { hasFollowRules, hasNoFollowRules } from '../follow-up/case';
import { knownRules } from '../follow-up/known';
import { classRules } from '../follow-up/of-class';
import { refusedRules } from '../follow-up/refused';
import { guardRules, unsaidRules } from './guard';
import { identifierRules } from './identifiers';
import { attentionRules, retentionRules } from './keeping';
import { bonusRangeRules, rangeRules } from './range';
import { recordRules } from './records';
import { refusalRules } from './refusals';
import { realOnlyRules, splitRules, splitTableRules } from './split';
import { staleRules } from './stale';
import { splitVoidOrderRules, voidOrderRules } from './void-order';
import { voidRules } from './voids';

/** Options of {@link walletStoreContract}. */
export interface WalletStoreContractOptions extends StoreSuiteOptions {
  /** Whether players may have bonus money besides real money; true unless set. */
  readonly hasBonus?: boolean;
  /** Whether the store has the optional method `follow`; false unless set. */
  readonly follows?: boolean;
}

const rules: Rules<ContractWallet> = {
  'the guard of a commit': guardRules,
  'what a stale commit brings along': staleRules,
  refusals: refusalRules,
  'debits that do not say whether they are the first': unsaidRules,
  voids: voidRules,
  'voids before and after a call': voidOrderRules,
  records: recordRules,
  identifiers: identifierRules,
  'the range of amounts': rangeRules,
  attention: attentionRules,
  retention: retentionRules,
  'who pays': realOnlyRules,
};

const bonusRules: Rules<ContractWallet> = {
  'real and bonus money': splitRules,
  'real and bonus money, who pays': splitTableRules,
  'real and bonus money, the range of amounts': bonusRangeRules,
  'real and bonus money, voided before and after a call': splitVoidOrderRules,
};

const followRules: Rules<ContractWallet> = {
  'follow-up calls': hasFollowRules,
  'follow-up calls do what commits do': alikeRules,
  'follow-up calls and what the round is': classRules,
  'follow-up calls and what the round knows': knownRules,
  'follow-up calls and what the account refuses': refusedRules,
};

const bonusFollowRules: Rules<ContractWallet> = {
  'follow-up calls, real and bonus money': bonusAlikeRules,
};

/**
 * Defines the cases that every `WalletStore` must pass, whether it keeps the money itself or moves it in a
 * ledger; none can be left out. A case takes up to some seconds. Others may use the store at the same
 * time: each case uses its own operator id, and leaves its rounds in the store. Stores that keep the money must
 * also pass `accountStoreContract`.
 */
export function walletStoreContract(options: WalletStoreContractOptions): void {
  const { hasBonus = true, follows = false } = options;
  const all = {
    ...rules,
    ...(hasBonus ? bonusRules : {}),
    ...(follows ? followRules : { 'follow-up calls': hasNoFollowRules }),
    ...(follows && hasBonus ? bonusFollowRules : {}),
  };
  defineWalletSuite(options, 'a wallet store', all);
}
