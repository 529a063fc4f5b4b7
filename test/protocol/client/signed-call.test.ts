import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { FetchInit } from '../../../lib/protocol/client/ports';
import type { Outgoing } from '../../../lib/protocol/client/outgoing';
import { post, rejectionOf, runnerOver, secret } from './rig';

const read = () => null;

function headersOf(request: { readonly init: FetchInit } | undefined): FetchInit['headers'] {
  if (request === undefined) throw new Error('nothing was sent');
  return request.init.headers;
}

/** The signature of these bytes at a time, made by hand. */
function signatureOf(text: string, timestamp: string): string {
  return createHmac('sha256', secret).update(`${text}#${timestamp}`, 'utf8').digest('base64');
}

describe('how a request is signed stays with the request', () => {
  const withoutBody: Partial<Outgoing> = { method: 'GET', body: null };

  test.each<[string, Outgoing, string]>([
    ['its body as sent', post('{"testData":"Grüße"}'), '{"testData":"Grüße"}'],
    ['nothing in place of no body (E2.3)', post('', withoutBody), ''],
    [
      '{} in place of no body (E2.3)',
      post('', { ...withoutBody, signed: { kind: 'body', emptyBodyAs: '{}' } }),
      '{}',
    ],
  ])('by %s (E2.2)', async (_, outgoing, signed) => {
    const { runner, sent } = runnerOver([{ status: 200, text: '{}' }]);
    await runner.run(outgoing, read);
    const headers = headersOf(sent[0]);
    expect(headers['X-H-AUTH-ID']).toBe('studio-1');
    expect(headers['X-H-AUTH-SIG']).toBe(signatureOf(signed, headers['X-H-TIMESTAMP'] ?? ''));
    expect(sent[0]?.init.body).toBe(outgoing.body ?? undefined);
  });

  test('by its fields, as the Operator API and the calls to a provider are (E2.8)', async () => {
    const { runner, sent } = runnerOver([{ status: 200, text: '{}' }]);
    const parts = [{ name: 'gameRound', text: 'round-1', isAmount: false }];
    await runner.run(post('{}', { signed: { kind: 'parts', parts } }), read);
    const headers = headersOf(sent[0]);
    const signed = `${secret}#studio-1#${headers['X-H-TIMESTAMP']}#round-1`;
    const mac = createHmac('sha256', secret).update(signed).digest('base64');
    expect(headers['X-H-AUTH-SIG']).toBe(mac);
  });
});

test('each attempt has its own signature and X-Request-Id, and the event names it (E2.5)', async () => {
  const { runner, sent, events, clock } = runnerOver([
    { status: 503 },
    new Error('broken'),
    { status: 200, text: '{}' },
  ]);
  const call = runner.run(post('{}'), read);
  await clock.run(call);
  const of = (name: string) => sent.map(({ init }) => init.headers[name]);
  expect(of('X-Request-Id')).toEqual(['request-1', 'request-2', 'request-3']);
  expect(new Set(of('X-H-AUTH-SIG')).size).toBe(3);
  expect(events.map(({ requestId }) => requestId)).toEqual(of('X-Request-Id'));
});

test('an API without X-Request-Id sends none', async () => {
  const { runner, sent, events } = runnerOver([{ status: 200, text: '{}' }], {
    newRequestId: null,
  });
  await runner.run(post('{}'), read);
  expect(Object.keys(sent[0]?.init.headers ?? {})).not.toContain('X-Request-Id');
  expect(events[0]).not.toHaveProperty('requestId');
});

test('a call that is not repeatable is sent once, whatever becomes of it', async () => {
  const { runner, sent } = runnerOver([{ status: 503 }]);
  await rejectionOf(runner.run(post('{}', { isRepeatable: false }), read));
  expect(sent).toHaveLength(1);
});

describe('receive', () => {
  test.each([200, 400, 401, 503])('gives a reply of status %i as it came, once', async (status) => {
    const text = '{"errorCode":{"id":9001}}';
    const headers = { 'x-h-error-id': 'ref-1' };
    const { runner, sent, events } = runnerOver([{ status, text, headers }]);
    const bytes = Buffer.from(text);
    expect(await runner.receive(post('{}'))).toEqual({
      status,
      bytes,
      errorReference: 'ref-1',
      contentType: 'text/plain',
    });
    expect(sent).toHaveLength(1);
    expect(events).toMatchObject([{ outcome: 'answered', status, willRetry: false }]);
  });

  test('gives no bytes of a reply that is too long', async () => {
    const { runner } = runnerOver([{ status: 200, text: 'x'.repeat(1001) }]);
    expect((await runner.receive(post('{}'))).bytes).toBeNull();
  });

  test('is rejected after its time limit, and sends nothing again', async () => {
    const { runner, sent, clock } = runnerOver([undefined]);
    const failure = rejectionOf(runner.receive(post('{}'), { timeoutMs: 4000 }));
    await clock.run(failure);
    expect(await failure).toMatchObject({ code: 'TIMED_OUT', which: 'call', outcome: 'unknown' });
    expect(sent).toHaveLength(1);
  });
});
