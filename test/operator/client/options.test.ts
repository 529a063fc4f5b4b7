import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { createRgsClient, type RgsClientOptions } from '../../../lib/operator/client';
import { systemClock } from '../../../lib/platform';

const good = {
  baseUrl: 'https://rgs.example',
  operatorId: 'acme',
  secret: 'secret-0123456789abcdef',
} as const;

describe('an option that is not valid is refused when the client is made, by its name', () => {
  test.each<[string, object, RegExp]>([
    ['no baseUrl', { baseUrl: undefined }, /baseUrl/],
    ['an invalid baseUrl', { baseUrl: 'rgs.example' }, /baseUrl must be an https/],
    ['another scheme', { baseUrl: 'ftp://rgs.example' }, /baseUrl must be an https/],
    ['http on another host', { baseUrl: 'http://rgs.example' }, /baseUrl must be https/],
    [
      'a host that begins like a loopback',
      { baseUrl: 'http://127.0.0.1.example' },
      /must be https/,
    ],
    ['a host that begins like localhost', { baseUrl: 'http://localhost.example' }, /must be https/],
    ['a password in it', { baseUrl: 'https://a:b@rgs.example' }, /baseUrl must not hold/],
    ['a query in it', { baseUrl: 'https://rgs.example?x' }, /baseUrl must not hold/],
    ['a fragment in it', { baseUrl: 'https://rgs.example#x' }, /baseUrl must not hold/],
    ['no operatorId', { operatorId: '' }, /operatorId/],
    ['an operatorId with #', { operatorId: 'a#b' }, /operatorId/],
    ['an operatorId with outer spaces', { operatorId: ' a' }, /operatorId/],
    ['a short secret', { secret: 'short' }, /secret: a secret must/],
    ['a secret that is no text', { secret: 12 }, /secret: a secret must/],
    ['a secret with a newline', { secret: `${good.secret}\n` }, /secret: a secret must/],
    ['no attempts', { attempts: 0 }, /attempts/],
    ['half an attempt', { attempts: 1.5 }, /attempts/],
    ['an attemptTimeoutMs of 0', { attemptTimeoutMs: 0 }, /attemptTimeoutMs/],
    ['a timeoutMs for ever', { timeoutMs: Number.POSITIVE_INFINITY }, /timeoutMs/],
    ['a maxReplyBytes of 1', { maxReplyBytes: 1 }, /maxReplyBytes/],
    ['an onAttempt that is no function', { onAttempt: 'x' }, /onAttempt must be a function/],
    ['a fetch that is no function', { fetch: {} }, /fetch must be a function/],
    ['a logger without error', { logger: { info() {}, warn() {} } }, /logger must have/],
    [
      'a clock without pause',
      { clock: { ...systemClock, pause: undefined } },
      /clock must have a function pause/,
    ],
    [
      'a clock without monotonicMs',
      { clock: { ...systemClock, monotonicMs: undefined } },
      /clock must have a function monotonicMs/,
    ],
    ['an option that is not known', { retries: 3 }, /unknown option; the options are baseUrl, /],
  ])('%s', (_, wrong, message) => {
    const options = { ...good, ...wrong } as RgsClientOptions;
    expect(() => createRgsClient(options)).toThrow(TypeError);
    expect(() => createRgsClient(options)).toThrow(message);
  });
});

test.each([
  'https://rgs.example/',
  'http://localhost:8080/operator',
  'http://127.0.0.1',
  'http://127.9.9.9',
  'http://[::1]:80',
])('%s is an address to be called', (baseUrl) => {
  expect(() => createRgsClient({ ...good, baseUrl })).not.toThrow();
});

test('http on another host is taken where it is allowed in so many words', () => {
  const options = { ...good, baseUrl: 'http://rgs.internal', allowHttp: true };
  expect(() => createRgsClient(options)).not.toThrow();
});

test('slashes at the end of the address, and a path in it, are put before the paths', async () => {
  const urls: string[] = [];
  const fetch = async (url: string) => {
    urls.push(url);
    return new Response('{"gameList":{}}');
  };
  for (const end of ['', '/', '//']) {
    await createRgsClient({
      ...good,
      baseUrl: `https://rgs.example/v1${end}`,
      fetch,
    }).getGameList();
  }
  expect(new Set(urls)).toEqual(new Set(['https://rgs.example/v1/backoffice/getGameList']));
});

test('a client that is inspected or serialised shows nothing of its secret', () => {
  const client = createRgsClient(good);
  const shown = inspect(client, { depth: 10, showHidden: true }) + JSON.stringify(client);
  expect(shown).not.toContain(good.secret);
  expect(Object.isFrozen(client)).toBe(true);
});
