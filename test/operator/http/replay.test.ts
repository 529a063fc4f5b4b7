import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createRequestSigner, type SignedRequest } from '../../../lib/proof';
import type { AccountStore } from '../../../lib/operator/wallet';
import { LeapingClock } from '../../platform/leaping-clock';
import { until } from '../../servers/until';
import {
  bodyOf,
  createRig,
  credit,
  debit,
  end,
  euros,
  operatorId,
  playerId,
  type Rig,
  secret,
  voidOfDebit,
} from './rig';

const key = { operatorId, playerId, gameRound: 'round-1' };

let store: AccountStore;
let first: Rig;
let second: Rig;

beforeEach(async () => {
  store = createMemoryStore();
  first = await createRig({ store, clock: new LeapingClock() });
  second = await createRig({ store, clock: new LeapingClock() });
});

afterEach(async () => {
  await first.close();
  await second.close();
});

/** A captured request: its headers with another body. */
function forged(request: SignedRequest, transactions: readonly object[]): SignedRequest {
  return { ...request, body: bodyOf(transactions) };
}

function sign(...transactions: readonly object[]): SignedRequest {
  return first.signer.doTransactions(bodyOf(transactions));
}

async function untilCancelled(): Promise<void> {
  await until('the round is cancelled', async () => (await stateOf()) === 'cancelled');
}

async function stateOf(): Promise<string | undefined> {
  return (await store.rounds.readRound(key))?.head.state;
}

/** A middleware that breaks the first so many replies as their head is written. */
async function broken(times: number): Promise<Rig> {
  const rig = await createRig({ store, clock: new LeapingClock() });
  let left = times;
  rig.server.prependListener('request', (_, response: ServerResponse) => {
    const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
    response.writeHead = (...args: unknown[]) => {
      if (left-- > 0) throw new Error('a middleware broke');
      return writeHead(...args);
    };
  });
  return rig;
}

describe('D1.8 a signature names one body, in every process over one store', () => {
  test('a captured debit is no void at the process that answered it, at another one, or after a restart', async () => {
    const call = sign(debit(10));
    expect((await first.send(call)).status).toBe(200);
    const third = await createRig({ store });
    for (const rig of [first, second, third]) {
      const answer = await rig.send(forged(call, [{ ...voidOfDebit, amount: 10 }]));
      expect(answer.status).toBe(503);
      expect((answer.body as { errorCode: { id: number } }).errorCode.id).toBe(9007);
    }
    await third.close();
    expect(await first.balance()).toBe(euros(90));
    expect(await stateOf()).toBe('open');
  });

  test('a captured debit is no credit and no debit in another currency', async () => {
    const call = sign(debit(10));
    expect((await first.send(call)).status).toBe(200);
    for (const rig of [first, second]) {
      const asCredit = await rig.send(forged(call, [credit(10, { hash: 'round-1' })]));
      expect(asCredit.status).toBe(401);
      const inDollars = await rig.send(forged(call, [debit(10, { currency: 'USD' })]));
      expect(inDollars.status).toBe(401);
      expect((inDollars.body as { errorCode: { id: number } }).errorCode.id).toBe(1001);
    }
    expect(await first.balance()).toBe(euros(90));
  });

  test('an amount is no hash: what was signed as [7001: 5][7002: 1] pays no credit of 7002', async () => {
    await first.call([debit(10)]);
    const call = sign(credit(5, { hash: '7001' }), credit(1, { hash: '7002' }));
    expect((await first.send(call)).status).toBe(200);
    const moved = [
      { type: 'end', hash: '7001' },
      credit(7002, { hash: '5' }),
      { type: 'end', hash: '1' },
    ];
    for (const rig of [first, second]) {
      expect((await rig.send(forged(call, moved))).status).toBe(401);
    }
    expect(await first.balance()).toBe(euros(96));
  });

  test('a call that is sent again, signed anew, is guarded under each of its signatures', async () => {
    const calls = [sign(debit(10)), sign(debit(10)), sign(debit(10))];
    for (const call of calls) expect((await first.send(call)).status).toBe(200);
    for (const call of calls) {
      const asVoid = forged(call, [{ ...voidOfDebit, amount: 10 }]);
      expect((await second.send(asVoid)).status).toBe(503);
      expect((await second.send(call)).status).toBe(200);
    }
    expect(await first.balance()).toBe(euros(90));
  });

  test('what a call adds to a known debit is guarded as well', async () => {
    await first.call([debit(10)]);
    const call = sign(debit(10), credit(20));
    expect((await first.send(call)).status).toBe(200);
    const asVoid = [
      { ...voidOfDebit, amount: 10 },
      { type: 'void', hash: 'credit-1', amount: 20 },
    ];
    expect((await second.send(forged(call, asVoid))).status).toBe(503);
    expect(await first.balance()).toBe(euros(110));
  });

  test('a captured void that came before its debit is no credit', async () => {
    await first.call([debit(10)]);
    const call = sign({ type: 'void', hash: 'late', amount: 50 });
    expect((await first.send(call)).status).toBe(200);
    expect((await second.send(forged(call, [credit(50, { hash: 'late' })]))).status).toBe(401);
    expect(await first.balance()).toBe(euros(90));
  });

  test('a repeat byte by byte is answered again everywhere, and a new signature carries any body', async () => {
    const call = sign(debit(10), credit(20), end);
    for (const rig of [first, second, first, second]) {
      expect((await rig.send(call)).status).toBe(200);
    }
    expect((await second.call([voidOfDebit])).status).toBe(200);
    expect(await first.balance()).toBe(euros(100));
  });
});

