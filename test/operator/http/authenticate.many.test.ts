import crypto from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Secret } from '../../../lib/protocol/signature';
import { systemClock } from '../../../lib/platform';
import { type Vector, vectorFile } from '../../protocol/signature/vectors';
import {
  type Answer,
  bodyOf,
  createRig,
  debit,
  end,
  euros,
  headersFor,
  type Mount,
  mounts,
  operatorId,
  playerId,
  type Rig,
  secret,
  signedRest,
} from './rig';

const iso = (offsetMs = 0) => new Date(Date.now() + offsetMs).toISOString();
const rest = signedRest(['round-1', 10]);
const post = (body: string, headers: Record<string, string>) =>
  ({ method: 'POST', path: '/doTransactions', body, headers }) as const;

/** All that a caller can see of an answer, but for the moment it was given. */
function seen({ status, text, headers }: Answer): object {
  const { date: _date, ...others } = headers as Record<string, string>;
  return { status, text, others };
}

describe.each<[Mount]>(mounts.map((mount) => [mount]))('behind %s', (mount) => {
  let rig: Rig;

  beforeAll(async () => {
    const operators = [{ operatorId, secrets: [secret, 'older-secret-0123456789'] }];
    rig = await createRig({ operators }, mount);
  });

  afterAll(() => rig.close());

  test('whatever is wrong with who is calling gets the same bytes (D1.1)', async () => {
    const body = bodyOf([debit()]);
    const good = headersFor(rest);
    const without = (name: string) => ({ ...good, [name]: '' });
    const wrong: readonly Record<string, string>[] = [
      headersFor(rest, { id: 'nobody' }),
      headersFor(rest, { key: 'another-secret-0123456789' }),
      headersFor(`${rest}#1`),
      headersFor(rest, { timestamp: iso(-301_000) }),
      headersFor(rest, { timestamp: iso(400_000) }),
      headersFor(rest, { timestamp: '2026-02-30T12:00:00Z' }),
      headersFor(rest, { timestamp: 'now' }),
      { ...good, 'X-H-AUTH-SIG': 'AAAA' },
      { ...good, 'X-H-AUTH-SIG': '*' },
      { ...good, 'X-H-AUTH-ID': 'acme2' },
      { ...good, 'X-H-AUTH-ID': 'ACME' },
      { ...good, 'X-H-TIMESTAMP': iso(1) },
      without('X-H-AUTH-ID'),
      without('X-H-AUTH-SIG'),
      without('X-H-TIMESTAMP'),
      { 'Content-Type': 'application/json' },
    ];
    const answers: object[] = [];
    for (const headers of wrong) answers.push(seen(await rig.send(post(body, headers))));
    const [first] = answers;
    for (const answer of answers) expect(answer).toEqual(first);
    expect(first).toMatchObject({ status: 401 });
    const { errorCode } = JSON.parse((first as { text: string }).text) as { errorCode: unknown };
    expect(errorCode).toEqual({
      id: 1001,
      msg: 'The request could not be authenticated.',
      clientmsg: expect.any(String),
    });
    expect(await rig.balance()).toBe(euros(100));
  });

  test('getBalance answers who it does not know with the same bytes, too (D1.1)', async () => {
    const path = '/getBalance?playerId=player-1&currency=EUR';
    const get = (headers: Record<string, string>) => rig.send({ method: 'GET', path, headers });
    const answers = [
      await get({}),
      await get(headersFor('#player-1#EUR', { id: 'nobody' })),
      await get(headersFor('#player-1#USD')),
      await get(headersFor('#player-1#EUR', { timestamp: iso(-301_000) })),
    ].map(seen);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 401 });
  });

  test('every current secret is accepted, and no other (D1.2)', async () => {
    const keys = ['older-secret-0123456789', secret, 'oldest-secret-0123456789'];
    const statuses: number[] = [];
    for (const key of keys) {
      const headers = headersFor(signedRest(['end-1']), { key });
      statuses.push((await rig.send(post(bodyOf([end]), headers))).status);
    }
    expect(statuses).toEqual([400, 400, 401]);
  });

  test.each([
    ['without milliseconds', () => `${iso().slice(0, 19)}Z`],
    ['without a zone', () => iso().slice(0, 19)],
    ['in another zone', () => `${iso(3_600_000).slice(0, 19)}+01:00`],
    ['four minutes ago', () => iso(-240_000)],
    ['in four minutes', () => iso(240_000)],
  ])('a timestamp %s is accepted (D1.3)', async (name, timestamp) => {
    const hash = `e-${name}`;
    const headers = headersFor(signedRest([hash]), { timestamp: timestamp() });
    expect((await rig.send(post(bodyOf([{ ...end, hash }]), headers))).status).toBe(400);
  });

  test('10.50 may be signed as sent or in its shortest form, and moves 10.5 (D1.5)', async () => {
    const body = bodyOf([debit(0)], { gameRound: 'r-d15' }).replace('"amount":0', '"amount":10.50');
    const before = await rig.balance();
    const short = headersFor(signedRest(['round-1', '10.5']).replace('#round-1', '#r-d15'));
    expect((await rig.send(post(body, short))).status).toBe(200);
    const asSent = headersFor(signedRest(['round-1', '10.50']).replace('#round-1', '#r-d15'));
    expect((await rig.send(post(body, asSent))).status).toBe(200);
    expect(await rig.balance()).toBe(before - 105_000n);
  });

  test.each([
    ['#', { playerId: 'a#b' }, 'playerId'],
    ['a control character', { gameCode: 'a\u0007' }, 'gameCode'],
    ['a number for a text', { gameRound: 1 }, 'gameRound'],
    ['nothing for a text', { playerId: undefined }, 'playerId'],
    ['no list of transactions', { transactions: 'none' }, 'transactions'],
    [
      'a text for an amount',
      { transactions: [{ ...debit(), amount: '1' }] },
      'transactions/0/amount',
    ],
  ])(
    '%s in a signed field is refused with 19, before the signature (D1.6, D1.7)',
    async (_, more, field) => {
      const answer = await rig.send(post(bodyOf([debit()], more), headersFor('#whatever')));
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ errorCode: expect.objectContaining({ id: 19 }) });
      expect((answer.body as { errorCode: { msg: string } }).errorCode.msg).toContain(field);
    },
  );

  test('a field that cannot be signed is named only to timely callers (D1.7)', async () => {
    const body = bodyOf([debit()], { playerId: 'a#b' });
    expect((await rig.send(post(body, { 'Content-Type': 'application/json' }))).status).toBe(401);
    const late = headersFor('#x', { timestamp: iso(-400_000) });
    expect((await rig.send(post(body, late))).status).toBe(401);
  });

  test('a missing header, a stale timestamp or what is no signature is refused before the body is parsed, but after its size and type (D1.7)', async () => {
    const stale = headersFor('#x', { timestamp: iso(-301_000) });
    const formless = { ...headersFor('#x'), 'X-H-AUTH-SIG': '*'.repeat(44) };
    const none = { 'Content-Type': 'application/json' };
    const wrong = [stale, none, { ...stale, 'X-H-AUTH-ID': '' }, formless];
    for (const headers of wrong) {
      for (const body of ['', '{', '[]', '\u0000', `[${'[],'.repeat(80_000)}[]]`]) {
        expect((await rig.send(post(body, headers))).status).toBe(401);
      }
      expect((await rig.send(post(' '.repeat(262_145), headers))).status).toBe(413);
      const asText = { ...headers, 'Content-Type': 'text/plain' };
      expect((await rig.send(post('{', asText))).status).toBe(415);
    }
    expect((await rig.send(post('{', headersFor('#x')))).status).toBe(400);
  });

  test('a missing header or a stale timestamp is refused before a query is read (D1.7)', async () => {
    const path = '/getBalance?playerId=%zz&playerId=x';
    const get = (headers: Record<string, string>) => rig.send({ method: 'GET', path, headers });
    expect((await get({})).status).toBe(401);
    expect((await get(headersFor('#x', { timestamp: iso(-301_000) }))).status).toBe(401);
    expect((await get(headersFor('#x'))).status).toBe(400);
  });

  test('other faults of the body are named only to authenticated callers (D1.7)', async () => {
    const body = bodyOf([debit(10, { type: 'bonus' })]);
    const stranger = await rig.send(post(body, headersFor(rest, { key: 'x'.repeat(16) })));
    expect(stranger.status).toBe(401);
    const known = await rig.send(post(body, headersFor(rest)));
    expect(known.status).toBe(400);
    expect((known.body as { errorCode: { msg: string } }).errorCode.msg).toContain(
      'transactions/0/type',
    );
  });

  test('the same signature with another body is refused, with the same body answered again (D1.8)', async () => {
    const round = { gameRound: 'r-d18' };
    const headers = headersFor(signedRest(['round-1', 10]).replace('#round-1', '#r-d18'));
    const body = bodyOf([debit()], round);
    const before = await rig.balance();
    expect((await rig.send(post(body, headers))).status).toBe(200);
    const asVoid = await rig.send(post(body.replace('"debit"', '"void"'), headers));
    expect(asVoid.status).toBe(503);
    const asCredit = await rig.send(post(body.replace('"debit"', '"credit"'), headers));
    expect(asCredit.status).toBe(401);
    expect((asCredit.body as { errorCode: { id: number } }).errorCode.id).toBe(1001);
    const inDollars = await rig.send(post(body.replace('"EUR"', '"USD"'), headers));
    expect(inDollars.status).toBe(401);
    expect((await rig.send(post(body, headers))).status).toBe(200);
    expect(await rig.balance()).toBe(before - euros(10));
  });
});

