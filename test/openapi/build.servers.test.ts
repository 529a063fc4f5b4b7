import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from '@jest/globals';

import { createDocuments } from '../../build/openapi/documents';
import { documentNames } from '../../lib/platform/http/documents';
import { runCli } from '../cli/cli';
import { blockOf } from '../docs/blocks';

const run = promisify(execFile);
const root = join(__dirname, '../..');

test('the schemas of events and views are what their types say', async () => {
  const { stderr } = await run(process.execPath, ['build/openapi/view-schemas.mjs', '--check'], {
    cwd: root,
  });
  expect(stderr).toBe('');
});

test('every API is valid OpenAPI 3.1, and the schema of the events says which version it is', async () => {
  const script = `import { Validator } from '@seriousme/openapi-schema-validator';
    import { readFileSync } from 'node:fs';
    for (const name of process.argv.slice(1)) {
      const { valid } = await new Validator().validate(JSON.parse(readFileSync('openapi/' + name + '.json', 'utf8')));
      console.log(name, valid);
    }`;
  const { events, ...apis } = createDocuments();
  const names = Object.keys(apis);
  const args = ['--input-type=module', '-e', script, ...names];
  const { stdout } = await run(process.execPath, args, { cwd: root });
  expect(stdout).toBe(names.map((name) => `${name} true\n`).join(''));
  expect(events).toMatchObject({ $id: 'https://rgs-wallet-kit/openapi/events-1.json' });
});

test.each(documentNames)(
  'rgs-wallet openapi %s prints the document of the package',
  async (name) => {
    const { code, stdout } = await runCli(['openapi', name]);
    expect([code, stdout]).toEqual([
      0,
      readFileSync(join(root, 'openapi', `${name}.json`), 'utf8'),
    ]);
  },
);

test('the commands of docs/openapi.md print documents', async () => {
  const { code: block } = blockOf('docs/openapi.md', 'openapi');
  for (const line of block.trim().split('\n')) {
    const { code, stdout } = await runCli(line.split(' ').slice(1));
    expect([code, typeof JSON.parse(stdout)]).toEqual([0, 'object']);
  }
});

test.each([['nothing'], ['../package']])(
  'rgs-wallet openapi %s names the documents',
  async (name) => {
    const { code, stderr } = await runCli(['openapi', name]);
    expect(code).toBe(2);
    expect(stderr).toContain(documentNames.join(', '));
  },
);
