import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020';

import { createDocuments } from '../../build/openapi/documents';
import type { Operation } from '../../build/openapi/document';
import { operations, sandbox } from '../../build/openapi/own-apis';
import { engine, operatorCalls, provider, wallet } from '../../build/openapi/protocol-apis';
import vectors from '../../vectors/engine.json';
import { routes } from '../../lib/operator/operations/answers';
import { engineErrors } from '../../lib/protocol/engine-api/errors';
import { parseJson } from '../../lib/protocol/json/parse';
import { errorCatalogue } from '../../lib/protocol/operator-api/catalogue';
import {
  engineSignedFields,
  readEngineParameters,
  readEngineParts,
  readSignedParameters,
  readSignedParts,
  Secret,
  sign,
  signBody,
  signedFields,
  type SignedParts,
} from '../../lib/protocol/signature';

const documents = createDocuments();
const secret = new Secret('vector-secret-0123456789abcdef');
const fieldSigned = [...wallet.operations, ...operatorCalls.operations, ...provider.operations];

/** Every example of these calls. */
function examplesOf(calls: readonly Operation[]) {
  return calls.flatMap(({ name, examples = [] }) =>
    examples.map((example) => ({ name, ...example })),
  );
}

/** The signed parts of an example, by its operation's list. */
function partsOf(name: string, body: string | null, query: string | null, isProvider: boolean) {
  const parameters = new Map(new URLSearchParams(query ?? ''));
  if (isProvider) {
    const call = name as keyof typeof engineSignedFields;
    return body === null
      ? readEngineParameters(call, parameters)
      : readEngineParts(call, parseJson(body));
  }
  const operation = name as keyof typeof signedFields;
  return body === null
    ? readSignedParameters(operation, parameters)
    : readSignedParts(operation, parseJson(body));
}

describe('the examples', () => {
  test('of calls that sign fields have the signature of these fields (D1)', () => {
    const found = examplesOf(fieldSigned).map(({ name, headers, body, query }) => {
      const isProvider = headers['X-H-AUTH-ID'] === 'studio-1';
      const { parts }: SignedParts = partsOf(name, body, query, isProvider);
      const [id = '', time = ''] = [headers['X-H-AUTH-ID'], headers['X-H-TIMESTAMP']];
      return [headers['X-H-AUTH-SIG'], sign(secret, id, time, parts ?? [])];
    });
    expect(found.length).toBeGreaterThan(12);
    for (const [written, right] of found) expect(written).toBe(right);
  });

  test('of a game provider have the signature of the body, as the vectors have (E2.2)', () => {
    const vector = vectors.vectors[0];
    const at = Date.parse(vector?.timestamp ?? '');
    const signed = signBody(secret, 'studio-1', at, Buffer.from(vector?.body ?? ''));
    expect(signed['X-H-AUTH-SIG']).toBe(vector?.signature);
    for (const { headers, body } of examplesOf(engine.operations)) {
      expect(headers).toEqual(signBody(secret, 'studio-1', at, Buffer.from(body ?? '')));
    }
  });

  test('every posted call of the protocol has one, and it fits its schema', () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    for (const [name, { operations: calls }] of Object.entries({
      'rgs-wallet': wallet,
      'operator-rgs': operatorCalls,
      'provider-rgs': engine,
      'rgs-provider': provider,
    })) {
      ajv.addSchema({ ...documents[name as 'rgs-wallet'], $id: `https://test/${name}` });
      for (const { path, body, examples = [], name: call } of calls) {
        if (body === undefined || body.endsWith('served-notice')) continue;
        expect([call, examples.length > 0]).toEqual([call, true]);
        const place = `/paths/${path.replaceAll('/', '~1')}/post/requestBody/content/application~1json/schema`;
        const validate = ajv.getSchema(`https://test/${name}#${place}`);
        for (const one of examples) {
          expect([call, validate?.(JSON.parse(one.body ?? ''))]).toEqual([call, true]);
        }
      }
    }
  });
});

describe('the documents describe', () => {
  test('every call that is signed by fields, and every page of the operations', () => {
    const named = new Set(
      [...wallet.operations, ...operatorCalls.operations].map(({ name }) => name),
    );
    expect(Object.keys(signedFields).filter((name) => !named.has(name))).toEqual([]);
    const asked = provider.operations.map(({ name }) => name).toSorted();
    expect(asked).toEqual(Object.keys(engineSignedFields).toSorted());
    // Names with a point are files to be saved.
    const pages = [...routes.keys()].filter((name) => /^[a-z-]+$/.test(name)).toSorted();
    expect(operations.operations.map(({ name }) => name).toSorted()).toEqual(pages);
  });

  test('every error by its id, once (D8, E3)', () => {
    for (const [api, catalogue] of [
      [wallet, errorCatalogue],
      [engine, engineErrors],
    ] as const) {
      const rows = `${api.refused}\n${api.failed}`
        .match(/^\| \d+ /gm)
        ?.map((row) => Number(row.slice(2)));
      const ids = Object.values(catalogue).map(({ id }) => id);
      expect(new Set(rows)).toEqual(new Set(ids));
      expect(rows).toHaveLength(ids.length);
    }
  });

  test('nothing by a schema that the document does not have', () => {
    for (const document of Object.values(documents)) {
      const text = JSON.stringify(document);
      const names = new Set(text.match(/(?<="\$ref":"#\/(?:components\/schemas|\$defs)\/)[^"]+/g));
      const { schemas } = (document['components'] ?? { schemas: document['$defs'] }) as {
        readonly schemas: object;
      };
      const unused = Object.keys(schemas).filter((name) => !names.has(name));
      expect([...names].filter((name) => !(name in schemas))).toEqual([]);
      expect(unused).toEqual([]);
    }
  });

  test('every call of the sandbox under one path each, and method', () => {
    const places = sandbox.operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(places).size).toBe(places.length);
  });
});
