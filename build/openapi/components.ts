import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** JSON, as a schema or a part of a document. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** A reference inside a document. */
export type Reference = Readonly<Record<'$ref', string>>;

/** Files of which the definitions alone are named: none has another's name. */
const shared = /^(?:views\/.*|events\/.*|.*\/(?:types|reply-types|wallet|provider))$/;

/** What a schema in a document does not have: its file does. */
const ofFile = new Set(['$schema', '$id', 'definitions']);

/** Keywords of JSON Schema that hold values, and not schemas. */
const values = new Set(['enum', 'const', 'required', 'default', 'examples', 'pattern', 'type']);

/**
 * The schemas of one document, taken from schemas/ as they are used: from draft 7 to 2020-12, each under a name, with references that
 * stay inside the document. A place is a file below schemas/, such as `engine-api/add-win`, or a definition of one, such as
 * `engine-api/types#token`.
 */
export class Components {
  readonly schemas: Record<string, Json> = {};
  readonly #places = new Map<string, string>();

  /** A reference to the schema at a place. @throws Error if another one has its name. */
  ref(place: string): Reference {
    const { allOf, properties } = schemaAt(place);
    const [only, ...others] = (allOf ?? []) as readonly JsonObject[];
    const target = only?.['$ref'];
    if (typeof target === 'string' && others.length === 0 && properties === undefined) {
      return this.ref(targetOf(fileOf(place), target));
    }
    const name = nameOf(place);
    const known = this.#places.get(name);
    if (known === undefined) {
      this.#places.set(name, place);
      this.schemas[name] = {};
      this.schemas[name] = this.convert(fileOf(place), schemaAt(place));
    } else if (
      known !== place &&
      JSON.stringify(schemaAt(known)) !== JSON.stringify(schemaAt(place))
    ) {
      throw new Error(`${place} and ${known} have one name and are not the same`);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The parameters of a query, from the properties of the schema at a place. */
  parameters(place: string): JsonObject[] {
    const schema = schemaAt(place);
    const required = (schema['required'] ?? []) as readonly string[];
    return Object.entries(schema['properties'] as JsonObject).map(([name, property]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema: this.convert(fileOf(place), property ?? {}),
    }));
  }

  private convert(file: string, schema: Json): Json {
    if (Array.isArray(schema)) return schema.map((item: Json) => this.convert(file, item));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { title, description = title, ...rest } = schema as JsonObject;
    const converted: Record<string, Json> = description === undefined ? {} : { description };
    for (const [keyword, value = null] of Object.entries(rest)) {
      if (ofFile.has(keyword)) continue;
      if (keyword === '$ref') Object.assign(converted, this.ref(targetOf(file, value as string)));
      else if (keyword === 'properties')
        converted[keyword] = this.convertEach(file, value as JsonObject);
      else converted[keyword] = values.has(keyword) ? value : this.convert(file, value);
    }
    return converted;
  }

  private convertEach(file: string, schemas: JsonObject): JsonObject {
    const entries = Object.entries(schemas);
    return Object.fromEntries(entries.map(([name, one = {}]) => [name, this.convert(file, one)]));
  }
}

const files = new Map<string, JsonObject>();

function schemaAt(place: string): JsonObject {
  const [file = '', definition] = place.split('#');
  let schema = files.get(file);
  if (schema === undefined) {
    const path = join(__dirname, '../../schemas', `${file}.json`);
    schema = JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
    files.set(file, schema);
  }
  const found =
    definition === undefined ? schema : (schema['definitions'] as JsonObject)[definition];
  if (found === undefined) throw new Error(`there is no schema ${place}`);
  return found as JsonObject;
}

function fileOf(place: string): string {
  return place.split('#')[0] ?? '';
}

/** The place that a reference in a file names. */
function targetOf(file: string, reference: string): string {
  const [other = '', pointer = ''] = reference.split('#');
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  const target = other === '' ? file : folder + other.replace(/\.json$/, '');
  const definition = pointer.replace(/^\/definitions\//, '');
  return definition === '' ? target : `${target}#${definition}`;
}

function nameOf(place: string): string {
  const [file = '', definition = ''] = place.split('#');
  const base = shared.test(file) && definition !== '' ? '' : file.slice(file.lastIndexOf('/') + 1);
  return [base, ...definition.split(/[<>]/)].map(capitalized).join('');
}

function capitalized(text: string): string {
  return text.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
