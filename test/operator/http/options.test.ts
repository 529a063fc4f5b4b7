import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { createOperatorHandler } from '../../../lib/operator/http/handler';
import type { OperatorOptions } from '../../../lib/operator/http/options';
import { createOperatorRouter } from '../../../lib/operator/express/router';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { systemClock } from '../../../lib/platform';
import { createRig, debit, operatorId, secret } from './rig';

const good: OperatorOptions = {
  store: createMemoryStore(),
  operators: [{ operatorId, secrets: [secret] }],
};

/** The error of creating a router with options, which the types may not allow. */
function errorOf(options: unknown, create: (options: OperatorOptions) => unknown): unknown {
  try {
    create(options as OperatorOptions);
  } catch (error) {
    return error;
  }
  return null;
}

const hidden = 'short-4711';
const operators = (...credentials: unknown[]) => ({ operators: credentials });

const wrong: readonly (readonly [string, object, string])[] = [
  ['no store', { store: undefined }, 'store'],
  ['a store of null', { store: null }, 'store'],
  ['a store without commit', { store: { rounds: { load() {}, accounts() {} } } }, 'store'],
  ['no operators', { operators: undefined }, 'operators'],
  ['an empty list of operators', operators(), 'operators'],
  ['operators that are no list', { operators: { acme: hidden } }, 'operators'],
  ['an operator without an id', operators({ secrets: [secret] }), 'operators/0/operatorId'],
  [
    'an operator with an empty id',
    operators({ operatorId: '', secrets: [secret] }),
    'operators/0/operatorId',
  ],
  [
    'an operator with # in its id',
    operators({ operatorId: 'a#b', secrets: [secret] }),
    'operators/0/operatorId',
  ],
  [
    'an operator with spaces around its id',
    operators({ operatorId: ' a', secrets: [secret] }),
    'operators/0/operatorId',
  ],
  [
    'an operator with a long id',
    operators({ operatorId: 'a'.repeat(129), secrets: [secret] }),
    'operators/0/operatorId',
  ],
  ['an operator without secrets', operators({ operatorId: 'a' }), 'operators/0/secrets'],
  [
    'an operator with no secret',
    operators({ operatorId: 'a', secrets: [] }),
    'operators/0/secrets',
  ],
  [
    'an operator with a secret as a text',
    operators({ operatorId: 'a', secrets: hidden }),
    'operators/0/secrets',
  ],
  [
    'an operator with a further member',
    operators({ operatorId: 'a', secrets: [secret], secret }),
    'operators/0 holds an unknown name; the names are operatorId, secrets; did you mean secrets?',
  ],
  [
    'a secret that is short',
    operators({ operatorId: 'a', secrets: [secret, hidden] }),
    'operators/0/secrets/1',
  ],
  [
    'a secret with white space around it',
    operators({ operatorId: 'a', secrets: [`${hidden}${hidden}\n`] }),
    'operators/0/secrets/0',
  ],
  [
    'a secret that is no text',
    operators({ operatorId: 'a', secrets: [4711] }),
    'operators/0/secrets/0',
  ],
  [
    'an operator twice',
    operators({ operatorId: 'a', secrets: [secret] }, { operatorId: 'a', secrets: [secret] }),
    'operators/1/operatorId',
  ],
  ['a tolerance of 0', { clockToleranceMs: 0 }, 'clockToleranceMs'],
  ['a tolerance of two days', { clockToleranceMs: 172_800_000 }, 'clockToleranceMs'],
  ['a tolerance as a text', { clockToleranceMs: '300000' }, 'clockToleranceMs'],
  ['a tolerance of NaN', { clockToleranceMs: Number.NaN }, 'clockToleranceMs'],
  ['a tolerance of Infinity', { clockToleranceMs: Number.POSITIVE_INFINITY }, 'clockToleranceMs'],
  ['999 signatures to remember', { rememberedSignatures: 999 }, 'rememberedSignatures'],
  ['a body of 100 bytes', { maxBodyBytes: 100 }, 'maxBodyBytes'],
  ['half a transaction', { maxTransactions: 0.5 }, 'maxTransactions'],
  ['no transactions', { maxTransactions: 0 }, 'maxTransactions'],
  ['nothing in flight', { maxInFlight: 0 }, 'maxInFlight'],
  ['an unknown answer to shed rounds', { shed: 'never' }, 'shed'],
  ['a turn of 0', { turnBudgetMs: 0 }, 'turnBudgetMs'],
  ['a spike below the budget', { shed: 'void', turnBudgetMs: 20, turnSpikeMs: 10 }, 'turnSpikeMs'],
  ['a turn without an answer', { turnBudgetMs: 20 }, 'turnBudgetMs has no effect without shed'],
  ['half a millisecond as a window', { turnWindowMs: 0.5 }, 'turnWindowMs'],
  ['a clock with half a loop', { clock: { ...systemClock, loop: {} } }, 'clock.loop'],
  ['a deadline of 0', { deadlineMs: 0 }, 'deadlineMs'],
  ['a useBonusFirst that is a text', { useBonusFirst: 'true' }, 'useBonusFirst'],
  ['credits to somewhere else', { creditTo: 'bonus' }, 'creditTo'],
  ['errors that are a list', { errors: [] }, 'errors'],
  ['an error that is not in the catalogue', { errors: { NOSUCH: { id: 1 } } }, 'errors has'],
  ['an error with a member of every object', { errors: { toString: { id: 1 } } }, 'errors has'],
  [
    'an error id that is a text',
    { errors: { BALANCETOOLOW: { id: '1' } } },
    'errors/BALANCETOOLOW/id',
  ],
  [
    'an error with a further member',
    { errors: { BALANCETOOLOW: { status: 1 } } },
    'errors/BALANCETOOLOW holds',
  ],
  [
    'an error with an empty msg',
    { errors: { BALANCETOOLOW: { msg: '' } } },
    'errors/BALANCETOOLOW/msg',
  ],
  ['a logger without warn', { logger: { info() {}, error() {} } }, 'logger'],
  ['a clock without now', { clock: { ...systemClock, now: undefined } }, 'clock'],
  ['a clock without monotonicMs', { clock: { ...systemClock, monotonicMs: undefined } }, 'clock'],
  ['a clock without pause', { clock: { ...systemClock, pause: undefined } }, 'clock'],
  ['a clock without after', { clock: { ...systemClock, after: undefined } }, 'clock'],
  ['an onOutcome that is no function', { onOutcome: true }, 'onOutcome'],
  ['a session that is no function', { session: {} }, 'session'],
  ['freePlays that are no function', { freePlays: [] }, 'freePlays'],
  ['a discountCheck that is no function', { discountCheck: 'yes' }, 'discountCheck'],
  ['an option that does not exist', { clockTolerance: 300 }, 'did you mean clockToleranceMs?'],
];