test('a request that is not verified makes no trip to the store', async () => {
  const rig = await createRig();
  for (const method of ['load', 'commit', 'accounts'] as const) rig.store.fail(method, 'hang');
  const wrong = { 'X-H-AUTH-SIG': Buffer.alloc(32).toString('base64') };
  const balance = rig.signer.getBalance({ playerId, currency: 'EUR' });
  const call = rig.signer.doTransactions(bodyOf([debit()]));
  for (const request of [balance, call]) {
    expect((await rig.send(request, wrong)).status).toBe(401);
  }
  expect(rig.store.hanging).toBe(0);
  await rig.close();
});

test('a wrong signature costs the same number of HMACs for any operator id, headers that cannot be right none (D1.1, D1.7)', async () => {
  const operators = [
    { operatorId, secrets: [secret] },
    { operatorId: 'rotating', secrets: [secret, 'older-secret-0123456789'] },
  ];
  const rig = await createRig({ operators });
  const mac = jest.spyOn(Secret.prototype, 'mac');
  try {
    const good = headersFor(rest);
    const wrong: readonly Record<string, string>[] = [
      headersFor(rest, { key: 'another-secret-0123456789' }),
      headersFor(rest, { id: 'nobody' }),
      headersFor(rest, { id: 'rotating', key: 'another-secret-0123456789' }),
    ];
    const refusedByHeaders: readonly Record<string, string>[] = [
      headersFor(rest, { timestamp: iso(-301_000) }),
      headersFor(rest, { id: 'nobody', timestamp: iso(-301_000) }),
      { ...good, 'X-H-AUTH-SIG': '' },
      { ...good, 'X-H-AUTH-SIG': 'AAAA' },
      { ...headersFor(rest, { id: 'nobody' }), 'X-H-AUTH-SIG': 'AAAA' },
    ];
    const costs: number[] = [];
    for (const headers of [...wrong, ...refusedByHeaders]) {
      mac.mockClear();
      expect((await rig.send(post(bodyOf([debit()]), headers))).status).toBe(401);
      costs.push(mac.mock.calls.length);
    }
    expect(costs).toEqual([...wrong.map(() => 2), ...refusedByHeaders.map(() => 0)]);
  } finally {
    mac.mockRestore();
    await rig.close();
  }
});

