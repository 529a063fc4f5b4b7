import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { isMisspelt, listKnownNames } from './known-names';

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
 * @param repeatsNames Whether a fault repeats an unknown name: only where nobody would put a secret.
 */
export function schemasOf<Name extends string>(
  folder: string,
  names: readonly Name[],
  repeatsNames = false,
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
    return error === undefined
      ? { pointer: '', problem: 'is not valid' }
      : describe(error, repeatsNames);
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
  // That the package's own schemas are right is a matter of its tests, not of each start.
  const trusted = { meta: false, validateSchema: false };
  return new LoadedAjv({
    ...trusted,
    strict: true,
    strictTypes: false,
    allErrors: false,
    verbose: true,
  });
}

function describe(error: ErrorObject, repeatsNames: boolean): Fault {
  const { instancePath: pointer, keyword, message, params, parentSchema } = error;
  if (keyword === 'required') {
    const missing = String(params['missingProperty']);
    return { pointer: `${pointer}/${missing}`, problem: `is missing${misspelt(missing, error)}` };
  }
  if (keyword === 'additionalProperties') {
    const unknown = String(params['additionalProperty']);
    const help = listKnownNames(
      'the names',
      [unknown],
      Object.keys(parentSchema?.['properties'] ?? {}),
    );
    const name = repeatsNames ? ` ${JSON.stringify(unknown.slice(0, longestName))}` : '';
    return { pointer, problem: `holds an unknown name${name}; ${help}` };
  }
  if (keyword === 'enum') {
    const values = params['allowedValues'] as readonly unknown[];
    return { pointer, problem: `must be one of ${values.map(String).join(', ')}` };
  }
  const bound = bounds[keyword];
  if (bound !== undefined) {
    const limit = Number(params['limit']);
    return {
      pointer,
      problem: `must have ${bound[0]} ${limit} ${bound[1]}${limit === 1 ? '' : 's'}`,
    };
  }
  return { pointer, problem: message ?? 'is not valid' };
}

/** Ajv says "must NOT have fewer than 1 items". */
const bounds: Readonly<Record<string, readonly [string, string]>> = {
  minItems: ['at least', 'item'],
  maxItems: ['at most', 'item'],
  minLength: ['at least', 'character'],
  maxLength: ['at most', 'character'],
};

/** Characters of an unknown name that are repeated. */
const longestName = 40;

/** Whether there is another name that is close to the missing one. */
function misspelt(missing: string, { data, parentSchema }: ErrorObject): string {
  const known = Object.keys(parentSchema?.['properties'] ?? {});
  const given = Object.keys(data ?? {});
  const others = given.filter((name) => !known.includes(name));
  return isMisspelt(missing, others) ? `; a name like it is there: did you mean ${missing}?` : '';
}

function readSchema(folder: string, name: string): object {
  const { packed } = require('./packed') as typeof import('./packed');
  const text = packed.get(`${folder}/${name}.json`);
  if (text === undefined) throw new Error(`schemas/${folder}/${name}.json is missing`);
  return JSON.parse(text) as object;
}
