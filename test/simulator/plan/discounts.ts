/** Whether a discount of so many units is one that the operator grants. */
export function isEligible(units: bigint): boolean {
  return units % 2n === 0n;
}
