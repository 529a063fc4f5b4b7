import { beforeEach, describe, expect, test } from '@jest/globals';

import { credit, debit, end, euros, operatorId, playerId, voidOfDebit } from '../http/rig';
import { CheckRig, followUp } from './debit-check-rig';

const yes = () => ({ allow: true });
const no = () => ({ allow: false });

let rig: CheckRig;

describe.each([
  ['in one trip', true],
  ['in two trips', false],
])('a running round is added to %s', (_, follows) => {
  beforeEach(async () => {
    rig = await CheckRig.create({ follows });
  });

  test('D12.1 the check is asked once a call, for its new debits together', async () => {
    const timestamp = new Date(rig.clock.now()).toISOString();
    const played = [debit(10, { timestamp }), credit(1), followUp('d2', 2.5), end];
    expect(await rig.call(played)).toBe('200: round-1, credit-1, d2, end-1');
    expect(rig.requests).toEqual([
      {
        round: { operatorId, playerId, gameRound: 'round-1' },
        call: expect.objectContaining({ playerId, gameCode: 'bells', gameRound: 'round-1' }),
        debits: [
          expect.objectContaining({ type: 'debit', hash: 'round-1', amount: euros(10) }),
          expect.objectContaining({ type: 'debit', hash: 'd2', amount: 25_000n }),
        ],
        currency: 'EUR',
        total: 125_000n,
        signal: expect.any(AbortSignal),
      },
    ]);
    expect(rig.requests[0]?.call.transactions).toHaveLength(4);
  });

  test('it is asked for all of a call of many debits', async () => {
    const hashes = Array.from({ length: 40 }, (__, at) => (at === 0 ? 'round-1' : `d${at}`));
    const debits = hashes.map((hash, at) => (at === 0 ? debit(1) : followUp(hash, 1)));
    expect(await rig.call(debits)).toBe(`200: ${hashes.join(', ')}`);
    expect(rig.requests).toMatchObject([
      { debits: hashes.map((hash) => ({ hash })), total: euros(40) },
    ]);
  });

  test('both debits of a call that it refuses fall, and nothing after the first is processed', async () => {
    rig.answer = no;
    expect(await rig.call([debit(), credit(), followUp('d2'), end])).toBe(
      '400 9006: round-1 9006, credit-1 9004, d2 9004, end-1 9004',
    );
    expect([await rig.balance(), await rig.state()]).toEqual([euros(100), 'closed']);
  });

  test('D12.4 known debits are left out: the new one alone is asked for', async () => {
    await rig.call([debit(10)]);
    expect(await rig.call([debit(10), followUp('d2', 3), credit()])).toBe(
      '200: round-1, d2, credit-1',
    );
    expect(rig.requests[1]).toMatchObject({ debits: [{ hash: 'd2' }], total: euros(3) });
  });

  test('a refusal beside a known debit: the known one is answered by its record', async () => {
    await rig.call([debit(10)]);
    rig.answer = no;
    expect(await rig.call([debit(10), followUp('d2', 3), credit()])).toBe(
      '400 9006: round-1, d2 9006, credit-1 9004',
    );
    expect([await rig.balance(), await rig.state()]).toEqual([euros(90), 'open']);
  });

  test('what comes before the new debit stays processed (D4.6)', async () => {
    await rig.call([debit(10)]);
    rig.answer = no;
    expect(await rig.call([credit(4), followUp('d2'), credit(5, { hash: 'c2' })])).toBe(
      '400 9006: credit-1, d2 9006, c2 9004',
    );
    expect(await rig.balance()).toBe(euros(94));
  });

  test('D12.4 a call whose debits are all known is not asked for, whatever the check would say', async () => {
    const played = [debit(10), followUp('d2', 3), credit()];
    await rig.call(played);
    for (const answer of [no, () => null, () => new Promise(() => {})]) {
      rig.answer = answer;
      expect(await rig.call(played)).toBe('200: round-1, d2, credit-1');
      expect(await rig.call([debit(10)])).toBe('200: round-1');
      expect(await rig.call([debit(10), credit(6, { hash: `c${rig.asked}` })])).toMatch(/^200/);
    }
    expect(rig.asked).toBe(1);
  });

  test.each([
    ['refusal', no, 9006],
    ['silence', () => null, 9008],
  ])(
    'D12.3 a %s is final for the hash, though the check allows it later',
    async (__, answer, id) => {
      await rig.call([debit(10)]);
      rig.answer = answer;
      expect(await rig.call([followUp('d2'), credit()])).toBe(`400 ${id}: d2 ${id}, credit-1 9004`);
      rig.answer = yes;
      for (let at = 0; at < 3; at++) {
        expect(await rig.call([followUp('d2'), credit()])).toBe(
          `400 ${id}: d2 ${id}, credit-1 9004`,
        );
        await rig.clock.pass(60_000);
      }
      expect([rig.asked, await rig.balance()]).toEqual([2, euros(90)]);
    },
  );

  test('the text for the player is in the first answer alone; the code stays', async () => {
    rig.answer = () => ({ allow: false, code: 'LIMITREACHED', clientmsg: 'Your month is over.' });
    const first = await rig.clock.run(rig.send([debit()]));
    const again = await rig.clock.run(rig.send([debit()]));
    expect([first.error, again.error]).toMatchObject([
      { id: 9009, clientmsg: 'Your month is over.' },
      { id: 9009, clientmsg: 'You have reached your limit.' },
    ]);
  });

  test('D3.2 a known hash with other content is 37, and not asked for', async () => {
    await rig.call([debit(10)]);
    rig.answer = no;
    expect(await rig.call([debit(11)])).toBe('400 37: round-1 37');
    await rig.call([followUp('d2')]);
    expect(await rig.call([followUp('d2', 6)])).toBe('400 37: d2 37');
    expect(rig.asked).toBe(2);
  });

  test('D12.1 it is not asked for credits, ends, voids and balances', async () => {
    await rig.call([debit()]);
    rig.answer = no;
    expect(await rig.call([credit()])).toBe('200: credit-1');
    expect(await rig.call([credit(1, { hash: 'c2' }), end])).toBe('200: c2, end-1');
    expect(await rig.call([voidOfDebit])).toBe('200: round-1');
    expect(await rig.call([{ type: 'void', hash: 'unknown' }], { gameRound: 'r2' })).toMatch(
      /^200/,
    );
    expect(await rig.getBalance()).toBe(200);
    expect(rig.asked).toBe(1);
  });

  test('a win is paid for a player whom the check refuses', async () => {
    await rig.call([debit(10)]);
    rig.answer = no;
    await rig.stake();
    expect(await rig.call([credit(20), end])).toBe('200: credit-1, end-1');
    expect(await rig.balance()).toBe(euros(110));
  });

  test.each([
    ['until another debit is accepted', followUp('d3', 1), euros(89 + 1)],
    ['until the refused one is voided', { type: 'void', hash: 'd2' }, euros(90 + 1)],
  ])('D4.5 after a refusal credits of later calls are declined %s', async (__, next, units) => {
    await rig.call([debit(10)]);
    rig.answer = no;
    await rig.call([followUp('d2')]);
    rig.answer = yes;
    await rig.call([next]);
    expect(await rig.call([credit(1)])).toBe('200: credit-1');
    expect(await rig.balance()).toBe(units);
  });

  test('a void beside the debit: the void is processed, whatever the check says', async () => {
    await rig.call([debit(10)]);
    await rig.call([followUp('d2', 5)]);
    rig.answer = no;
    const line = await rig.call([{ type: 'void', hash: 'd2' }, followUp('d3', 7)]);
    expect(line).toMatch(/^(?:400 9006: d2, d3 9006|503: .*)$/);
    expect(await rig.balance()).toBe(euros(90));
  });

  describe.each([
    ['allows', yes],
    ['refuses', no],
    ['is silent', () => null],
  ])('D4.10 the wallet comes last, so where the check %s', (___, answer) => {
    beforeEach(() => {
      rig.answer = yes;
    });

    test('a debit after its own void is 9003', async () => {
      await rig.call([voidOfDebit]);
      rig.answer = answer;
      expect(await rig.call([debit()])).toBe('400 9003: round-1 9003');
      expect([await rig.balance(), await rig.state()]).toEqual([euros(100), 'voided']);
    });

    test('a debit of a voided round is 9003', async () => {
      await rig.call([debit()]);
      await rig.call([voidOfDebit]);
      rig.answer = answer;
      expect(await rig.call([followUp('d2')])).toBe('400 9003: d2 9003');
      expect(await rig.state()).toBe('voided');
    });

    test('a second initial debit is 12, and notes nothing', async () => {
      await rig.call([debit()]);
      rig.answer = answer;
      expect(await rig.call([debit(10, { hash: 'd2' })])).toBe('400 12: d2 12');
      expect(await rig.call([credit()])).toBe('200: credit-1');
    });

    test('a follow-up debit of no round is 15, and makes none', async () => {
      rig.answer = answer;
      expect(await rig.call([followUp('d2')])).toBe('400 15: d2 15');
      rig.answer = yes;
      expect(await rig.call([debit()])).toBe('200: round-1');
    });

    test('a debit of a closed round is 13', async () => {
      await rig.call([debit(), end]);
      rig.answer = answer;
      expect(await rig.call([followUp('d2')])).toBe('400 13: d2 13');
      expect(await rig.state()).toBe('closed');
    });

    test('D10.2 a first debit that is too old is 9010, and nothing is written', async () => {
      const timestamp = new Date(rig.clock.now() - 400 * 24 * 3_600_000).toISOString();
      rig.answer = answer;
      expect(await rig.call([debit(10, { timestamp })])).toBe('400 9010: round-1 9010');
      expect(await rig.state()).toBeNull();
    });
  });
});

