import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { readTraceparent } from '../../../lib/platform/tracing';
import { createSpanRig, type SpanRig } from '../telemetry/span-rig';
import { scriptedClient, secret } from './scripted-fetch';

let traced: SpanRig;

beforeEach(() => {
  traced = createSpanRig();
});

afterEach(() => traced.close());

const games = '{"gameList":{}}';

test('each attempt is a span, and the RGS gets it as traceparent', async () => {
  const { tracer } = traced;
  const { client, sent } = scriptedClient([[503, '{}'], games], { tracer });
  await client.getGameList();
  const spans = await traced.spans();
  expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
    ['rgs.getGameList', SpanKind.CLIENT],
    ['rgs.getGameList', SpanKind.CLIENT],
  ]);
  expect(sent.map(({ init }) => readTraceparent(init.headers['traceparent']))).toEqual(
    spans.map((span) => {
      const { traceId, spanId, traceFlags } = span.spanContext();
      return { traceId, spanId, traceFlags };
    }),
  );
  expect(spans.map(({ status, attributes }) => [status.code, attributes])).toEqual([
    [
      SpanStatusCode.ERROR,
      { 'rgs.attempt': 1, 'rgs.error_code': 'SERVICE_ERROR', 'http.response.status_code': 503 },
    ],
    [SpanStatusCode.UNSET, { 'rgs.attempt': 2, 'http.response.status_code': 200 }],
  ]);
  expect(JSON.stringify(spans.map((span) => span.attributes))).not.toContain(secret);
});

test('without a tracer no traceparent is sent', async () => {
  const { client, sent } = scriptedClient([games]);
  await client.getGameList();
  expect(Object.keys(sent[0]?.init.headers ?? {})).not.toContain('traceparent');
});

test('anything but a tracer is a TypeError that names the option', () => {
  const tracer = {} as SpanRig['tracer'];
  expect(() => scriptedClient([games], { tracer })).toThrow(
    'createRgsClient: tracer must be a Tracer of @opentelemetry/api',
  );
});