describe('D1.8 voids alone under a known signature', () => {
  const at = Date.UTC(2026, 2, 1, 12);
  const wholeSecond = () => {
    const signer = createRequestSigner({ operatorId, secret, now: () => at });
    return (...transactions: readonly object[]) => signer.doTransactions(bodyOf(transactions));
  };
  const clocked = async (): Promise<Rig> => {
    return createRig({ store, clock: Object.assign(new LeapingClock(), { now: () => at + 500 }) });
  };

  test('of the same second as a debit whose 200 was lost: 503, and processed once it is signed anew', async () => {
    const rig = await clocked();
    const request = wholeSecond();
    expect((await rig.send(request(debit(10)))).status).toBe(200);
    const order = { ...voidOfDebit, amount: 10 };
    expect((await rig.send(request(order))).status).toBe(503);
    expect(await stateOf()).toBe('open');
    const signer = createRequestSigner({ operatorId, secret, now: () => at + 1000 });
    expect((await rig.send(signer.doTransactions(bodyOf([order])))).status).toBe(200);
    expect(await first.balance()).toBe(euros(100));
    await rig.close();
  });

  test('of a debit that the record says was answered 5xx: processed, at another process too', async () => {
    const rig = await clocked();
    const request = wholeSecond();
    rig.store.fail('commit', 'hang', 'after');
    expect((await rig.send(request(debit(10)))).status).toBe(503);
    rig.store.heal();
    await untilCancelled();
    const other = await clocked();
    const order = request({ ...voidOfDebit, amount: 10 });
    expect((await other.send(order)).status).toBe(200);
    expect((await rig.send(order)).status).toBe(200);
    expect(await first.balance()).toBe(euros(100));
    expect(await stateOf()).toBe('voided');
    await rig.close();
    await other.close();
  });
});

