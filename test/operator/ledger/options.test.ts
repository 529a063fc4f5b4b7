import { describe, expect, test } from '@jest/globals';
import { createLedgerStore, type LedgerStoreOptions } from '../../../lib/operator/ledger';
import { checkLedgerOptions } from '../../../lib/operator/ledger/options';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { MoodyLedger } from './ledger-rig';

const options: LedgerStoreOptions = { ledger: new MoodyLedger(), journal: createMemoryStore() };

const without = (part: object, method: string): object =>
  new Proxy(part, {
    get: (target, name) => (name === method ? undefined : Reflect.get(target, name)),
  });

describe('the options of a ledger store', () => {
  test.each(['debit', 'credit', 'reverse', 'balances'])(
    'a ledger without %s is refused when the store is made',
    (method) => {
      const ledger = without(options.ledger, method) as LedgerStoreOptions['ledger'];
      expect(() => createLedgerStore({ ...options, ledger })).toThrow(
        new TypeError(`ledger must have a method ${method}`),
      );
    },
  );

  test.each(['ready', 'close'])(
    'a journal without %s is refused when the store is made',
    (method) => {
      const journal = without(options.journal, method) as LedgerStoreOptions['journal'];
      expect(() => createLedgerStore({ ...options, journal })).toThrow(
        new TypeError(`journal must have a method ${method}`),
      );
    },
  );

  test.each([
    ['rounds', 'load'],
    ['rounds', 'commit'],
    ['rounds', 'readRound'],
    ['lists', 'attention'],
    ['lists', 'unfinished'],
  ] as const)('a journal without %s.%s is refused when the store is made', (part, method) => {
    const journal = { ...options.journal, [part]: without(options.journal[part], method) };
    expect(() => createLedgerStore({ ...options, journal })).toThrow(
      new TypeError(`journal.${part} must have a method ${method}`),
    );
  });

  test.each([undefined, null, 'ledger'])('a ledger that is %p is refused', (ledger) => {
    expect(() => createLedgerStore({ ...options, ledger: ledger as never })).toThrow(TypeError);
  });

  test.each(['attemptTimeoutMs', 'attempts', 'deadlineMs', 'breakAfter', 'breakMs'])(
    '%s must be a whole number that a timer can hold',
    (name) => {
      for (const value of [0, -1, 1.5, Number.NaN, 2 ** 31, '5']) {
        expect(() => createLedgerStore({ ...options, [name]: value })).toThrow(
          `${name} must be a whole number`,
        );
      }
      expect(checkLedgerOptions({ ...options, [name]: 1 })).toMatchObject({ [name]: 1 });
      expect(checkLedgerOptions({ ...options, [name]: 2 ** 31 - 1 })).toHaveProperty(name);
    },
  );

  test('what is left out has the value that is documented, and nothing can be changed later', () => {
    const settings = checkLedgerOptions(options);
    expect(settings).toMatchObject({
      attemptTimeoutMs: 1500,
      attempts: 3,
      deadlineMs: 4000,
      breakAfter: 10,
      breakMs: 2000,
    });
    expect(Object.isFrozen(settings)).toBe(true);
  });

  test('a player or a round without a part of its name is a TypeError that names it', async () => {
    const store = createLedgerStore(options);
    const [operatorId, playerId] = ['op', 'p'];
    for (const [wrong, name] of [
      [store.rounds.accounts({ operatorId } as never), 'playerId'],
      [store.rounds.accounts({ playerId } as never), 'operatorId'],
      [store.rounds.readRound({ operatorId, playerId } as never), 'gameRound'],
    ] as const) {
      await expect(wrong).rejects.toThrow(new TypeError(`${name} is missing`));
    }
  });

  test('the decimals are those of the journal', () => {
    const journal = createMemoryStore({ decimals: 2 });
    expect(createLedgerStore({ ...options, journal }).decimals).toBe(2);
  });
});
