import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';

/** The schemas of the kit, each a file of schemas/. */
export type SchemaName = 'do-transactions' | 'operator-options' | 'credentials' | 'players';

const names: readonly SchemaName[] = [
  'credentials',
  'do-transactions',
  'operator-options',
  'players',
];

const ajv = new Ajv({ strict: true, strictTypes: false, allErrors: false });
for (const name of names) ajv.addSchema(readSchema(name), name);

/**
 * What is wrong with a value, by the first thing found: where, and which rule of the schema.
 * Null where nothing is. Never repeats the value.
 */
export function findFault(name: SchemaName, value: unknown): string | null {
  const validate = ajv.getSchema(name) as ValidateFunction;
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  return error === undefined ? 'is not valid' : describe(error);
}

function describe({ instancePath, keyword, message, params }: ErrorObject): string {
  const path = instancePath.slice(1);
  if (keyword === 'required') return `${joinPath(path, params['missingProperty'])} is missing`;
  if (keyword === 'additionalProperties') {
    return `${joinPath(path, params['additionalProperty'])} is not known`;
  }
  return `${path === '' ? 'it' : path} ${message ?? 'is not valid'}`;
}

function joinPath(path: string, name: unknown): string {
  return path === '' ? String(name) : `${path}/${String(name)}`;
}

function readSchema(name: SchemaName): object {
  return JSON.parse(readFileSync(join(__dirname, '../../schemas', `${name}.json`), 'utf8'));
}
