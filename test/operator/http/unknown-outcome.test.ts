import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemRandom } from '../../../lib/platform';
import { createRequestSigner } from '../../../lib/proof';
import type { Fault, FaultyMethod } from '../../proof/faults/store';
import { until } from '../../servers/until';
import { LeapingClock } from '../../platform/leaping-clock';
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

const round = { operatorId, playerId, gameRound: 'round-1' };
const followUp = { ...debit(5), isFirstDebit: false, hash: 'debit-2' };

interface Body {
  readonly hashesProcessed: readonly { readonly hash: string; readonly errorCode?: object }[];
  readonly errorCode?: { readonly id: number };
  readonly balances?: readonly object[];
}

let rig: Rig;

beforeEach(async () => {
  rig = await createRig({ clock: new LeapingClock() });
});

afterEach(() => rig.close());

async function stateOf(): Promise<string> {
  return (await rig.store.rounds.readRound(round))?.head.state ?? 'none';
}

async function attention(): Promise<string[]> {
  const found: string[] = [];
  for await (const { gameRound, state } of rig.store.lists.attention(operatorId))
    found.push(`${gameRound} ${state}`);
  return found;
}

const faults: readonly (readonly [FaultyMethod, Fault, 'before' | 'after'])[] = [
  ['commit', 'unknown', 'before'],
  ['commit', 'hang', 'before'],
  ['commit', 'hang', 'after'],
  ['commit', 'throw', 'before'],
  ['commit', 'throw', 'after'],
  ['load', 'unknown', 'before'],
  ['load', 'hang', 'before'],
  ['load', 'throw', 'before'],
];

describe.each(faults)('with a store whose %s is %s, %s it was done', (method, fault, when) => {
  test('a call with a debit is answered 5xx, cancelled, and nets to zero once voided (D7, O5)', async () => {
    await rig.call([debit()]);
    rig.store.fail(method, fault, when);
    const answer = await rig.call([followUp, credit(), end]);
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({
      hashesProcessed: [],
      errorCode: { id: 9007, msg: expect.any(String), clientmsg: expect.any(String) },
    });
    rig.store.heal();
    await until('the mark', async () => (await attention()).includes('round-1 cancelled'));
    await rig.call([{ type: 'void', hash: 'debit-2', amount: 5, currency: 'EUR' }]);
    await rig.call([voidOfDebit]);
    expect(await attention()).toEqual([]);
    expect(await stateOf()).toBe('voided');
    expect(await rig.balance()).toBe(euros(100));
  });

  test('a call with a credit and no debit is answered 4xx, its hash left out, and pays once when it comes again (D7, O6)', async () => {
    await rig.call([debit()]);
    rig.store.fail(method, fault, when);
    const answer = await rig.call([credit(), end]);
    expect(answer.status).toBe(400);
    const { hashesProcessed, errorCode, balances } = answer.body as Body;
    expect([hashesProcessed, errorCode?.id, balances]).toEqual([[], 9007, undefined]);
    rig.store.heal();
    for (const _ of [1, 2]) {
      const again = await rig.call([credit(), end]);
      expect(again.status).toBe(200);
      expect((again.body as Body).hashesProcessed.map(({ hash }) => hash)).toEqual([
        'credit-1',
        'end-1',
      ]);
    }
    expect(await rig.balance()).toBe(euros(110));
    expect(await attention()).toEqual([]);
  });

  test.each([
    ['a void', [voidOfDebit], 'voided'],
    ['an end', [end], 'closed'],
    ['an end and a void', [end, voidOfDebit], 'voided'],
  ] as const)(
    'a call of %s is answered 5xx and done once when it comes again (D7)',
    async (_, call, state) => {
      await rig.call([debit()]);
      rig.store.fail(method, fault, when);
      const answer = await rig.call(call);
      expect([answer.status, (answer.body as Body).hashesProcessed]).toEqual([503, []]);
      rig.store.heal();
      expect((await rig.call(call)).status).toBe(200);
      expect(await stateOf()).toBe(state);
      expect(await rig.balance()).toBe(euros(state === 'voided' ? 100 : 90));
    },
  );
});

describe('a call that opens a round', () => {
  test.each([
    ['unknown', 'before'],
    ['unknown', 'after'],
    ['hang', 'after'],
    ['throw', 'after'],
  ] as const)(
    'is answered 5xx with a commit %s %s it was done, and nets to zero once voided',
    async (fault, when) => {
      rig.store.fail('commit', fault, when);
      rig.store.fail('load', fault, when);
      const answer = await rig.call([debit(), credit(50), end]);
      expect(answer.status).toBe(503);
      rig.store.heal();
      await until('the mark', async () => (await attention()).includes('round-1 cancelled'));
      const again = await rig.call([debit(), credit(50), end]);
      expect([again.status, (again.body as Body).hashesProcessed]).toEqual([503, []]);
      expect((await rig.call([voidOfDebit])).status).toBe(200);
      expect(await stateOf()).toBe('voided');
      expect(await rig.balance()).toBe(euros(100));
    },
  );

  test('is voided for good when its void comes before its own late commit', async () => {
    rig.store.fail('commit', 'hang', 'before');
    const answering = rig.call([debit()]).then((answer) => answer);
    await until('the commit', () => rig.store.hanging > 0);
    expect((await answering).status).toBe(503);
    rig.store.heal();
    await rig.call([voidOfDebit]);
    const late = await rig.call([debit()]);
    expect([late.status, (late.body as Body).errorCode?.id]).toEqual([400, 9003]);
    expect(await rig.balance()).toBe(euros(100));
  });
});

