import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Secret } from '../../../lib/protocol/signature';
import type { SignedRequest } from '../../../lib/proof';
import {
  bodyOf,
  createRig,
  credit,
  debit,
  end,
  euros,
  headersFor,
  type Mount,
  mounts,
  type Rig,
  signedRest,
} from './rig';

const good = bodyOf([debit()]);
const rest = signedRest(['round-1', 10]);

/** Sends bytes under the headers of a good call. */
function request(body: string, rests: string = rest): SignedRequest {
  return { method: 'POST', path: '/doTransactions', body, headers: headersFor(rests) };
}

/** The good body with white space up to a size. */
function padded(size: number): string {
  return good.replace('{', `{${' '.repeat(size - good.length)}`);
}

/** So many transactions: a debit, and credits of nothing. */
function many(count: number): object[] {
  const credits = Array.from({ length: count - 1 }, (_, at) => credit(0, { hash: `c-${at}` }));
  return [debit(1), ...credits];
}

interface Failure {
  readonly errorCode: { readonly id: number; readonly msg: string; readonly clientmsg: string };
}

describe.each<[Mount]>(mounts.map((mount) => [mount]))('behind %s', (mount) => {
  let rig: Rig;

  beforeAll(async () => {
    rig = await createRig({}, mount);
  });

  afterAll(() => rig.close());

  /** Sends it, and expects a refusal as a whole, of which nothing moved. */
  async function refusalOf(
    sent: SignedRequest,
    status: number,
    id = 19,
  ): Promise<Failure['errorCode']> {
    const before = await rig.balance();
    const answer = await rig.send(sent);
    expect([answer.status, answer.type]).toEqual([status, 'application/json']);
    const { errorCode, ...others } = answer.body as Failure;
    expect(others).toEqual({});
    expect(errorCode).toEqual({ id, msg: expect.any(String), clientmsg: expect.any(String) });
    expect(await rig.balance()).toBe(before);
    return errorCode;
  }

  test('a body above 256 KiB is refused with 413, one of 256 KiB is not (D2.1)', async () => {
    await refusalOf(request(padded(256 * 1024 + 1)), 413);
    const answer = await rig.send({
      ...request(padded(256 * 1024)),
      headers: headersFor('#other'),
    });
    expect(answer.status).toBe(401);
  });

  test.each([
    ['text/plain'],
    ['text/json'],
    ['application/json5'],
    ['application/jsonp'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/json; charset=utf-16'],
    ['application/json; charset=iso-8859-1'],
    ['application/json, text/plain'],
    ['*/*'],
  ])('the content type %s is refused with 415 (D2.1)', async (type) => {
    const sent = request(good);
    await refusalOf({ ...sent, headers: { ...sent.headers, 'Content-Type': type } }, 415);
  });

  test.each([
    ['application/json'],
    ['APPLICATION/JSON'],
    ['application/json; charset=utf-8'],
    ['application/json;charset="UTF-8"'],
  ])('the content type %s is taken (D2.1)', async (type) => {
    const sent = request(good, '#other');
    const answer = await rig.send({ ...sent, headers: { ...sent.headers, 'Content-Type': type } });
    expect(answer.status).toBe(401);
  });

  test.each([['gzip'], ['br'], ['deflate'], ['gzip, identity'], ['x']])(
    'the content encoding %s is refused with 415 (D2.1)',
    async (encoding) => {
      const sent = request(gzipSync(good).toString('latin1'));
      await refusalOf({ ...sent, headers: { ...sent.headers, 'Content-Encoding': encoding } }, 415);
    },
  );

  test.each([
    ['nothing', ''],
    ['invalid JSON', 'x'],
    ['JSON that is cut off', good.slice(0, -1)],
    ['text after the JSON', `${good}x`],
    ['a key twice', good.replace('{', '{"playerId":"player-1",')],
    ['a key twice in a transaction', good.replace('{"type"', '{"amount":10,"type"')],
    ['__proto__', good.replace('{', '{"__proto__":{},')],
    ['constructor', good.replace('{', '{"constructor":{},')],
    ['prototype', good.replace('{"type"', '{"prototype":{},"type"')],
    ['a byte order mark', `\ufeff${good}`],
    ['17 levels', good.replace('{', `{"more":${'['.repeat(16)}${']'.repeat(16)},`)],
  ])('a body of %s is refused with 19 (D2.1)', async (_, body) => {
    await refusalOf(request(body), 400);
  });

  test('a body of more values than 30 for each transaction that is allowed, and 200, is refused with 19 (D2.1)', async () => {
    // The call and its members with the list `more`, the transaction and its members.
    const own = 1 + 6 + 1 + 5;
    const holding = (values: number) =>
      bodyOf([debit()], { more: Array.from({ length: values - own }, () => 1) });
    const most = 30 * 500 + 200;
    expect((await rig.send(request(holding(most), '#other'))).status).toBe(401);
    const { msg } = await refusalOf(request(holding(most + 1), '#other'), 400);
    expect(msg).toContain(`more than ${most} values`);
  });

  test('unknown further fields are accepted and ignored (D2.1)', async () => {
    const more = { gameRound: 'r-more', more: { a: [1, 'x', null] } };
    const answer = await rig.call([{ ...debit(1), note: { deep: [true] } }], more);
    expect(answer.status).toBe(200);
  });

  test('no transactions at all are refused with 19 (D2.2)', async () => {
    await refusalOf(request(bodyOf([]), signedRest([])), 400);
  });

  test.each([
    ['absent', undefined],
    ['null', null],
    ['0', 0],
    ['2', 2],
    ['1.5', 1.5],
    ['-1', -1],
  ])('a transactionCount that is %s is refused with 16 (D2.2)', async (_, transactionCount) => {
    await refusalOf(request(bodyOf([debit()], { transactionCount })), 400, 16);
  });

  test('a transactionCount that is no number is refused with 16 (D2.2)', async () => {
    await refusalOf(request(bodyOf([debit()], { transactionCount: '1' })), 400, 16);
  });

  test('501 transactions are refused with 19, and 500 are processed in one call (D2.1)', async () => {
    const round = { gameRound: 'r-many' };
    await refusalOf(rig.signer.doTransactions(bodyOf(many(501), round)), 400);
    const answer = await rig.call(many(500), round);
    expect(answer.status).toBe(200);
    expect((answer.body as { hashesProcessed: unknown[] }).hashesProcessed).toHaveLength(500);
  });

  test.each([
    ['an unknown type', { type: 'bonus' }],
    ['a type that is no text', { type: 1 }],
    ['no type', { type: undefined }],
    ['an isFirstDebit of 1', { isFirstDebit: 1 }],
    ['an isFirstDebit of "yes"', { isFirstDebit: 'yes' }],
    ['a lower-case currency', { currency: 'eur' }],
    ['a currency that is no text', { currency: 978 }],
    ['a currency of null', { currency: null }],
    ['no amount', { amount: undefined }],
    ['a negative amount', { amount: -1 }],
    ['a free play with an amount', { freePlayUsed: true }],
    ['a serial with an amount', { serial: 's' }],
    ['a discount above the amount', { discountAmount: 11 }],
    ['a negative discount', { discountAmount: -1 }],
    ['a reason that is no text', { reason: {} }],
    ['an empty hash', { hash: '' }],
    ['a hash of 129 characters', { hash: 'h'.repeat(129) }],
    ['a hash of three capital letters (D1.8)', { hash: 'EUR' }],
  ])('a debit with %s is refused with 19, before anything is processed (D2)', async (_, more) => {
    const body = bodyOf([end, debit(10, more)]);
    const { msg } = await refusalOf(rig.signer.doTransactions(body), 400);
    expect(msg).toContain('transactions/1');
  });

  test.each([
    ['1e99'],
    ['1e-99'],
    ['0.00001'],
    ['900719925474.0992'],
    ['9007199254740992'],
    ['-0.01'],
  ])('an amount of %s is refused with 19 (D2.5)', async (amount) => {
    const body = bodyOf([credit(0)]).replace('"amount":0', `"amount":${amount}`);
    await refusalOf(rig.signer.doTransactions(body), 400);
  });

  test.each([['1e999'], ['1e-999'], ['0e999'], ['1e005'], [`1.${'0'.repeat(39)}`]])(
    'an amount of %s is refused with 19, before anything is computed from it (D1.5)',
    async (amount) => {
      const mac = jest.spyOn(Secret.prototype, 'mac');
      try {
        for (const name of ['amount', 'discountAmount']) {
          const body = bodyOf([debit(1, { [name]: 4711 })]).replace('4711', amount);
          const signed = request(body, signedRest(['round-1', name === 'amount' ? amount : 1]));
          expect((await refusalOf(signed, 400)).msg).toContain(`transactions/0/${name}`);
        }
        // Only of the call whose discountAmount was at fault: that is not signed.
        expect(mac.mock.calls.length).toBe(1);
      } finally {
        mac.mockRestore();
      }
    },
  );

  test.each([
    ['1E2', 100],
    ['10.00', 10],
    ['-0', 0],
    ['1e-0', 1],
  ])('an amount of %s is %s (D2.5)', async (amount, moved) => {
    const round = { gameRound: `r-${amount}` };
    await rig.call([debit(0)], round);
    const before = await rig.balance();
    const body = bodyOf([credit(0)], round).replace('"amount":0', `"amount":${amount}`);
    expect((await rig.send(rig.signer.doTransactions(body))).status).toBe(200);
    expect((await rig.balance()) - before).toBe(euros(moved));
  });

  test('types in any letter case and flags as texts are processed (D2.3)', async () => {
    const round = { gameRound: 'r-case' };
    const before = await rig.balance();
    const debits = [
      debit(5, { type: 'DEBIT', isFirstDebit: 'true', hash: 'd-1' }),
      debit(5, { type: 'Debit', isFirstDebit: 'FALSE', hash: 'd-2' }),
    ];
    expect((await rig.call([...debits, credit(3, { type: 'CREDIT' })], round)).status).toBe(200);
    expect(await rig.balance()).toBe(before - euros(7));
    const voided = await rig.call(
      [{ type: 'VOID', hash: 'd-1', amount: 5, currency: 'EUR' }],
      round,
    );
    expect(voided.status).toBe(200);
    expect(await rig.balance()).toBe(before);
  });

  test('an absent isFirstDebit is what the round needs (D2.3)', async () => {
    const round = { gameRound: 'r-unsaid' };
    const debits = ['d-1', 'd-2'].map((hash) => debit(1, { isFirstDebit: undefined, hash }));
    const answer = await rig.call(debits, round);
    expect(answer.status).toBe(200);
  });

  test('a free play moves nothing and starts its round (D2.4)', async () => {
    const before = await rig.balance();
    const free = { ...debit(), amount: undefined, freePlayUsed: true, serial: 's-1' };
    const round = { gameRound: 'r-free' };
    expect((await rig.call([free, credit(2), end], round)).status).toBe(200);
    expect(await rig.balance()).toBe(before + euros(2));
  });

  test.each([
    ['of 128 characters beyond the basic plane', '😀'.repeat(128)],
    ['with a space, quotes and slashes', ' "a"/\\%2F?&= '],
    ['like a key of every object', '__proto__'],
  ])('an id %s is taken as it is (D2.6)', async (_, id) => {
    expect((await rig.call([debit(1, { hash: id })], { gameRound: id })).status).toBe(200);
    expect((await rig.call([debit(1, { hash: id })], { gameRound: id })).status).toBe(200);
  });

  test('two spellings of a letter are two ids (D2.6)', async () => {
    const before = await rig.balance();
    await rig.call([debit(1, { hash: 'é' })], { gameRound: 'é' });
    await rig.call([debit(1, { hash: 'e\u0301' })], { gameRound: 'e\u0301' });
    expect(await rig.balance()).toBe(before - euros(2));
  });
});
