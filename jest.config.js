/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
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
    '^rgs-wallet-kit$': '<rootDir>/lib/index.ts',
    '^rgs-wallet-kit/postgres$': '<rootDir>/lib/operator/stores/postgres/index.ts',
    '^rgs-wallet-kit/testing$': '<rootDir>/lib/proof/index.ts',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  globalSetup: '<rootDir>/test/servers/global-setup.ts',
  maxWorkers: 2,
  testTimeout: 30_000,
};
