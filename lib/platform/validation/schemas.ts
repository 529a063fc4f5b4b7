import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { listKnownNames } from './known-names';

/**
 * What is wrong with a value: where, as a JSON pointer, and which rule of the schema. An unknown name is
 * not repeated; its place is that of the object that holds it.
 */
export interface Fault {
  readonly pointer: string;
  readonly problem: string;
}

/** The checks against the schemas of one list. */
export interface Schemas<Name extends string> {
  /**
   * The first fault of a value: where, and which rule of the schema; null if there is none. Never repeats
   * the value.
   */
  readonly findFault: (name: Name, value: unknown) => string | null;
  /** The same as `findFault`, with place and rule separate. */
  readonly locateFault: (name: Name, value: unknown) => Fault | null;
  /** Compiles a schema now, so that its first check is as fast as the others. */
  readonly prepare: (name: Name) => void;
}

/**
 * The schemas of a folder below schemas/, each a file with the given name. A schema may refer only to
 * others of the same list. Files are read, and Ajv is loaded, when the first schema is compiled, not when
 * this module is loaded.
 */
export function schemasOf<Name extends string>(
  folder: string,
  names: readonly Name[],
): Schemas<Name> {
  const validators = new Map<Name, ValidateFunction>();

  const compile = (name: Name): ValidateFunction => {
    const validate = ajvWith(folder, names).getSchema(`${folder}/${name}`);
    if (validate === undefined) throw new TypeError(`${name} is not in the list of ${folder}`);
    validators.set(name, validate);
    return validate;
  };

  const locateFault = (name: Name, value: unknown): Fault | null => {
    const validate = validators.get(name) ?? compile(name);
    if (validate(value)) return null;
    const [error] = validate.errors ?? [];
    return error === undefined ? { pointer: '', problem: 'is not valid' } : describe(error);
  };

  const findFault = (name: Name, value: unknown): string | null => {
    const fault = locateFault(name, value);
    if (fault === null) return null;
    const { pointer, problem } = fault;
    return `${pointer === '' ? 'it' : pointer.slice(1)} ${problem}`;
  };

  return Object.freeze({ findFault, locateFault, prepare: (name: Name) => void compile(name) });
}

/** Shared by all lists: creating another takes longer than compiling a schema. */
let sharedAjv: Ajv | null = null;
const added = new Set<string>();

function ajvWith(folder: string, names: readonly string[]): Ajv {
  sharedAjv ??= createAjv();
  for (const name of names) {
    const key = `${folder}/${name}`;
    if (added.has(key)) continue;
    sharedAjv.addSchema(readSchema(folder, name), key);
    added.add(key);
  }
  return sharedAjv;
}

function createAjv(): Ajv {
  const { Ajv: LoadedAjv } = require('ajv') as typeof import('ajv');
  return new LoadedAjv({ strict: true, strictTypes: false, allErrors: false, verbose: true });
}

function describe(error: ErrorObject): Fault {
  const { instancePath, keyword, message, params } = error;
  if (keyword === 'required') {
    return { pointer: `${instancePath}/${params['missingProperty']}`, problem: 'is missing' };
  }
  if (keyword === 'additionalProperties') {
    const known = Object.keys(error.parentSchema?.['properties'] ?? {});
    const help = listKnownNames('the names', [String(params['additionalProperty'])], known);
    return { pointer: instancePath, problem: `holds an unknown name; ${help}` };
  }
  return { pointer: instancePath, problem: message ?? 'is not valid' };
}

function readSchema(folder: string, name: string): object {
  const path = join(__dirname, '../../../schemas', folder, `${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as object;
}