describe('D7 only what a delivery itself wrote is marked by it', () => {
  test('a repeat of an answered debit that ends in 503 makes no void due and cancels nothing', async () => {
    const call = sign(debit(10));
    expect((await first.send(call)).status).toBe(200);
    for (const rig of [first, second]) {
      rig.store.fail('load', 'unknown');
      expect((await rig.send(call)).status).toBe(503);
      rig.store.heal();
    }
    await first.close(); // what goes on in the background is done
    await second.close();
    first = await createRig({ store });
    second = await createRig({ store });
    expect(await stateOf()).toBe('open');
    const asVoid = forged(call, [{ ...voidOfDebit, amount: 10 }]);
    expect((await first.send(asVoid)).status).toBe(503);
    expect((await second.call([credit(20)])).status).toBe(200);
    expect(await first.balance()).toBe(euros(110));
  });
});

describe('D1.8 what a body that its signature does not name leaves behind', () => {
  test('no mark, where it ends in 5xx before the record refused it', async () => {
    await first.call([debit(10)]);
    const call = sign(credit(5, { hash: '7001' }), credit(1, { hash: '7002' }));
    expect((await first.send(call)).status).toBe(200);
    second.store.fail('load', 'unknown');
    const asDebit = [
      credit(0, { hash: '7001' }),
      debit(7002, { hash: '5', isFirstDebit: false }),
      { type: 'end', hash: '1' },
    ];
    expect((await second.send(forged(call, asDebit))).status).toBe(503);
    second.store.heal();
    await second.close(); // what goes on in the background is done
    second = await createRig({ store });
    expect(await stateOf()).toBe('open');
    expect((await second.call([credit(20)])).status).toBe(200);
    expect(await first.balance()).toBe(euros(116));
  });

  test('nothing that a debit answered by a repeat could be marked by', async () => {
    await first.close();
    const clock = new LeapingClock();
    first = await createRig({ store, clock });
    first.store.onHang = () => {}; // its deadline passes after the repeat
    const call = sign(debit(10));
    first.store.fail('commit', 'hang', 'after');
    const original = first.send(call).then((answer) => answer.status);
    await until('the debit is written', async () => (await stateOf()) === 'open');
    expect((await second.send(call)).status).toBe(200);
    clock.leapSoon();
    expect(await original).toBe(503);
    first.store.heal();
    await first.close(); // what goes on in the background is done
    first = await createRig({ store });
    expect(await stateOf()).toBe('open');
    const asVoid = forged(call, [{ ...voidOfDebit, amount: 10 }]);
    expect((await second.send(asVoid)).status).toBe(503);
    expect((await second.call([credit(50)])).status).toBe(200);
    expect(await first.balance()).toBe(euros(140));
  });
});

describe('D7 an error while the reply is written', () => {
  test('makes 503 of a call with a debit, whose void then takes everything back', async () => {
    const rig = await broken(1);
    const answer = await rig.call([debit(10), credit(50)]);
    expect(answer.status).toBe(503);
    await untilCancelled();
    expect((await rig.call([voidOfDebit])).status).toBe(200);
    expect(await first.balance()).toBe(euros(100));
    await rig.close();
  });

  test('makes 4xx of a credit alone, its hash left out, and the next attempt is answered as processed', async () => {
    await first.call([debit(10)]);
    const rig = await broken(1);
    const answer = await rig.call([credit(50)]);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ errorCode: { id: 9007 }, hashesProcessed: [] });
    expect((await rig.call([credit(50)])).status).toBe(200);
    expect(await first.balance()).toBe(euros(140));
    await rig.close();
  });

  test('cuts the connection of a call that is refused, and of getBalance', async () => {
    const rig = await broken(Number.POSITIVE_INFINITY);
    const malformed = rig.signer.doTransactions(bodyOf([{ type: 'credit', hash: 'c' }]));
    await expect(rig.send(malformed)).rejects.toThrow();
    await expect(rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }))).rejects.toThrow();
    await rig.close();
  });

  test('cuts the connection where no reply can be written at all', async () => {
    const rig = await broken(Number.POSITIVE_INFINITY);
    await expect(rig.call([debit(10)])).rejects.toThrow();
    expect((await first.call([voidOfDebit])).status).toBe(200);
    expect(await first.balance()).toBe(euros(100));
    await rig.close();
  });
});
