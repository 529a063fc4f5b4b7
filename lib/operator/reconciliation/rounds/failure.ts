/** The comparison cannot be made: one line that says why. */
export class ReconciliationFailure extends Error {
  override readonly name = 'ReconciliationFailure';
}
