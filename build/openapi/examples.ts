import engineVectors from '../../vectors/engine.json';
import operatorVectors from '../../vectors/signature.json';
import { Secret, signatureHeaders, signBody } from '../../lib/protocol/signature';
import type { Json, JsonObject } from './components';
import requests from './requests.json';

/** A request that is signed: its secret is that of the vectors. */
export interface Example {
  readonly why: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it is sent; null if it has none. */
  readonly body: string | null;
  readonly query: string | null;
}

interface Vector {
  readonly valid: boolean;
  readonly secret: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly signed: string;
  readonly why: string;
  readonly body?: string;
  readonly query?: string;
  readonly operation?: string;
  readonly call?: string;
  readonly direction?: string;
  readonly operatorId?: string;
  readonly gameProviderId?: string;
}

/** The first of all, which has the secret and the time of every example; of no use anywhere. */
const [{ secret: exampleSecret, timestamp }] = operatorVectors.vectors as readonly object[] as [
  Vector,
];

/** Most examples of one call. */
const most = 4;

/** The vectors of a call of the Operator API. */
export function operatorExamples(operation: string): Example[] {
  return examplesOf(operatorVectors.vectors, (vector) => vector.operation === operation);
}

/** The vectors of a call of the RGS to a game provider. */
export function providerExamples(call: string): Example[] {
  const isOf = (vector: Vector) => vector.direction === 'toProvider' && vector.call === call;
  return examplesOf(engineVectors.vectors, isOf);
}

/** The vectors of a call of a game provider; of a call without any a request that is signed in the same way. */
export function engineExamples(call: string): Example[] {
  // The RGS takes the signature of {} for an empty body as well; an example shows the plain one.
  const isOf = ({ direction, call: name, signed, body, timestamp: at }: Vector) =>
    direction === 'toService' && name === call && signed === `${body ?? ''}#${at}`;
  const found = examplesOf(engineVectors.vectors, isOf);
  const request = (requests as Readonly<Record<string, Json>>)[call];
  if (found.length > 0 || request === undefined) return found;
  const body = JSON.stringify(request);
  const { gameProviderId = '' } = engineVectors.vectors[0] as Vector;
  const headers = signBody(
    new Secret(exampleSecret),
    gameProviderId,
    Date.parse(timestamp),
    Buffer.from(body),
  );
  return [{ why: 'the body, # and the timestamp', headers, body, query: null }];
}

function examplesOf(vectors: readonly object[], isOf: (vector: Vector) => boolean): Example[] {
  const usable = (vectors as readonly Vector[]).filter((vector) => {
    const { valid, secret, body } = vector;
    // An example is written as a value: its spelling must survive that.
    const isPlain = body === undefined || JSON.stringify(JSON.parse(body)) === body;
    return valid && secret === exampleSecret && isPlain && isOf(vector);
  });
  return usable.slice(0, most).map((vector) => ({
    why: vector.why,
    headers: {
      [signatureHeaders.authId]: vector.operatorId ?? vector.gameProviderId ?? '',
      [signatureHeaders.timestamp]: vector.timestamp,
      [signatureHeaders.signature]: vector.signature,
    },
    body: vector.body ?? null,
    query: vector.query ?? null,
  }));
}

/** Examples as a media type has them. */
export function namedExamples(examples: readonly Example[]): JsonObject {
  const named = examples.flatMap(({ why, headers, body }, at) => {
    if (body === null) return [];
    const signed = Object.entries(headers).map(([name, value]) => `\`${name}: ${value}\``);
    const description = `Signed with the secret \`${exampleSecret}\`: ${signed.join(', ')}`;
    return [[`signed${at + 1}`, { summary: why, description, value: JSON.parse(body) as Json }]];
  });
  return Object.fromEntries(named) as JsonObject;
}

/** The first example as a command of curl; it is as old as the vectors, so a service answers it 401. */
export function curlOf(method: string, path: string, examples: readonly Example[]): Json[] {
  const [first] = examples;
  if (first === undefined) return [];
  const { headers, body, query } = first;
  const target = `"$URL${path}${query === null ? '' : `?${query}`}"`;
  const lines = [
    `curl ${method === 'GET' ? '' : '-X POST '}${target}`,
    ...Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    ...(body === null
      ? []
      : [`  -H 'content-type: application/json'`, `  --data-raw ${quoted(body)}`]),
  ];
  return [{ lang: 'Shell', label: 'curl', source: lines.join(' \\\n') }];
}

/** A text as a shell reads it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
