// fast-check with the seed of the run (test-seed.js): what is imported as `fast-check` in tests.
const fastCheck = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

fastCheck.configureGlobal({ seed: Number(process.env.TEST_SEED) });

module.exports = fastCheck;
