import { describe, expect, test } from '@jest/globals';

import { errorCatalogue, type ErrorCode } from '../../../lib/protocol/operator-api/catalogue';
import { unhandledIn } from '../../support/unhandled';
import { credit, debit, end, euros } from '../http/rig';
import { CheckRig, followUp } from './debit-check-rig';

const later = (value: unknown) => () => Promise.resolve(value);

/** What a program may answer that is none of the two answers (D12.2). */
const wrong: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  true: () => true,
  false: () => false,
  "the text 'true'": () => 'true',
  "the text 'false'": () => 'false',
  1: () => 1,
  0: () => 0,
  'an empty object': () => ({}),
  'an empty list': () => [],
  'a function': () => () => ({ allow: true }),
  "allow: 'true'": () => ({ allow: 'true' }),
  "allow: 'false'": () => ({ allow: 'false' }),
  'allow: 1': () => ({ allow: 1 }),
  'allow: null': () => ({ allow: null }),
  'allow: an object of Boolean': () => ({ allow: new Boolean(true) }),
  'an inherited allow': () => Object.create({ allow: true }),
  'an allow of a class': () =>
    new (class {
      get allow() {
        return true;
      }
    })(),
  'forMs too long': () => ({ allow: true, forMs: 60_001 }),
  'forMs below 0': () => ({ allow: true, forMs: -1 }),
  'forMs no number': () => ({ allow: true, forMs: Number.NaN }),
  'forMs for ever': () => ({ allow: true, forMs: Number.POSITIVE_INFINITY }),
  'forMs a text': () => ({ allow: true, forMs: '1000' }),
  'forMs a bigint': () => ({ allow: true, forMs: 1000n }),
  'forMs null': () => ({ allow: true, forMs: null }),
  'a code that does not exist': () => ({ allow: false, code: 'SELFEXCLUDED' }),
  'a code by its id': () => ({ allow: false, code: 9006 }),
  'a code in small letters': () => ({ allow: false, code: 'debitrefused' }),
  'a code of the prototype': () => ({ allow: false, code: 'constructor' }),
  'a code __proto__': () => JSON.parse('{"allow":false,"code":"__proto__"}') as unknown,
  'code null': () => ({ allow: false, code: null }),
  'clientmsg no text': () => ({ allow: false, clientmsg: 1 }),
  'clientmsg null': () => ({ allow: false, clientmsg: null }),
  'an allow that throws': () => ({
    get allow() {
      throw new Error('no answer');
    },
  }),
  'an object that throws whatever is asked': () =>
    new Proxy(
      {},
      {
        get: (_, name) => {
          if (name === 'then') return undefined;
          throw new Error('no answer');
        },
        getPrototypeOf: () => {
          throw new Error('no answer');
        },
        getOwnPropertyDescriptor: () => {
          throw new Error('no answer');
        },
        ownKeys: () => {
          throw new Error('no answer');
        },
      },
    ),
  'a throw': () => {
    throw new Error('no answer');
  },
  'a throw of nothing': () => {
    throw undefined;
  },
  'a rejection': () => Promise.reject(new Error('no answer')),
  'a rejection with null': () => Promise.reject(null),
  'a then that throws': () => ({
    // oxlint-disable-next-line unicorn/no-thenable -- that is the case
    then: () => {
      throw new Error('no answer');
    },
  }),
  'a promise of a text': later('true'),
  'a promise of a wrong code': later({ allow: false, code: 'NOCODE' }),
};

/** With these a wallet declines a debit by itself (P17). */
const declines = [1, 9001, 9002, 9006, 9008, 9009];

describe('D12.2 what is neither answer counts as none', () => {
  test.each(Object.entries(wrong))('%s', async (_, answer) => {
    const unhandled = await unhandledIn(async () => {
      const rig = await CheckRig.create();
      rig.answer = answer;
      expect(await rig.call([debit(), credit()])).toBe('400 9008: round-1 9008, credit-1 9004');
      expect([await rig.balance(), await rig.state()]).toEqual([euros(100), 'closed']);
      const lenient = await CheckRig.create({ debitCheckSilence: 'allow' });
      lenient.answer = answer;
      expect(await lenient.call([debit()])).toBe('200: round-1');
      // What it may have said of a time is not kept.
      await lenient.stake();
      expect(lenient.asked).toBe(2);
    });
    expect(unhandled).toEqual([]);
  });

  test.each(Object.entries(errorCatalogue).filter(([, { id }]) => !declines.includes(id)))(
    'a code with which no wallet declines a debit is no refusal: %s (P17)',
    async (code) => {
      const rig = await CheckRig.create();
      rig.answer = () => ({ allow: false, code });
      expect(await rig.call([debit()])).toBe('400 9008: round-1 9008');
    },
  );
});

