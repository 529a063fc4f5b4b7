import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';

import { schemasOf } from '../../../lib/platform/validation';
import { messageSchemas } from '../../../lib/protocol/operator-api/schemas';
import { filesBelow, textOf } from '../../tidy/source';

const files = filesBelow('schemas', ['.json']);
const folders = [...new Set(files.map((path) => path.split('/')[1] ?? ''))];
/** Of what the package answers and writes: only the documents of openapi/ are made from them. */
const describing = ['events', 'views'];

/** Whether a file only defines what other documents refer to. */
function onlyDefines(path: string): boolean {
  const rules = Object.keys(JSON.parse(textOf(path)) as object);
  return rules.every((name) => ['$schema', '$id', 'title', 'definitions'].includes(name));
}

/** The names of a folder's schemas. */
function namesOf(folder: string): string[] {
  return files
    .filter((path) => path.startsWith(`schemas/${folder}/`))
    .map((path) => path.replace(/^.*\/|\.json$/g, ''));
}

describe('the schema files', () => {
  test('are those of messages, options, events, pages, and of what a certification found', () => {
    const checking = ['certification', 'engine-api', 'operator-api', 'options'];
    expect(folders.toSorted()).toEqual([...checking, ...describing].toSorted());
  });

  test.each(files)('%s names its own place, and compiles', (path) => {
    const [, folder = '', file = ''] = path.split('/');
    expect(JSON.parse(textOf(path))).toMatchObject({ $id: `https://rgs-wallet-kit/${path}` });
    const name = file.replace(/\.json$/, '');
    const fault = schemasOf(folder, namesOf(folder)).findFault(name, 'no such thing');
    expect(fault ?? '').toMatch(onlyDefines(path) ? /^$/ : /^it must/);
  });

  test('are schemas by the draft that they name', () => {
    const options = { strict: true, strictTypes: false };
    const [draft7, draft2020] = [new Ajv(options), new Ajv2020(options)];
    const isRight = (path: string) => {
      const schema = JSON.parse(textOf(path)) as { $schema: string };
      const ajv = schema.$schema.includes('/draft/2020-12/') ? draft2020 : draft7;
      return ajv.validateSchema(schema);
    };
    expect(files.filter((path) => isRight(path) !== true)).toEqual([]);
  });

  test('are each named by a file of lib, and by none of platform', () => {
    const lib = filesBelow('lib', ['.ts']).map((path) => ({ path, text: textOf(path) }));
    const naming = (name: string) =>
      lib.filter(({ text }) => text.includes(`'${name}'`)).map(({ path }) => path);
    for (const folder of folders.filter((name) => !describing.includes(name))) {
      for (const name of namesOf(folder)) {
        expect([name, naming(name)]).not.toEqual([name, []]);
        expect(naming(name).filter((path) => path.startsWith('lib/platform/'))).toEqual([]);
      }
    }
  });
});

describe('schemasOf', () => {
  test('tells where a value is wrong and which rule says so, and never the value', () => {
    const value = { playerId: 'ann', gameCode: 'bells', gameRound: 'r-1', transactions: 'secret' };
    const fault = messageSchemas.findFault('do-transactions', { ...value, transactionCount: 1 });
    expect(fault).toBe('transactions must be array');
    expect(messageSchemas.locateFault('do-transactions', value)).toEqual({
      pointer: '/transactions',
      problem: 'must be array',
    });
  });

  test('finds a schema that another one of its list refers to', () => {
    const { findFault } = schemasOf('options', ['operator', 'credentials', 'errors']);
    expect(findFault('operator', { operators: [] })).toBe('operators must have at least 1 item');
    expect(findFault('operator', { operators: [{ operatorId: 'a', secrets: ['b'] }] })).toBeNull();
  });

  test('says how many items or characters a value must have at least, and at most', () => {
    const call = { gameCode: 'bells', gameRound: 'r-1', transactions: [{}], transactionCount: 1 };
    const faultOf = (playerId: string) =>
      messageSchemas.findFault('do-transactions', { ...call, playerId });
    expect(faultOf('')).toBe('playerId must have at least 1 character');
    expect(faultOf('a'.repeat(129))).toBe('playerId must have at most 128 characters');
    const secrets = schemasOf('options', ['operator', 'credentials', 'errors']);
    const fault = secrets.findFault('operator', { operators: [{ operatorId: 'a', secrets: [] }] });
    expect(fault).toBe('operators/0/secrets must have at least 1 item');
  });

  test('reads nothing until a value is checked', () => {
    const { findFault } = schemasOf('no-such-folder', ['no-such-schema']);
    expect(() => findFault('no-such-schema', {})).toThrow(/is missing/);
  });
});
