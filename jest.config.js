const subpaths = require('./build/subpaths.json');
const { testSeed } = require('./test/support/test-seed.js');

// The processes of the tests have it from here.
process.env.TEST_SEED = String(testSeed(__dirname));

// The tests come in tiers, by the name of the file: `*.test.ts` starts no process and no server, `*.servers.test.ts`
// proves the package with real ones, and `*.slow.test.ts` kills them, or plays thousands of histories.
const common = {
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/test/support/running-test.js'],
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
// Fast tests with properties: they play a twentieth of the cases there (test/support/runs.ts), and all of them as slow tests.
const properties = [
  'cli/archive/crashes',
  'operator/operations/repairs/properties',
  'operator/gameround/properties',
  'operator/http/fuzz',
  'operator/operations/markup',
  'operator/stores/postgres/account-guard',
  'operator/stores/postgres/player-gate',
  'operator/telemetry/hostile-labels',
  'proof/certify/histories/generate',
  'proof/certify/histories/shrink',
  'proof/differential/deaths',
  'proof/differential/odd',
  'proof/contracts/memory',
  'protocol/authentication/recent-keys',
  'protocol/json/parse',
  'protocol/signature/mac',
  'protocol/signature/timestamp',
  'rgs/bad-input/engine',
  'rgs/client/any-reply',
  'rgs/engine-http/forged',
  'rgs/journal/crashes',
  'rgs/rounds/model',
  'rgs/sandbox/books/books',
  'rgs/settlement/invariants',
];
// What the fast tests prove behind three mounts: the slow tests prove it behind all.
const manyMounts = [
  'operator/http/authenticate',
  'operator/http/body',
  'operator/http/get-balance',
  'operator/http/hostile',
  'operator/http/replies',
];
// What `npm test` proves in one place, and plays a few random histories of: the slow tests prove it in all, and play all.
const manyPlaces = [
  'cli/money-functions.servers',
  'proof/certify/histories/random-histories.servers',
  'proof/certify/own-wallet.servers',
  'proof/certify/planted.servers',
  'proof/contracts/history-redis.servers',
  'proof/contracts/ledger-stores.servers',
  'proof/contracts/own-tables.servers',
  'proof/contracts/postgres.servers',
  'proof/contracts/redis.servers',
  'proof/reference/repairs/stores.servers',
  'servers/in-process/model.servers',
];
const servers = { ...common, globalSetup: '<rootDir>/test/servers/global-setup.ts' };

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 2,
  // For what hangs: no slow machine may reach it.
  testTimeout: 4 * 3_600_000,
  projects: [
    {
      ...common,
      displayName: 'fast',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(?:servers|slow)\\.test\\.ts$', '/test/together/'],
    },
    {
      ...common,
      displayName: 'together',
      // The same tests, many files in one suite: what they import is loaded once.
      testMatch: ['<rootDir>/test/together/*.test.ts'],
    },
    { ...servers, displayName: 'servers', testMatch: ['<rootDir>/test/**/*.servers.test.ts'] },
    {
      ...servers,
      displayName: 'slow',
      // What plays histories plays more of them here.
      testMatch: [
        '<rootDir>/test/**/*.slow.test.ts',
        '<rootDir>/test/proof/reference/*.test.ts',
        '<rootDir>/test/proof/histories/histories.servers.test.ts',
        ...[...properties, ...manyMounts, ...manyPlaces].map(
          (name) => `<rootDir>/test/${name}.test.ts`,
        ),
      ],
      setupFiles: [
        ...common.setupFiles,
        '<rootDir>/test/proof/many-histories.js',
        '<rootDir>/test/support/all-runs.js',
      ],
    },
  ],
};