describe('D12.2 what is an answer', () => {
  test.each([
    [{ allow: true }],
    [{ allow: true, forMs: 1 }],
    [{ allow: true, forMs: 60_000 }],
    [Object.assign(Object.create(null), { allow: true })],
    [Object.freeze({ allow: true })],
  ])('an allowance: %j', async (answer) => {
    const rig = await CheckRig.create();
    rig.answer = later(answer);
    expect(await rig.call([debit()])).toBe('200: round-1');
  });

  test('a refusal has the texts of the catalogue unless it says others', async () => {
    const rig = await CheckRig.create();
    const told = async (answer: object) => {
      rig.answer = () => answer;
      const hash = `r${rig.asked}`;
      const sent = rig.send([debit(1, { hash })], { gameRound: hash });
      const { error, reply } = await rig.clock.run(sent);
      expect(reply.hashesProcessed?.[0]?.errorCode).toEqual(error);
      return error;
    };
    const { repeat: _, ...refused } = errorCatalogue.DEBITREFUSED;
    const { repeat: __, ...limit } = errorCatalogue.LIMITREACHED;
    expect(await told({ allow: false })).toEqual(refused);
    expect(await told({ allow: false, code: 'LIMITREACHED' })).toEqual(limit);
    expect(await told({ allow: false, clientmsg: 'Please rest.' })).toEqual({
      ...refused,
      clientmsg: 'Please rest.',
    });
    expect(
      await told({ allow: false, code: 'LIMITREACHED', clientmsg: 'Your month is over.' }),
    ).toEqual({ ...limit, clientmsg: 'Your month is over.' });
  });

  test('the ids and texts that the options set are used', async () => {
    const errors = { DEBITCHECKFAILED: { id: 501 }, DEBITREFUSED: { id: 502, clientmsg: 'No.' } };
    const rig = await CheckRig.create({ errors });
    rig.answer = () => null;
    expect(await rig.stake()).toBe('400 501');
    rig.answer = () => ({ allow: false });
    const { error } = await rig.clock.run(rig.send([debit()]));
    expect(error).toMatchObject({ id: 502, clientmsg: 'No.' });
  });
});

const codes = Object.entries(errorCatalogue)
  .filter(([, { id }]) => declines.includes(id))
  .map(([code, { id }]) => [code as ErrorCode, id] as const);

describe('D12.3 a refusal by the check is a decline by the wallet, whatever its code', () => {
  test.each(codes)(
    '%s of a first debit closes the round, and is final for the hash',
    async (code, id) => {
      const rig = await CheckRig.create();
      rig.answer = () => ({ allow: false, code });
      const refused = `400 ${id}: round-1 ${id}`;
      expect([await rig.call([debit()]), await rig.state()]).toEqual([refused, 'closed']);
      rig.answer = () => ({ allow: true });
      expect([await rig.call([debit()]), rig.asked]).toEqual([refused, 1]);
      expect(await rig.call([credit()])).toMatch(/^400/);
      expect(await rig.balance()).toBe(euros(100));
    },
  );

  test.each(codes)(
    '%s of a follow-up debit is noted: a credit of a later call is declined (D4.5)',
    async (code) => {
      const rig = await CheckRig.create();
      await rig.call([debit()]);
      rig.answer = () => ({ allow: false, code });
      await rig.call([followUp('d2')]);
      expect(await rig.call([credit()])).toBe('400 9004: credit-1 9004');
      expect(await rig.balance()).toBe(euros(90));
    },
  );

  test.each(codes)(
    '%s of a follow-up debit leaves the round open, and is final (D4.4)',
    async (code, id) => {
      const rig = await CheckRig.create();
      await rig.call([debit()]);
      rig.answer = () => ({ allow: false, code });
      expect(await rig.call([followUp('d2')])).toBe(`400 ${id}: d2 ${id}`);
      rig.answer = () => ({ allow: true });
      expect(await rig.call([followUp('d2')])).toBe(`400 ${id}: d2 ${id}`);
      expect([rig.asked, await rig.state()]).toEqual([2, 'open']);
      expect(await rig.call([followUp('d3'), credit(7, { hash: 'c3' })])).toBe('200: d3, c3');
      expect(await rig.call([end])).toBe('200: end-1');
      expect(await rig.balance()).toBe(euros(100 - 10 - 5 + 7));
    },
  );
});
