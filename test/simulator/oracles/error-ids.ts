/** The ids of errors that a call without a fault of its own can get (D8). */
export const ids = {
  roundNotActive: 13,
  discount: 33,
  tooLow: 9001,
  otherCurrency: 9002,
  voided: 9003,
  failedBefore: 9004,
  refused: 9006,
};

/** Refusals of a first debit by the wallet (D4.2). */
export const declines: readonly number[] = [ids.tooLow, ids.refused];