describe('what would be taken', () => {
  beforeEach(async () => {
    rig = await CheckRig.create({ discountCheck: () => true });
  });

  test('is less the discount', async () => {
    await rig.call([debit(10, { discountAmount: 4 })]);
    expect([rig.requests[0]?.total, await rig.balance()]).toEqual([euros(6), euros(94)]);
  });

  test('is 0 for a free play, which is checked like any other debit', async () => {
    const free = { type: 'debit', isFirstDebit: true, hash: 'round-1', currency: 'EUR' };
    rig.answer = no;
    expect(await rig.call([{ ...free, freePlayUsed: true }])).toBe('400 9006: round-1 9006');
    expect(rig.requests[0]?.total).toBe(0n);
  });

  test('is in the currency of the first new debit', async () => {
    await rig.call([debit(10)]);
    const usd = followUp('d2', 3, { currency: 'USD' });
    await rig.call([debit(10), usd, followUp('d3', 4), followUp('d4', 5, { currency: 'USD' })]);
    expect(rig.requests[1]).toMatchObject({
      debits: [{ hash: 'd2' }, { hash: 'd3' }, { hash: 'd4' }],
      currency: 'USD',
      total: euros(8),
    });
  });
});

describe('D12.6 it is advice of a moment', () => {
  beforeEach(async () => {
    rig = await CheckRig.create();
  });

  test('an allowance does not make a debit that the wallet refuses', async () => {
    expect(await rig.call([debit(101)])).toBe('400 9001: round-1 9001');
    await rig.store.players.setBlocked({ operatorId, playerId }, true);
    expect(await rig.stake()).toBe('400 9006');
  });

  test('a block that comes while it is asked counts', async () => {
    rig.answer = async () => {
      await rig.store.players.setBlocked({ operatorId, playerId }, true);
      return { allow: true };
    };
    expect(await rig.call([debit()])).toBe('400 9006: round-1 9006');
    expect(await rig.balance()).toBe(euros(100));
  });

  test.each([
    ['allows the first and refuses the second', [true, false], '200: round-1', euros(90)],
    [
      'refuses the first and allows the second',
      [false, true],
      '400 9006: round-1 9006',
      euros(100),
    ],
  ] as const)(
    'two copies of a call at once, and it %s: both are answered by the record',
    async (_, allowed, line, units) => {
      const waiting: ((answer: object) => void)[] = [];
      rig.answer = () => new Promise((resolve) => waiting.push(resolve));
      const copies = [rig.send([debit()]), rig.send([debit()])];
      await rig.clock.pass(1);
      expect(waiting).toHaveLength(2);
      const lines: string[] = [];
      for (const [at, allow] of allowed.entries()) {
        waiting[at]?.({ allow });
        lines.push((await rig.clock.run(copies[at] as (typeof copies)[0])).line);
      }
      expect(lines).toEqual([line, line]);
      expect(await rig.balance()).toBe(units);
    },
  );

  test('a void that comes while it is asked counts: nothing is taken', async () => {
    rig.answer = async () => {
      expect((await rig.send([voidOfDebit])).line).toBe('200: round-1');
      return { allow: true };
    };
    expect(await rig.call([debit(), credit()])).toBe('400 9003: round-1 9003, credit-1 9003');
    expect([await rig.balance(), await rig.state()]).toEqual([euros(100), 'voided']);
  });
});
