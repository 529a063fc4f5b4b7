/** The seed of all random cases of this run (test-seed.js). */
export const testSeed = Number(process.env['TEST_SEED']);

/** So many seeds for what is played once for each, beginning with that of this run. */
export function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, at) => (testSeed + at) % 2 ** 31);
}