describe.each([
  ['createOperatorRouter', createOperatorRouter],
  ['createOperatorHandler', createOperatorHandler],
])('%s throws a TypeError', (_, create) => {
  test.each(wrong)('for %s, naming it and telling no secret', (_name, change, named) => {
    const error = errorOf({ ...good, ...change }, create);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(named);
    const printed = inspect(error, { depth: 9 });
    for (const text of [secret, hidden, '4711']) expect(printed).not.toContain(text);
  });

  test.each([[undefined], [null], ['options'], [[]]])('for %p instead of options', (options) => {
    expect(errorOf(options, create)).toBeInstanceOf(TypeError);
  });

  test('for nothing else: these are good', () => {
    expect(errorOf(good, create)).toBeNull();
    const full = { clockToleranceMs: 1000, deadlineMs: 10, errors: { BALANCETOOLOW: {} } };
    expect(errorOf({ ...good, ...full }, create)).toBeNull();
  });
});

test('options are read once: changing them later changes nothing', async () => {
  const mine = {
    operators: [{ operatorId, secrets: [secret] }],
    maxTransactions: 1,
    useBonusFirst: false,
  };
  const rig = await createRig(mine);
  try {
    mine.operators[0]?.secrets.splice(0, 1, 'x'.repeat(20));
    mine.operators.push({ operatorId: 'other', secrets: [secret] });
    mine.maxTransactions = 2;
    expect((await rig.call([debit()])).status).toBe(200);
    expect((await rig.call([debit(), debit()])).status).toBe(400);
  } finally {
    await rig.close();
  }
});

test('frozen options are taken, and options are not changed', () => {
  const frozen = Object.freeze({ ...good, operators: Object.freeze([...good.operators]) });
  expect(() => createOperatorHandler(frozen)).not.toThrow();
  expect(frozen).toEqual(good);
});

test('a handler and its printing hold no secret', () => {
  const handler = createOperatorHandler(good);
  expect(Object.isFrozen(handler)).toBe(true);
  expect(inspect(handler, { depth: 20, showHidden: true })).not.toContain(secret);
  const router = createOperatorRouter(good);
  expect(inspect(router, { depth: 20, showHidden: true })).not.toContain(secret);
});
