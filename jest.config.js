const subpaths = require('./build/subpaths.json');
const { testSeed } = require('./test/support/test-seed.js');

const seed = String(testSeed(__dirname));
if (process.env.TEST_SEED === 'random')
  process.stdout.write(`TEST_SEED=${seed} plays the same cases again\n`);
// The processes of the tests have it from here.
process.env.TEST_SEED = seed;

// The tests come in tiers, by the name of the file: `*.test.ts` starts no process and no server, `*.servers.test.ts`
// proves the package with real ones, `*.slow.test.ts` kills them, and `*.soak.test.ts` plays thousands of histories.
const common = {
  testEnvironment: '<rootDir>/test/support/openapi/environment.js',
  globalSetup: '<rootDir>/test/support/openapi/global-setup.ts',
  setupFiles: [
    '<rootDir>/test/support/running-test.js',
    '<rootDir>/test/support/openapi/watched.js',
  ],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  // What the examples in TypeScript import, as `paths` of tsconfig.json has it.
  moduleNameMapper: {
    ...Object.fromEntries(
      Object.entries(subpaths).map(([subpath, file]) => [
        `^rgs-wallet-kit${subpath.slice(1)}$`,
        `<rootDir>/${file}`,
      ]),
    ),
    '^fast-check$': '<rootDir>/test/support/fast-check.js',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  // A global that is no argument of a module is looked up through a Proxy.
  sandboxInjectedGlobals: [
    'Array',
    'BigInt',
    'Error',
    'JSON',
    'Map',
    'Math',
    'Number',
    'Object',
    'Reflect',
    'RegExp',
    'Set',
    'String',
    'Symbol',
    'TypeError',
    'Uint8Array',
    'WeakMap',
  ],
};
const servers = { ...common, globalSetup: '<rootDir>/test/servers/global-setup.ts' };

/** @type {import('jest').Config} */
module.exports = {
  // Many tests wait for servers: two would leave a processor idle.
  maxWorkers: 3,
  reporters: ['default', '<rootDir>/test/support/openapi/reporter.js'],
  // For what hangs, so that it is named: as long as the whole check may take, and no slow machine reaches it. It holds
  // for all projects of a run.
  testTimeout: process.argv.includes('soak') ? 4 * 3_600_000 : 20 * 60_000,
  projects: [
    {
      ...common,
      displayName: 'fast',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(?:servers|slow|soak)\\.test\\.ts$', '/test/together/'],
    },
    {
      ...common,
      displayName: 'together',
      // The same tests, many files in one suite: what they import is loaded once.
      testMatch: ['<rootDir>/test/together/*.test.ts'],
    },
    { ...servers, displayName: 'servers', testMatch: ['<rootDir>/test/**/*.servers.test.ts'] },
    { ...servers, displayName: 'slow', testMatch: ['<rootDir>/test/**/*.slow.test.ts'] },
    {
      ...servers,
      displayName: 'soak',
      // What has `many` in its name plays a few of its cases in the other tiers, and all of them here.
      testMatch: ['<rootDir>/test/**/*.soak.test.ts', '<rootDir>/test/**/*.many*.test.ts'],
      testTimeout: 4 * 3_600_000,
      setupFiles: [...common.setupFiles, '<rootDir>/test/support/all-runs.js'],
    },
  ],
};
