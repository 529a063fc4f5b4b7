import { describe, expect, test } from '@jest/globals';
import type { PlainRequest } from '../../../../lib/platform/http';
import { VirtualClock } from '../../../../lib/platform/virtual-clock';
import { Secret } from '../../../../lib/protocol/signature';
import type { LineName } from '../../../../lib/rgs/sandbox/view/state';
import { Wire } from '../../../../lib/rgs/sandbox/wire/record';
import { describe as describeCall } from '../../../../lib/rgs/sandbox/wire/request';
import { maskTokens } from '../../../../lib/rgs/sandbox/wire/mask';

const secretText = 'a-secret-of-32-characters-000000';
const token = `${'Ab3_-'.repeat(8)}xyz`;
const signing = [
  'X-H-AUTH-ID',
  'op',
  'X-H-TIMESTAMP',
  '2026-03-01T12:00:00.000Z',
  'X-H-AUTH-SIG',
  's=',
];

function request(method: string, target: string, body = '', rawHeaders = signing): PlainRequest {
  return { method, target, rawHeaders, body: Buffer.from(body) };
}

const post = (call: string, body: string) => request('POST', `/${call}`, body);
const newWire = (keep = 10, keepBytes = 1_000_000) =>
  new Wire({ clock: new VirtualClock(0), keep, keepBytes, secrets: [new Secret(secretText)] });

function opened(wire: ReturnType<typeof newWire>, name: string) {
  const plain = post(name, '{}');
  return wire.open(describeCall('provider-rgs', plain), plain, { cause: null, fault: null });
}

describe('the signed string of a call, masked', () => {
  test.each<[string, LineName, PlainRequest, string | null]>([
    [
      'body and timestamp from a provider (E2.2)',
      'provider-rgs',
      post('addWin', '{"a": 1}'),
      '{"a": 1}#T',
    ],
    [
      'the timestamp alone without a body (E2.3)',
      'provider-rgs',
      request('GET', '/getOperatorSettings?game=g'),
      '#T',
    ],
    [
      'hashes and amounts as written to a wallet',
      'rgs-wallet',
      post(
        'doTransactions',
        '{"playerId":"p","gameCode":"g","gameRound":"r","transactions":[{"hash":"h","amount":100},{"hash":"e"}]}',
      ),
      '[secret]#op#T#p#g#r#h#100#e',
    ],
    [
      'the query of getBalance',
      'rgs-wallet',
      request('GET', '/getBalance?playerId=p&currency=EUR&gameCode=g'),
      '[secret]#op#T#p#EUR#g',
    ],
    [
      'the currency to a provider (E2.8)',
      'rgs-provider',
      request('GET', '/getGameConfiguration?currency=EUR&gameCode=g'),
      '[secret]#op#T#EUR',
    ],
    [
      'the round to a provider (E2.8)',
      'rgs-provider',
      post('doAutoClose', '{"gameRound":"r"}'),
      '[secret]#op#T#r',
    ],
    [
      'nothing more from an operator',
      'operator-rgs',
      post('backoffice/getStats', '{}'),
      '[secret]#op#T',
    ],
    ['none without a signature', 'provider-rgs', request('GET', '/connect?token=x', '', []), null],
    ['none if a field is missing', 'rgs-wallet', post('doTransactions', '{}'), null],
    ['none of a call that has none', 'operator-rgs', post('nothing', '{}'), null],
  ])('%s', (_, line, plain, signed) => {
    const expected = signed?.replace('T', '2026-03-01T12:00:00.000Z') ?? null;
    expect(describeCall(line, plain).signed).toBe(expected);
  });
});

