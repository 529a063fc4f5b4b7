/** The seed of all random cases of this run (test-seed.js). */
export const testSeed = Number(process.env['TEST_SEED']);
