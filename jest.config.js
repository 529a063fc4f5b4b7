const subpaths = require('./build/subpaths.json');

// The tests come in tiers, by the name of the file: `*.test.ts` starts no process and no server, `*.servers.test.ts`
// proves the package with real ones, and `*.slow.test.ts` kills them, or plays thousands of histories.
const common = {
  testEnvironment: 'node',
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
  moduleNameMapper: Object.fromEntries(
    Object.entries(subpaths).map(([subpath, file]) => [
      `^rgs-wallet-kit${subpath.slice(1)}$`,
      `<rootDir>/${file}`,
    ]),
  ),
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};
const servers = { ...common, globalSetup: '<rootDir>/test/servers/global-setup.ts' };

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 2,
  // For what hangs: no slow machine may reach it.
  testTimeout: 600_000,
  projects: [
    {
      ...common,
      displayName: 'fast',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['\\.(?:servers|slow)\\.test\\.ts$'],
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
      ],
      setupFiles: ['<rootDir>/test/proof/many-histories.js'],
    },
  ],
};