test('a wrong signature costs the same number of SHA-256 blocks for any operator id, however long the secrets are (D1.1)', async () => {
  const lengths: readonly (readonly number[])[] = [[16], [17, 40], [1000], [63, 64, 65]];
  const rig = await createRig({
    operators: [
      { operatorId, secrets: [secret] },
      ...lengths.map((own, at) => ({
        operatorId: `op-${at}`,
        secrets: own.map((length) => 'é'.repeat(length >> 1) + 'x'.repeat(length % 2)),
      })),
    ],
  });
  const hashed = countHashes();
  try {
    const ids = [operatorId, 'none', ...lengths.map((_, at) => `op-${at}`)];
    // A step of one byte finds where a text of one secret fills its last block and that of another does not.
    for (let more = 0; more < 64; more++) {
      const body = bodyOf([debit()], { gameRound: 'r'.repeat(1 + more) });
      const costs: string[] = [];
      for (const id of ids) {
        const headers = headersFor(rest, { id, key: 'another-secret-0123456789' });
        hashed.sizes.length = 0;
        expect((await rig.send(post(body, headers))).status).toBe(401);
        costs.push(hashed.cost());
      }
      expect(new Set(costs).size).toBe(1);
    }
  } finally {
    hashed.restore();
    await rig.close();
  }
});

