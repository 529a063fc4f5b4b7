export {
  type AmountInput,
  defaultDecimals,
  formatAmount,
  isZero,
  maxDecimals,
  maxUnits,
  parseAmount,
  shortestForm,
  unitsOf,
} from './amount';
export {
  addPurses,
  emptyPurse,
  isEmptyPurse,
  isInRange,
  type Purse,
  payFrom,
  splitByShares,
  subtractPurses,
} from './purse';
