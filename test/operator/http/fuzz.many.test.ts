import { Agent, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Fault, FaultyMethod } from '../../proof/faults/store';
import { LeapingClock } from '../../platform/leaping-clock';
import { createRig, credit, debit, end, headersFor, playerId, type Rig } from './rig';
import { runs } from '../../support/runs';

const agent = new Agent({ keepAlive: true });
let rig: Rig;
let rounds = 0;

beforeAll(async () => {
  rig = await createRig({ clock: new LeapingClock() });
});

afterAll(async () => {
  agent.destroy();
  await rig.close();
});

/** A call as it is before it is mutated. */
interface Original {
  readonly gameRound: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a mutated call was answered. */
interface Answer {
  readonly status: number;
  readonly text: string;
}

function post(body: Buffer, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const { port } = rig.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        port,
        agent,
        method: 'POST',
        path: '/doTransactions',
        headers: { ...headers, 'Content-Length': body.length },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => void (text += piece));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject).end(body);
  });
}

/** A signed call of a round of its own, which is open. */
async function originalOf(transactions: readonly object[]): Promise<Original> {
  const gameRound = `fuzz-${++rounds}`;
  await rig.call([debit(0, { hash: 'first' })], { gameRound });
  const ids = { playerId, gameCode: 'bells', gameRound };
  const body = JSON.stringify({ ...ids, transactions, transactionCount: transactions.length });
  const rest = ['', playerId, 'bells', gameRound, ...signedPairs(transactions)].join('#');
  return { gameRound, body, headers: headersFor(rest) };
}

function signedPairs(transactions: readonly object[]): (string | number)[] {
  return (transactions as { hash: string; amount?: number }[]).flatMap(({ hash, amount = 0 }) =>
    amount === 0 ? [hash] : [hash, amount],
  );
}

/** What is put into a body: signs of JSON, words of the protocol, and what a parser may stumble on. */
const fragments =
  String.raw`" { } [ ] , : \ # 0 1 .0 e1 - 1e999 debit credit void end VOID EUR USD true null
  "amount":1, "hash":"x", "__proto__":{}, "serial":"s", "isFirstDebit":true, ,{"type":"end","hash":"e"}
  [[[[[[[[[[[[[[[[[ \u0000 \ud800 😀 first credit-1 "transactionCount":2,`
    .split(/\s+/)
    .concat(' ', '\n', '\u0000', '\ufeff')
    .map((text) => Buffer.from(text));

const mutation = fc.record({
  position: fc.nat(),
  removed: fc.nat(6),
  inserted: fc.oneof(
    fc.constantFrom(...fragments),
    fc.uint8Array({ maxLength: 3 }),
    fc.constant(Buffer.alloc(0)),
  ),
});

function mutate(
  body: string,
  mutations: readonly (typeof mutation extends fc.Arbitrary<infer M> ? M : never)[],
): Buffer {
  let bytes = Buffer.from(body);
  for (const { position, removed, inserted } of mutations) {
    const at = position % (bytes.length + 1);
    bytes = Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
  }
  return bytes;
}

/** What of a body is signed, by value; null where it is no call. */
function signedPart(bytes: Buffer): object | null {
  try {
    const call = JSON.parse(bytes.toString()) as Record<string, unknown>;
    const transactions = call['transactions'] as { hash: string; amount?: number | null }[];
    const pairs = transactions.map(({ hash, amount }) => [hash, amount ?? 0]);
    return [call['playerId'], call['gameCode'], call['gameRound'], pairs];
  } catch {
    return null;
  }
}

function typesOf(bytes: Buffer): string[] {
  const call = JSON.parse(bytes.toString()) as { transactions: { type: string }[] };
  return call.transactions.map(({ type }) => type.toLowerCase());
}

const calls = fc.constantFrom<readonly object[]>(
  [credit()],
  [credit(20), end],
  [credit(1.5), credit(0, { hash: 'credit-2' })],
  [debit(1, { isFirstDebit: false, hash: 'debit-2' }), credit()],
  [{ type: 'VOID', hash: 'first', amount: 5, currency: 'EUR' }],
  [end],
);
const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });

test('a call whose body was changed on the way is processed only where what is signed is the same', async () => {
  await fc.assert(
    fc.asyncProperty(calls, mutations, async (transactions, changes) => {
      const original = await originalOf(transactions);
      const body = mutate(original.body, changes);
      const before = await rig.balance();
      const { status, text } = await post(body, original.headers);
      expect([200, 400, 401]).toContain(status);
      const answer = JSON.parse(text) as { hashesProcessed?: object[]; errorCode?: { id: number } };
      const isProcessed = answer.hashesProcessed !== undefined;
      if (isProcessed) expect(signedPart(body)).toEqual(signedPart(Buffer.from(original.body)));
      else {
        expect(answer.errorCode?.id).toEqual(expect.any(Number));
        expect(await rig.balance()).toBe(before);
      }
    }),
    { numRuns: runs(1500) },
  );
});

test('a call whose headers were changed on the way is never processed', async () => {
  const names = fc.constantFrom('X-H-AUTH-ID', 'X-H-AUTH-SIG', 'X-H-TIMESTAMP');
  const value = fc.string({ unit: 'grapheme-ascii', maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      calls,
      names,
      fc.nat(),
      fc.nat(3),
      value,
      async (transactions, name, position, removed, inserted) => {
        const original = await originalOf(transactions);
        const held = original.headers[name] ?? '';
        const at = position % (held.length + 1);
        const changed = held.slice(0, at) + inserted + held.slice(at + removed);
        // White space around a value is no part of it.
        if (changed.trim() === held) return;
        const before = await rig.balance();
        const { status } = await post(Buffer.from(original.body), {
          ...original.headers,
          [name]: changed,
        });
        expect(status).toBe(401);
        expect(await rig.balance()).toBe(before);
      },
    ),
    { numRuns: runs(500) },
  );
});

test('a call with a credit and no debit is never answered 5xx, however it was changed and whatever the store does (O6)', async () => {
  const fault = fc.constantFrom<Fault | null>('unknown', 'throw', 'hang', null);
  const method = fc.constantFrom<FaultyMethod>('load', 'commit');
  await fc.assert(
    fc.asyncProperty(
      mutations,
      fault,
      method,
      fc.boolean(),
      async (changes, kind, where, isChanged) => {
        const original = await originalOf([credit(), end]);
        const body = isChanged ? mutate(original.body, changes) : Buffer.from(original.body);
        if (kind !== null) rig.store.fail(where, kind);
        const { status } = await post(body, original.headers);
        rig.store.heal();
        if (status < 500) return;
        // What is left was changed into a call that holds no credit, or a debit.
        const types = typesOf(body);
        expect(types.includes('debit') || !types.includes('credit')).toBe(true);
      },
    ),
    { numRuns: runs(400) },
  );
});