test('secrets of one length cost no more than their own HMACs (D1.1)', async () => {
  const operators = [
    { operatorId, secrets: [secret] },
    { operatorId: 'other', secrets: ['x'.repeat(secret.length)] },
  ];
  const rig = await createRig({ operators });
  const request = post(bodyOf([end]), headersFor('#x'));
  const hashed = countHashes();
  try {
    expect((await rig.send(request)).status).toBe(401);
    expect(hashed.sizes).toHaveLength(2);
  } finally {
    hashed.restore();
    await rig.close();
  }
});

/** Counts hashes and the blocks of 64 bytes that they hash, padding and length included; an HMAC is two of them. */
function countHashes() {
  const sizes: number[] = [];
  const { hash, createHmac } = crypto;
  const hashing = jest.spyOn(crypto, 'hash').mockImplementation((...args) => {
    sizes.push(Buffer.byteLength(args[1]));
    return hash(...args);
  });
  const signing = jest.spyOn(crypto, 'createHmac').mockImplementation((algorithm, key) => {
    const keyBytes = lengthOf(key);
    if (keyBytes > 64) sizes.push(keyBytes);
    const hmac = createHmac(algorithm, key);
    const update = hmac.update.bind(hmac);
    hmac.update = (data: crypto.BinaryLike) => {
      // The inner hash begins with a block of the key, the outer one has that and a digest.
      sizes.push(64 + Buffer.byteLength(data), 64 + 32);
      return update(data);
    };
    return hmac;
  });
  return {
    sizes,
    cost: () => `${sizes.length} hashes, ${sizes.reduce((sum, size) => sum + blocksOf(size), 0)}`,
    restore: () => {
      hashing.mockRestore();
      signing.mockRestore();
    },
  };
}

function lengthOf(key: crypto.BinaryLike | crypto.KeyObject): number {
  return key instanceof crypto.KeyObject ? (key.symmetricKeySize ?? 0) : Buffer.byteLength(key);
}

function blocksOf(bytes: number): number {
  return Math.ceil((bytes + 9) / 64);
}

