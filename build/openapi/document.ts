import { version } from '../../package.json';
import { Components, type Json, type JsonObject } from './components';
import { curlOf, type Example, namedExamples } from './examples';

/** One call of an API; places are those of {@link Components}. */
export interface Operation {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** The schema of its query. */
  readonly query?: string;
  /** The schema of its JSON. */
  readonly body?: string;
  /** Of a form, in place of a body. */
  readonly form?: JsonObject;
  /** The schema of a 200; absent where the answer is a redirect. */
  readonly reply?: string | readonly string[];
  readonly isOpen?: true;
  /** The schema of a reply that is no 200, where it may be another one than that of the API. */
  readonly otherFailure?: string | readonly string[];
  readonly parameters?: readonly JsonObject[];
  readonly examples?: readonly Example[];
}

/** What the calls of an API share. */
export interface Api {
  readonly title: string;
  readonly description: string;
  /** Path and port of a server; the host is a variable. */
  readonly server: string;
  /** By name; every call that is not open has all of them. */
  readonly securitySchemes: JsonObject;
  /** The schema of a reply that is no 200. */
  readonly failure: string;
  /** Tables of what 4XX and 5XX mean. */
  readonly refused: string;
  readonly failed: string;
  readonly errors?: readonly JsonObject[];
  readonly operations: readonly Operation[];
  readonly webhooks?: (components: Components) => JsonObject;
}

/** The dialect of every schema. */
export const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** An API as a document of OpenAPI 3.1. */
export function documentOf(api: Api): JsonObject {
  const components = new Components();
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of api.operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: pathItem(api, operation, components) };
  }
  const { title, description, errors, securitySchemes, webhooks } = api;
  const license = { name: 'MIT', identifier: 'MIT' };
  return {
    openapi: '3.1.0',
    info: { title, version, license, description },
    jsonSchemaDialect: dialect,
    servers: [
      { url: `https://{host}${api.server}`, variables: { host: { default: 'rgs.invalid' } } },
    ],
    security: [securityOf(api)],
    paths,
    ...(webhooks === undefined ? {} : { webhooks: webhooks(components) }),
    components: {
      schemas: components.schemas,
      responses: {
        Refused: response(api.refused, components.ref(api.failure)),
        Failed: response(api.failed, components.ref(api.failure)),
      },
      securitySchemes,
    },
    ...(errors === undefined ? {} : { 'x-errors': errors }),
  };
}

function securityOf({ securitySchemes }: Api): JsonObject {
  return Object.fromEntries(Object.keys(securitySchemes).map((name) => [name, []]));
}

function pathItem(api: Api, operation: Operation, components: Components): JsonObject {
  const { name, method, path, summary, description, query, isOpen, examples = [] } = operation;
  const inQuery = query === undefined ? [] : components.parameters(query);
  const parameters = [...inQuery, ...(operation.parameters ?? [])];
  const requestBody = requestBodyOf(operation, components);
  const samples = curlOf(method, path, examples);
  return {
    operationId: name,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(isOpen === true ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === null ? {} : { requestBody }),
    responses: {
      ...success(operation, components),
      ...failures(api, operation, components),
    },
    ...(samples.length > 0 ? { 'x-codeSamples': samples } : {}),
  };
}

function requestBodyOf(
  { body, form, examples = [] }: Operation,
  components: Components,
): JsonObject | null {
  if (form !== undefined) {
    return { required: true, content: { 'application/x-www-form-urlencoded': { schema: form } } };
  }
  if (body === undefined) return null;
  const named = namedExamples(examples);
  const shown = Object.keys(named).length > 0 ? { examples: named } : {};
  return {
    required: true,
    content: { 'application/json': { schema: components.ref(body), ...shown } },
  };
}

function success({ reply }: Operation, components: Components): JsonObject {
  if (reply === undefined) {
    const location = { schema: { type: 'string' } };
    return { 303: { description: 'Done: see the Location.', headers: { Location: location } } };
  }
  const places = typeof reply === 'string' ? [reply] : reply;
  const schemas = places.map((place) => (place === 'missing' ? missing : components.ref(place)));
  const [only = {}] = schemas;
  return { 200: response('Done.', schemas.length === 1 ? only : { anyOf: schemas }) };
}

function failures(api: Api, { otherFailure }: Operation, components: Components): JsonObject {
  if (otherFailure === undefined) {
    return {
      '4XX': { $ref: '#/components/responses/Refused' },
      '5XX': { $ref: '#/components/responses/Failed' },
    };
  }
  const others = [otherFailure].flat().map((one) => components.ref(one));
  const schema = { anyOf: [components.ref(api.failure), ...others] };
  return { '4XX': response(api.refused, schema), '5XX': response(api.failed, schema) };
}

/** What is shown where the store has no such list. */
const missing: JsonObject = {
  type: 'object',
  required: ['missing'],
  properties: { missing: { const: true } },
};

function response(description: string, schema: JsonObject): JsonObject {
  return { description, content: { 'application/json': { schema } } };
}

/** A table in Markdown. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function line(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}