describe('what the wire never shows', () => {
  test.each([
    `{"token":"${token}"}`,
    `{"tokenData":{"currentToken" : "${token}"}}`,
    `/connect?token=${token}&lang=EN`,
    `{"url":"https://g.test/?token=${token}&login=https%3A%2F%2Frgs.test%2Fconnect%3Ftoken%3D${token}"}`,
    `{"note":"${token}"}`,
    '{"token":"a-token-of-another-shape/and+more"}',
  ])('a full token, in %s', (text) => {
    const masked = maskTokens(text);
    expect(masked).not.toContain(token);
    expect(masked).not.toContain('another-shape');
    expect(masked).toMatch(/…(?:-xyz|_-xyz|xyz|more|.{4})/);
  });

  test.each([
    [`{"token":"\\u0041${token.slice(1)}"}`, token.slice(1)],
    [`/connect?token=%41${token.slice(1)}&lang=EN`, token.slice(1)],
    [`{"login":"x%3Ftoken%3D%41${token.slice(1)}%26lang=EN"}`, token.slice(1)],
  ])('a token that is spelled with an escape, in %s', (text, rest) => {
    expect(maskTokens(text)).not.toContain(rest);
    expect(maskTokens(text)).toMatch(/lang=EN|"}$/);
  });

  test.each([
    ['a round', 'POST', '/addWin', `{"token":"x","gameRound":"${token}"}`],
    ['the name of a call', 'GET', `/${token}`, ''],
    ['a round in a query', 'GET', `/x?gameRound=${token}`, ''],
  ])('a token that was sent as %s', (_, method, target, body) => {
    const wire = newWire();
    const plain = request(method, target, body);
    wire.open(describeCall('provider-rgs', plain), plain, { cause: null, fault: null });
    expect(JSON.stringify(wire.since(0))).not.toContain(token);
  });

  test.each([secretText, token])('%s in bytes that are no text', (kept) => {
    const wire = newWire();
    const body = Buffer.concat([Buffer.from([0xff]), Buffer.from(`{"token":"${kept}"}`)]);
    const plain: PlainRequest = { ...request('POST', '/x'), body };
    wire.open(describeCall('provider-rgs', plain), plain, { cause: null, fault: null });
    const shown = wire.since(0).calls[0]?.body.text ?? '';
    expect(Buffer.from(shown, 'base64').toString('latin1')).not.toContain(kept);
    expect(shown).toMatch(/^\[withheld: /);
  });

  test('a signature and an id stay as they are', () => {
    const text = `{"sig":"dPr32gIj+b96iNcubT6eT6F714IJvrIqbGoTIlxNSEw=","id":"0f8fad5b-d9cb-469f-a165-70867728950e"}`;
    expect(maskTokens(text)).toBe(text);
  });

  test('a secret, wherever somebody sent it', () => {
    const wire = newWire();
    const plain = request('POST', '/x', `{"secret":"${secretText}"}`, ['X-Secret', secretText]);
    wire.open(describeCall('provider-rgs', plain), plain, { cause: null, fault: null }).replied({
      status: 200,
      headers: { echo: secretText },
      body: Buffer.from(`["${secretText}","${token}"]`),
    });
    const text = JSON.stringify(wire.since(0));
    expect(text).not.toContain(secretText);
    expect(text).not.toContain(token);
  });
});

describe('the record', () => {
  test('a call is there when it comes, and has its reply once it came', () => {
    const wire = newWire();
    const call = opened(wire, 'a');
    expect(wire.since(0).calls).toMatchObject([
      { n: 1, call: 'a', state: 'underway', status: null },
    ]);
    call.replied({ status: 200, headers: {}, body: Buffer.from([0xff]) });
    wire.checked(call.n, { verdict: 'verified', explanation: null });
    const [done] = wire.since(0).calls;
    expect(done).toMatchObject({ n: 1, state: 'done', status: 200, verdict: 'verified' });
    expect(done?.replyBody).toEqual({ text: '/w==', encoding: 'base64', bytes: 1 });
    expect(wire.since(1).calls).toEqual([]);
  });

  test('the oldest calls leave, and a reply to one that left is not an error', () => {
    const wire = newWire(2);
    const calls = ['a', 'b', 'c'].map((name) => opened(wire, name));
    calls[0]?.lost();
    const view = wire.since(0);
    expect(view.oldest).toBe(2);
    expect(view.calls.map(({ call }) => call)).toEqual(['b', 'c']);
  });

  test('the oldest leave for large bodies too: a caller of a line could fill the memory', () => {
    const wire = newWire(10_000, 64_000);
    const large = { ...post('addWin', ''), body: Buffer.alloc(1000, 'x') };
    const reply = { status: 400, headers: {}, body: Buffer.alloc(1000, 'y') };
    for (let n = 0; n < 100; n++) {
      const about = { cause: null, fault: null };
      wire.open(describeCall('provider-rgs', large), large, about).replied(reply);
    }
    const { calls, oldest, latest } = wire.since(0);
    expect(calls).toHaveLength(32);
    expect([oldest, latest]).toEqual([69, 100]);
    expect(calls.at(-1)).toMatchObject({ n: 100, state: 'done' });
  });

  test('a view holds at most 500 calls, and the next one starts where it ended', () => {
    const wire = newWire(1000);
    for (let n = 0; n < 700; n++) opened(wire, 'a');
    const first = wire.since(0);
    const second = wire.since(first.calls.at(-1)?.n ?? 0);
    expect([first.calls.length, second.calls.length, second.latest]).toEqual([500, 200, 700]);
    expect(second.calls[0]?.n).toBe(501);
  });

  test('a listener gets every call once it has ended', () => {
    const wire = newWire();
    const ended: string[] = [];
    wire.onEnd(({ call, state }) => void ended.push(`${call} ${state}`));
    const [a, b] = [opened(wire, 'a'), opened(wire, 'b')];
    b.lost();
    a.replied({ status: 200, headers: {}, body: Buffer.alloc(0) });
    expect(ended).toEqual(['b lost', 'a done']);
  });
});
