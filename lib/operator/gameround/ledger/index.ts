export {
  finishedChange,
  holdsDebit,
  intentOf,
  type LedgerPlan,
  ledgerPlanOf,
  outOfRange,
  type PostPlan,
  type VoidPlan,
} from './plan';
export {
  givenUpFor,
  neededForReversals,
  reversalsOf,
  voidedChange,
  withReversed,
} from './voids';