describe('an outcome that becomes known before the deadline', () => {
  beforeEach(async () => {
    await rig.close();
    rig = await createRig();
  });

  test.each([
    ['commit', 'before'],
    ['commit', 'after'],
    ['load', 'before'],
  ] as const)(
    'is answered correctly, though a %s was silent %s it was done',
    async (method, when) => {
      rig.store.fail(method, 'unknown', when, 3);
      const answer = await rig.call([debit()]);
      expect(answer.status).toBe(200);
      rig.store.heal();
      expect((await rig.call([debit()])).status).toBe(200);
      expect(await rig.balance()).toBe(euros(90));
    },
  );
});

test('what was processed before the unknown one is listed, and processing stops there (D6.1)', async () => {
  await rig.close();
  rig = await createRig({ clock: new LeapingClock(), creditTo: 'stakeShares' });
  await rig.call([debit()]);
  const answering = rig.call([followUp, credit(), end]).then((answer) => answer);
  const answer = await failSecondCommit(answering);
  expect(answer.status).toBe(503);
  const { hashesProcessed, errorCode } = answer.body as Body;
  expect(hashesProcessed).toEqual([{ hash: 'debit-2' }]);
  expect(errorCode?.id).toBe(9007);
});

/** A debit, then a credit by shares, are two commits: lets the second one fail. */
async function failSecondCommit<T>(answering: Promise<T>): Promise<T> {
  const { store } = rig;
  const commit = store.rounds.commit.bind(store.rounds);
  let commits = 0;
  store.rounds.commit = (key, change) => {
    commits++;
    if (commits === 2) store.fail('commit', 'unknown');
    return commit(key, change);
  };
  return answering;
}

test('an unknown outcome is never reported as a refusal, and a refusal never as unknown (D7)', async () => {
  await rig.call([debit(200)]);
  await rig.call([debit(200)]); // from now on the refusal is no delivery's own, and only its signature is noted
  rig.store.fail('commit', 'unknown');
  const refused = await rig.call([debit(200)]);
  expect(refused.status).toBe(400);
  const { hashesProcessed } = refused.body as Body;
  expect(hashesProcessed).toEqual([
    { hash: 'round-1', errorCode: expect.objectContaining({ id: 9001 }) },
  ]);
});

test('a refusal is asked for again where the round changed under it', async () => {
  const { store } = rig;
  const commit = store.rounds.commit.bind(store.rounds);
  const kinds: string[] = [];
  store.rounds.commit = async (key, change) => {
    // The second commit would record the refusal: another call comes first, and money with it.
    if (kinds.length === 1) {
      kinds.push('stale');
      const order = { operatorId, playerId, currency: 'EUR', amount: '100', reference: 'late' };
      await store.players.deposit(order);
      return { kind: 'stale' };
    }
    const result = await commit(key, change);
    kinds.push(result.kind);
    return result;
  };
  expect((await rig.call([debit(150)])).status).toBe(200);
  expect(kinds).toEqual(['refused', 'stale', 'committed']);
  expect(await rig.balance()).toBe(euros(50));
});

test('an error nobody foresaw moves nothing, and is no 5xx: it might be a credit (O6)', async () => {
  let isBroken = false;
  const bytes = (length: number): Buffer => {
    if (isBroken) throw new Error('out of order');
    return systemRandom.bytes(length);
  };
  const other = await createRig({ random: { ...systemRandom, bytes } });
  isBroken = true;
  const answer = await other.call([credit()]);
  expect([answer.status, answer.body]).toMatchObject([400, { errorCode: { id: 9000 } }]);
  expect(answer.text).not.toContain('out of order');
  expect(await other.balance()).toBe(euros(100));
  await other.close();
});

test('the void of a debit that was answered 5xx is let in with its signature, a credit is not (D1.8, D7)', async () => {
  const at = Date.now();
  const signer = createRequestSigner({ operatorId, secret, now: () => at });
  const send = (transaction: object) =>
    rig.send(signer.doTransactions(bodyOf([{ ...debit(), ...transaction }])));
  rig.store.fail('commit', 'hang', 'after');
  expect((await send({})).status).toBe(503);
  rig.store.heal();
  expect((await send({ type: 'credit' })).status).toBe(401);
  expect((await send({ type: 'VOID' })).status).toBe(200);
  expect(await stateOf()).toBe('voided');
  expect(await rig.balance()).toBe(euros(100));
});

function fail(): never {
  throw new Error('the log is full');
}

test('a logger that throws changes no answer and does not keep the wallet from closing', async () => {
  const other = await createRig({ logger: { info: fail, warn: fail, error: fail } });
  expect((await other.call([debit()])).status).toBe(200);
  expect((await other.call([])).status).toBe(400);
  await other.close();
});
