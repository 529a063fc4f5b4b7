export {
  defaultDecimals,
  formatAmount,
  isAmountText,
  isZero,
  maxDecimals,
  maxUnits,
  parseAmount,
  shortestForm,
} from './amount';
export { type AmountInput, type Units, unitsOf } from './amount-input';
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
