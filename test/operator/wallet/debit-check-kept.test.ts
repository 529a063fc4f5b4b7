import { beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';

import { createOperatorHandler } from '../../../lib/operator/http/handler';
import type { OperatorOptions } from '../../../lib/operator/http/options';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createMetrics } from '../../../lib/operator/telemetry';
import { type DebitCheckAnswer, DebitChecks } from '../../../lib/operator/wallet';
import type { Debit } from '../../../lib/protocol/operator-api/transaction';
import { VirtualClock } from '../../support/virtual-clock';
import { credit, debit, operatorId, playerId, secret } from '../http/rig';
import { CheckRig, followUp, otherOperator } from './debit-check-rig';

const no = () => ({ allow: false });

let rig: CheckRig;

beforeEach(async () => {
  rig = await CheckRig.create();
});

describe('D12.5 forMs', () => {
  test.each([1, 5000, 60_000])(
    'for %d ms this player is not asked for again, and after that he is',
    async (forMs) => {
      rig.answer = () => ({ allow: true, forMs });
      await rig.stake();
      rig.answer = no;
      await rig.clock.pass(forMs - 1);
      expect([await rig.stake(), rig.asked]).toEqual(['200', 1]);
      await rig.clock.pass(2);
      expect([await rig.stake(), rig.asked]).toEqual(['400 9006', 2]);
    },
  );

  test('an allowance without it is not kept, and a refusal never is', async () => {
    await rig.stake();
    rig.answer = no;
    expect(await rig.stake()).toBe('400 9006');
    rig.answer = () => ({ allow: true });
    expect([await rig.stake(), rig.asked]).toEqual(['200', 3]);
  });

  test('it is for the player of one operator, in any round and currency', async () => {
    rig.answer = () => ({ allow: true, forMs: 5000 });
    await rig.call([debit(1)]);
    rig.answer = no;
    expect(await rig.call([followUp('d2')])).toBe('200: d2');
    expect(await rig.stake()).toBe('200');
    const inDollars = [debit(1, { hash: 'usd', currency: 'USD' })];
    expect(await rig.call(inDollars, { gameRound: 'usd' })).toBe('200: usd');
    expect(await rig.stake({}, otherOperator)).toBe('400 9006');
    expect(await rig.stake({ playerId: 'player-2' })).toMatch(/^400/);
    expect(rig.requests.map(({ round }) => [round.operatorId, round.playerId])).toEqual([
      [operatorId, playerId],
      [otherOperator, playerId],
      [operatorId, 'player-2'],
    ]);
  });

  test('ids that run together are players apart', async () => {
    const { checks, asked, ask } = direct({ allow: true, forMs: 60_000 });
    const ids = [
      ['a', 'b'],
      ['a:', 'b'],
      ['a', ':b'],
      ['ab', ''],
      ['a/', 'b'],
      ['a', '/b'],
      ['a b', 'c'],
      ['a', 'b c'],
      ['1', '1a'],
      ['11', 'a'],
    ] as const;
    for (const [operator, player] of ids) await ask(checks, player, operator);
    expect(asked()).toBe(ids.length);
  });

  test('a wall clock that is set does not stretch it', async () => {
    rig.answer = () => ({ allow: true, forMs: 5000 });
    await rig.stake();
    rig.clock.setWallClock(-30_000);
    await rig.clock.pass(5001);
    await rig.stake();
    expect(rig.asked).toBe(2);
  });

  test('a kept allowance does not make known what is refused, nor what the wallet declines', async () => {
    rig.answer = no;
    await rig.call([debit()]);
    rig.answer = () => ({ allow: true, forMs: 60_000 });
    await rig.stake();
    expect(await rig.call([debit()])).toBe('400 9006: round-1 9006');
    await rig.store.players.setBlocked({ operatorId, playerId }, true);
    expect([await rig.stake(), rig.asked]).toEqual(['400 9006', 2]);
  });

  test('of two answers the later one counts for as long as it says', async () => {
    rig.answer = () => ({ allow: true, forMs: 100 });
    await rig.stake();
    await rig.clock.pass(101);
    rig.answer = () => ({ allow: true, forMs: 60_000 });
    await rig.stake();
    await rig.clock.pass(59_000);
    await rig.stake();
    expect(rig.asked).toBe(2);
  });

  test('at most 100,000 players are remembered', async () => {
    const { checks, asked, ask } = direct({ allow: true, forMs: 60_000 });
    for (let at = 0; at <= 100_000; at++) await ask(checks, `p${at}`);
    expect(asked()).toBe(100_001);
    await ask(checks, 'p100000');
    await ask(checks, 'p1');
    expect(asked()).toBe(100_001);
    await ask(checks, 'p0');
    expect(asked()).toBe(100_002);
  });
});

