/** Whether a discount of so many units is one that the operator grants. */
export function isEligible(units: number): boolean {
  return units % 2 === 0;
}
