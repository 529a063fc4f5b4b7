export {
  finishedChange,
  holdsDebit,
  intentOf,
  type LedgerPlan,
  ledgerPlanOf,
  type PostPlan,
  type VoidPlan,
} from './plan';
export { isTooLow, outOfRange } from './range';
export {
  givenUpFor,
  neededForReversals,
  reversalsOf,
  voidedChange,
  withReversed,
} from './voids';
