export { type AmountInput, signedUnitsOf, type Units, unitsOf } from './amount-input';
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
export { decimalOf, type ExactDecimal, timesDecimal, wholeOf } from './decimal';
export {
  addPurses,
  emptyPurse,
  isEmptyPurse,
  isInRange,
  splitDebit,
  type Purse,
  splitByShares,
  subtractPurses,
} from './purse';