test('a process remembers so many signatures and forgets the oldest first; the record does not (D1.8)', async () => {
  const rig = await createRig({ rememberedSignatures: 1000 });
  try {
    const headers = headersFor(rest);
    const body = bodyOf([debit()]);
    expect((await rig.send(post(body, headers))).status).toBe(200);
    const load = jest.spyOn(rig.store.rounds, 'load');
    const captured = body.replace('"debit"', '"credit"');
    const callAnother = (at: number) => rig.call([end], { gameRound: `another-${at}` });
    for (let at = 0; at < 999; at++) await callAnother(at);
    // A query cannot be replayed as a call: it takes no place.
    await rig.send(rig.signer.getBalance({ playerId, currency: 'EUR' }));
    load.mockClear();
    expect((await rig.send(post(captured, headers))).status).toBe(401);
    expect(load).not.toHaveBeenCalled();
    await callAnother(999);
    load.mockClear();
    expect((await rig.send(post(captured, headers))).status).toBe(401);
    expect(load).toHaveBeenCalledTimes(1);
  } finally {
    await rig.close();
  }
});

test('the tolerance is what was set, to the millisecond, by the clock that was given (D1.3)', async () => {
  const now = Date.UTC(2026, 2, 1, 12);
  const clock = {
    ...systemClock,
    now: () => now,
    pause: () => new Promise<void>(() => {}),
    after: () => () => {},
  };
  const rig = await createRig({ clock, clockToleranceMs: 1000 });
  try {
    const status = async (offMs: number) => {
      const hash = `e-${offMs}`;
      const timestamp = new Date(now + offMs).toISOString();
      const headers = headersFor(signedRest([hash]), { timestamp });
      return (await rig.send(post(bodyOf([{ ...end, hash }]), headers))).status;
    };
    expect([await status(-1001), await status(-1000)]).toEqual([401, 400]);
    expect([await status(1001), await status(1000)]).toEqual([401, 400]);
  } finally {
    await rig.close();
  }
});

describe('the published vectors, over HTTP', () => {
  const served = vectorFile.vectors.filter(({ operation }) =>
    ['doTransactions', 'getBalance'].includes(operation),
  );
  const now = Date.parse(served[0]?.timestamp ?? '');
  const clock = {
    ...systemClock,
    now: () => now,
    pause: () => new Promise<void>(() => {}),
    after: () => () => {},
  };
  const [first] = served;
  const operators = [{ operatorId: first?.operatorId ?? '', secrets: [first?.secret ?? ''] }];

  const send = async (vector: Vector) => {
    const rig = await createRig({ clock, operators });
    try {
      const headers = {
        'X-H-AUTH-ID': vector.operatorId,
        'X-H-TIMESTAMP': vector.timestamp,
        'X-H-AUTH-SIG': vector.signature,
        'Content-Type': 'application/json',
      };
      if (vector.body !== undefined) return await rig.send(post(vector.body, headers));
      return await rig.send({ method: 'GET', path: `/getBalance?${vector.query ?? ''}`, headers });
    } finally {
      await rig.close();
    }
  };

  test.each(served.filter(({ valid }) => valid))('$operation: $why: is let in', async (vector) => {
    const { status } = await send(vector);
    expect([200, 400]).toContain(status);
  });

  test.each(served.filter(({ valid }) => !valid))(
    '$operation: $why: is kept out',
    async (vector) => {
      expect((await send(vector)).status).toBe(vector.signed === undefined ? 400 : 401);
    },
  );
});

test('the id of an operator may be beyond ASCII, as UTF-8 in the header', async () => {
  const id = 'opérateur-玩';
  const rig = await createRig({ operators: [{ operatorId: id, secrets: [secret] }] });
  try {
    const headers = headersFor(signedRest(['end-1']), { id });
    const utf8 = { 'X-H-AUTH-ID': Buffer.from(id).toString('latin1') };
    expect((await rig.send(post(bodyOf([end]), { ...headers, ...utf8 }))).status).toBe(400);
  } finally {
    await rig.close();
  }
});
