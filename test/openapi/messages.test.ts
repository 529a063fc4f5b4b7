import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { createMemoryStore } from '../../lib/operator/stores/memory';
import { createRig, debit } from '../operator/http/rig';
import { Messages } from '../support/openapi/messages';

const balance = { balances: [{ type: 'real', amount: 10, currency: 'EUR' }] };
const query = '/wallet/getBalance?playerId=ann&currency=EUR';
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncache-control: no-store\r\n';
let folder: string;
let messages: Messages;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rgs-messages-'));
  messages = new Messages(folder);
});

afterEach(() => rmSync(folder, { recursive: true }));

/** What was found wrong with an answer of the wallet. */
function faultsOf(url: string, status: number, reply: unknown): string {
  const req = { method: 'GET', url, [Symbol.for('rgs-wallet-kit.served')]: 'rgs-wallet' };
  messages.answered({ req, statusCode: status, _header: head }, JSON.stringify(reply));
  return written();
}

function written(): string {
  const file = join(folder, 'faults');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

test('a call of a test is seen, and so is the event that it makes', async () => {
  const { testMessages } = globalThis as unknown as { readonly testMessages: Messages };
  const before = testMessages.total;
  const store = createMemoryStore({ events: ['bridge'] });
  const rig = await createRig({ store });
  const { status } = await rig.call([debit(10)]);
  await rig.close();
  // Reply, request, event of the account and event of the round.
  expect([status, testMessages.total - before]).toEqual([200, 4]);
});

describe('what the tests hold against the documents', () => {
  test('a right answer is counted: its reply, and each parameter of its query', () => {
    expect(faultsOf(query, 200, balance)).toBe('');
    messages.flush();
    expect(Number(readFileSync(join(folder, 'counts'), 'utf8'))).toBe(3);
  });

  test.each<[string, string, number, unknown]>([
    ['a reply without its balances', query, 200, {}],
    ['an amount as a text', query, 200, { balances: [{ ...balance.balances[0], amount: '10' }] }],
    ['a query without its player that is answered 200', '/getBalance?currency=EUR', 200, balance],
    ['a currency in small letters that is answered 200', query.replace('EUR', 'eur'), 200, balance],
    ['a call that no document has', '/getBalances', 200, balance],
    ['a refusal without its error', query, 400, {}],
    ['a failure whose error has no id', query, 503, { errorCode: { msg: '', clientmsg: '' } }],
  ])('%s is a fault', (_, url, status, reply) => {
    expect(faultsOf(url, status, reply)).not.toBe('');
  });

  test('a hostile request is no fault where it is refused', () => {
    const errorCode = { id: 19, msg: 'wrong', clientmsg: 'sorry' };
    expect(faultsOf('/getBalance?currency=eur', 400, { errorCode })).toBe('');
  });

  test('an event that has a member more than its schema is a fault', () => {
    messages.event({ type: 'block', further: 1 });
    expect(written()).toContain('event');
  });
});
