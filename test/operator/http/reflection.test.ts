import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createRgsClient, type FetchInit } from '../../../lib/operator/client';
import {
  bodyOf,
  createRig,
  credit,
  debit,
  headersFor,
  operatorId,
  playerId,
  type Rig,
  secret,
  signedRest,
} from './rig';

let rig: Rig;

beforeEach(async () => {
  rig = await createRig();
});

afterEach(() => rig.close());

/** What the kit's own client sends to grant 10 plays at 500 each, as somebody on the way sees it. */
async function capturedGrant(): Promise<FetchInit> {
  const sent: FetchInit[] = [];
  const client = createRgsClient({
    baseUrl: 'https://rgs.example',
    operatorId,
    secret,
    fetch: async (_, init) => {
      sent.push(init);
      return new Response('{"serial":"gift-1","count":10,"used":0}');
    },
  });
  const ids = { playerId, gameCode: 'bells', serial: 'gift-1' };
  await client.assignPlayerFreerounds({ ...ids, currency: 'EUR', stake: '50', count: 10 });
  const [grant] = sent;
  if (grant === undefined) throw new Error('nothing was sent');
  return grant;
}

describe('a captured assignPlayerFreerounds, sent back as a call, is refused with 19 (D1.8)', () => {
  const item = { type: 'credit', currency: 'EUR' };
  test.each<[string, readonly object[]]>([
    [
      'the stake as an amount',
      [
        { ...item, hash: 'EUR', amount: 50 },
        { ...item, hash: '10', amount: 0 },
      ],
    ],
    [
      'the count as an amount',
      [
        { type: 'end', hash: 'EUR' },
        { ...item, hash: '50', amount: 10 },
      ],
    ],
    ['each a hash', ['EUR', '50', '10'].map((hash) => ({ type: 'void', hash }))],
  ])('%s', async (_, transactions) => {
    // A round of the serial's name, in which a credit could be paid.
    await rig.call([debit(1, { hash: 'gift-1' })], { gameRound: 'gift-1' });
    const before = await rig.balance();
    const { headers } = await capturedGrant();
    const body = bodyOf(transactions, { gameRound: 'gift-1' });
    const answer = await rig.send({ method: 'POST', path: '/doTransactions', headers, body });
    expect([answer.status, answer.body]).toEqual([
      400,
      { errorCode: expect.objectContaining({ id: 19, msg: expect.stringContaining('hash') }) },
    ]);
    expect(await rig.balance()).toBe(before);
  });
});

test('three capital letters are a detail of the schema: named to authenticated callers, before transactionCount (D1.7)', async () => {
  const body = bodyOf([credit(1, { hash: 'EUR' })], { transactionCount: 7 });
  const path = '/doTransactions';
  const stranger = await rig.send({ method: 'POST', path, body, headers: headersFor('#x') });
  expect(stranger.status).toBe(401);
  const headers = headersFor(signedRest(['EUR', 1]));
  const known = await rig.send({ method: 'POST', path, body, headers });
  expect(known.body).toMatchObject({ errorCode: { id: 19 } });
});

test.each(['EURO', 'EU', 'Eur', 'eur', 'EU1', 'ÄUR', 'EUR ', 'EUR\u00a0'])(
  'a hash of %p is accepted',
  async (hash) => {
    expect((await rig.call([debit(1, { hash })], { gameRound: `r-${hash}` })).status).toBe(200);
  },
);
