// Lets `node --require ./bench/register.cjs file.ts` run TypeScript, by the compiler that the tests use.
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  });
  // oxlint-disable-next-line no-underscore-dangle
  module._compile(code, filename);
};
