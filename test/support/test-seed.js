const { execFileSync } = require('node:child_process');
const { randomInt } = require('node:crypto');

/**
 * The seed of all random cases of a test run, from 0 to 2^31 - 1. Unless TEST_SEED says otherwise, it comes from the
 * commit's tree of lib: each change plays cases of its own, and a run that failed fails again at the same commit.
 * TEST_SEED=random draws a new one.
 */
function testSeed(root) {
  const { TEST_SEED } = process.env;
  if (TEST_SEED === 'random') return randomInt(2 ** 31);
  if (TEST_SEED !== undefined) return wholeOf(TEST_SEED);
  try {
    const tree = execFileSync('git', ['rev-parse', 'HEAD:lib'], { cwd: root, stdio: 'pipe' });
    return Number.parseInt(tree.toString().slice(0, 8), 16) >>> 1;
  } catch {
    return 1; // a copy without its repository
  }
}

function wholeOf(text) {
  if (!/^\d{1,10}$/.test(text) || Number(text) >= 2 ** 31) {
    throw new Error(`TEST_SEED is "${text}": give a whole number below 2147483648, or "random".`);
  }
  return Number(text);
}

module.exports = { testSeed };
