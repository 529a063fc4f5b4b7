import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv';
import { tellKnownNames } from './known-names';

const names = [
  'assign-free-rounds',
  'client-options',
  'credentials',
  'do-transactions',
  'free-play-package',
  'game-configuration',
  'game-list',
  'operator-options',
  'players',
  'statistics',
  'statistics-request',
] as const;

/** The schemas of the kit, each a file of schemas/. */
export type SchemaName = (typeof names)[number];

/**
 * What is wrong with a value: where, as a JSON pointer, and which rule of the schema. A name that the
 * schema does not know is not repeated; its place is that of the object which holds it.
 */
export interface Fault {
  readonly pointer: string;
  readonly problem: string;
}

const ajv = new Ajv({ strict: true, strictTypes: false, allErrors: false, verbose: true });
for (const name of names) ajv.addSchema(readSchema(name), name);
const validators = new Map<SchemaName, ValidateFunction>();

/**
 * What is wrong with a value, by the first thing found: where, and which rule of the schema.
 * Null where nothing is. Never repeats the value.
 */
export function findFault(name: SchemaName, value: unknown): string | null {
  const fault = locateFault(name, value);
  if (fault === null) return null;
  const { pointer, problem } = fault;
  return `${pointer === '' ? 'it' : pointer.slice(1)} ${problem}`;
}

/** The same as {@link findFault}, the place and the rule apart. */
export function locateFault(name: SchemaName, value: unknown): Fault | null {
  const validate = validatorOf(name);
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  return error === undefined ? { pointer: '', problem: 'is not valid' } : describe(error);
}

/** Compiled when it is first asked for. */
function validatorOf(name: SchemaName): ValidateFunction {
  const known = validators.get(name);
  if (known !== undefined) return known;
  const validate = ajv.getSchema(name) as ValidateFunction;
  validators.set(name, validate);
  return validate;
}

function describe(error: ErrorObject): Fault {
  const { instancePath, keyword, message, params } = error;
  if (keyword === 'required') {
    return { pointer: `${instancePath}/${params['missingProperty']}`, problem: 'is missing' };
  }
  if (keyword === 'additionalProperties') {
    const known = Object.keys(error.parentSchema?.['properties'] ?? {});
    const help = tellKnownNames('the names', [String(params['additionalProperty'])], known);
    return { pointer: instancePath, problem: `holds an unknown name; ${help}` };
  }
  return { pointer: instancePath, problem: message ?? 'is not valid' };
}

function readSchema(name: SchemaName): object {
  return JSON.parse(readFileSync(join(__dirname, '../../../schemas', `${name}.json`), 'utf8'));
}
