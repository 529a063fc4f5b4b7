const subpaths = require('./build/subpaths.json');

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
  moduleNameMapper: Object.fromEntries(
    Object.entries(subpaths).map(([subpath, file]) => [
      `^rgs-wallet-kit${subpath.slice(1)}$`,
      `<rootDir>/${file}`,
    ]),
  ),
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  globalSetup: '<rootDir>/test/servers/global-setup.ts',
  maxWorkers: 2,
  testTimeout: 30_000,
};