/** The check alone, without a wallet around it. */
function direct(answer: DebitCheckAnswer) {
  let asked = 0;
  const check = () => {
    asked += 1;
    return answer;
  };
  const clock = new VirtualClock();
  const parts = { check, debitCheckMs: 500, debitCheckSilence: 'refuse', clock } as const;
  const taken: Debit = {
    type: 'debit',
    hash: 'd1',
    currency: 'EUR',
    amount: 1n,
    discount: 0n,
    isFirstDebit: true,
    serial: null,
  };
  const ask = (checks: DebitChecks, player: string, operator = operatorId) => {
    const round = { operatorId: operator, playerId: player, gameRound: 'r' };
    const call = { playerId: player, gameRound: 'r', gameCode: 'bells', transactions: [taken] };
    return checks.ask(round, call, [taken]);
  };
  return { checks: new DebitChecks(parts), asked: () => asked, ask };
}

describe('what is seen of it', () => {
  test('metrics have each check by its outcome', async () => {
    const metrics = createMetrics();
    rig = await CheckRig.create({ metrics });
    const answers = [() => ({ allow: true }), no, ...Array(5).fill(() => null)];
    for (const answer of answers) {
      rig.answer = answer as () => unknown;
      await rig.stake();
    }
    await rig.stake();
    await rig.clock.pass(1001);
    rig.answer = () => ({ allow: true, forMs: 1000 });
    await rig.stake();
    await rig.stake();
    await rig.call([credit()]);
    const text = await metrics.text();
    const counts = text
      .split('\n')
      .flatMap(
        (line) => /debit_check_duration_seconds_count\{(.*)\} (\d+)/.exec(line)?.slice(1) ?? [],
      );
    expect(counts).toEqual([
      'outcome="allowed"',
      '2',
      'outcome="refused"',
      '1',
      'outcome="silent"',
      '5',
      'outcome="kept"',
      '1',
      'outcome="broken"',
      '1',
    ]);
    metrics.close();
  });

  test('a silence is a line of the log; a text for the player is in none', async () => {
    let written = '';
    const logger = pino({ level: 'info' }, { write: (line: string) => void (written += line) });
    rig = await CheckRig.create({ logger });
    const before = written;
    rig.answer = () => {
      throw new Error('the register is closed');
    };
    await rig.stake();
    const lines = written.slice(before.length);
    expect(lines).toContain('the register is closed');
    expect(lines).toContain('"level":40');
    rig.answer = () => ({ allow: false, clientmsg: 'You are on the list of the barred.' });
    await rig.stake();
    expect(written).not.toContain('list of the barred');
  });
});

/** The trips to the store of these calls. */
async function trips(options: Partial<OperatorOptions>): Promise<string[]> {
  const own = await CheckRig.create(options);
  const seen: string[] = [];
  const rounds = own.store.rounds as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const name of ['load', 'commit', 'follow', 'accounts']) {
    const real = rounds[name];
    if (real === undefined) continue;
    rounds[name] = (...given) => {
      seen.push(name);
      return real.apply(rounds, given);
    };
  }
  for (const call of [[debit()], [credit()], [credit(1, { hash: 'c2' })]]) await own.call(call);
  await own.call([{ type: 'void', hash: 'round-1' }]);
  return seen;
}

describe('where it is not switched on, or nothing is new', () => {
  test('no trip is added to calls without a debit, and at most one to a call with one', async () => {
    const [off, on] = [await trips({ debitCheck: undefined as never }), await trips({})];
    expect(off.length).toBeGreaterThan(3);
    expect([off, ['load', ...off]]).toContainEqual(on);
  });
});

describe('the options', () => {
  const right = {
    store: createMemoryStore(),
    operators: [{ operatorId, secrets: [secret] }],
    debitCheck: () => ({ allow: true }) as const,
  };
  const made = (more: object) => () => createOperatorHandler({ ...right, ...more });

  test.each([
    ['debitCheck', { debitCheck: true }],
    ['debitCheckMs', { debitCheckMs: 2501 }],
    ['debitCheckMs', { debitCheckMs: 501, deadlineMs: 1000 }],
    ['debitCheckMs', { debitCheckMs: 0 }],
    ['debitCheckMs', { debitCheckMs: -1 }],
    ['debitCheckMs', { debitCheckMs: 1.5 }],
    ['debitCheckMs', { debitCheckMs: '500' }],
    ['debitCheckMs', { debitCheckMs: Number.NaN }],
    ['debitCheckSilence', { debitCheckSilence: 'deny' }],
    ['debitCheckSilence', { debitCheckSilence: true }],
  ])('a wrong %s is a TypeError that names it: %j', (name, more) => {
    expect(made(more)).toThrow(TypeError);
    expect(made(more)).toThrow(name);
  });

  test('half of deadlineMs is right', () => {
    expect(made({ debitCheckMs: 500, deadlineMs: 1000 })).not.toThrow();
    expect(made({ debitCheckMs: 2500 })).not.toThrow();
  });
});
