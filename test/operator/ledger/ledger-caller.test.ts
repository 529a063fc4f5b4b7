import { beforeEach, describe, expect, test } from '@jest/globals';
import { LedgerCaller } from '../../../lib/operator/ledger/caller';
import { checkLedgerOptions, type LedgerStoreOptions } from '../../../lib/operator/ledger/options';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { LedgerDebit } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { createLedgerRig, debit, KeptLog, MoodyLedger, round } from './ledger-rig';

const posting: LedgerDebit = {
  ...round,
  key: 'k'.repeat(43),
  hash: 'd1',
  gameCode: 'bells',
  currency: 'EUR',
  amount: 10n,
  bonusFirst: true,
};

let clock: VirtualClock;
let ledger: MoodyLedger;
let log: KeptLog;

beforeEach(() => {
  clock = new VirtualClock();
  ledger = new MoodyLedger(undefined, clock);
  log = new KeptLog();
});

function callerWith(options: Partial<LedgerStoreOptions> = {}): LedgerCaller {
  const journal = createMemoryStore();
  return new LedgerCaller(checkLedgerOptions({ ledger, journal, clock, logger: log, ...options }));
}

const never = (): AbortSignal => new AbortController().signal;

/** Asks once, and hands back what came of it. */
function ask(caller: LedgerCaller, until = never()): Promise<unknown> {
  return clock.run(caller.debit(posting, until).catch((error: unknown) => error));
}

describe('attempts', () => {
  test('an attempt that is not answered in its time is given up, its signal aborted, and repeated', async () => {
    ledger.mood = 'hangs';
    const startedAt = clock.monotonicMs();
    const failure = await ask(callerWith({ attemptTimeoutMs: 700, attempts: 3 }));
    expect(failure).toMatchObject({ name: 'LedgerSilentError', isBroken: false });
    expect(ledger.asked).toEqual(['debit', 'debit', 'debit']);
    expect(ledger.calls.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
    const tookMs = clock.monotonicMs() - startedAt;
    expect(tookMs).toBeGreaterThanOrEqual(3 * 700);
    expect(tookMs).toBeLessThanOrEqual(3 * 700 + 2 * 400);
    expect(log.of('warn')).toEqual(Array(3).fill('the ledger did not answer'));
  });

  test.each([1, 2, 5])('%d attempts are made in one go, and no more', async (attempts) => {
    ledger.mood = 'fails';
    await ask(callerWith({ attempts }));
    expect(ledger.calls).toHaveLength(attempts);
  });

  test('the pauses between them are drawn anew each time, and none is longer than 400 ms', async () => {
    ledger.mood = 'fails';
    const pauses: number[] = [];
    for (let times = 0; times < 20; times++) {
      const from = ledger.calls.length;
      await ask(callerWith({ attempts: 8 }));
      const at = ledger.calls.slice(from).map((call) => call.at);
      pauses.push(...at.slice(1).map((ms, index) => ms - (at[index] ?? 0)));
    }
    expect(pauses).toHaveLength(140);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(401);
    expect(new Set(pauses.map(Math.round)).size).toBeGreaterThan(20);
  });

  test('nothing is tried any more once the deadline has passed', async () => {
    ledger.mood = 'hangs';
    const until = new AbortController();
    clock.after(100, () => until.abort());
    await ask(callerWith({ attempts: 5 }), until.signal);
    expect(ledger.calls).toHaveLength(1);
    expect(await ask(callerWith(), until.signal)).toMatchObject({ name: 'LedgerSilentError' });
    expect(ledger.calls).toHaveLength(1);
  });

  test('a reversal that is refused is logged as an error, and is no outcome', async () => {
    ledger.reverse = async () => ({ kind: 'refused', reason: 'blocked' });
    const failure = await clock.run(
      callerWith()
        .reverse(posting, never())
        .catch((error: unknown) => error),
    );
    expect(failure).toMatchObject({ name: 'LedgerSilentError', isBroken: false });
    expect(log.of('error')).toEqual(['the ledger refused a reversal: it stays pending']);
  });
});

describe('answers that the port does not allow', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'done'],
    ['another kind', { kind: 'ok' }],
    ['a refusal without a reason', { kind: 'refused' }],
    ['a refusal for an unknown reason', { kind: 'refused', reason: 'tired' }],
    ['a refusal for a reason that every object has', { kind: 'refused', reason: 'toString' }],
    ['a split that is not the amount', { kind: 'done', paid: { real: 9n, bonus: 0n } }],
    ['a split of numbers', { kind: 'done', paid: { real: 10, bonus: 0 } }],
    ['a split below zero', { kind: 'done', paid: { real: 11n, bonus: -1n } }],
    ['accounts that are no list', { kind: 'done', accounts: {} }],
    [
      'accounts in numbers',
      { kind: 'done', accounts: [{ currency: 'EUR', real: 1, bonus: null }] },
    ],
    ['an invalid currency', { kind: 'done', accounts: [{ currency: '', real: 1n, bonus: null }] }],
  ])('%s is not known as an outcome, logged, and not asked for again', async (_, answer) => {
    let calls = 0;
    ledger.debit = async () => {
      calls++;
      return answer as never;
    };
    const caller = callerWith({ breakAfter: 1 });
    expect(await ask(caller)).toMatchObject({
      name: 'LedgerSilentError',
      isBroken: false,
      cause: { name: 'LedgerAnswerError' },
    });
    expect(calls).toBe(1);
    expect(caller.isBroken).toBe(false);
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { err: expect.any(Error) } }]);
  });
});

describe('a failing ledger', () => {
  test('opens the circuit breaker after exactly breakAfter consecutive failures', async () => {
    const caller = callerWith({ attempts: 1, breakAfter: 3 });
    ledger.mood = 'fails';
    await ask(caller);
    await ask(caller);
    ledger.mood = 'answers';
    await ask(caller);
    ledger.mood = 'fails';
    await ask(caller);
    await ask(caller);
    expect(caller.isBroken).toBe(false);
    await ask(caller);
    expect(caller.isBroken).toBe(true);
    expect(log.of('error')).toHaveLength(1);
    const calls = ledger.calls.length;
    expect(await ask(caller)).toMatchObject({ name: 'LedgerSilentError', isBroken: true });
    expect(ledger.calls).toHaveLength(calls);
  });

  test('is asked again after the pause, and all continues once it has answered', async () => {
    const caller = callerWith({ attempts: 1, breakAfter: 1, breakMs: 3000 });
    ledger.mood = 'fails';
    await ask(caller);
    await clock.pass(2900);
    expect(await ask(caller)).toMatchObject({ isBroken: true });
    await clock.pass(200);
    ledger.mood = 'answers';
    expect(await ask(caller)).toMatchObject({ kind: 'done' });
    expect(caller.isBroken).toBe(false);
    expect(log.of('info')).toEqual(['ledger circuit breaker closed: the ledger answers again']);
  });

  test.each([
    ['back', -250_000],
    ['forward', 250_000],
  ])('keeps its peace when the wall clock is set %s by 250 s, and not longer', async (_, byMs) => {
    const caller = callerWith({ attempts: 1, breakAfter: 1, breakMs: 3000 });
    ledger.mood = 'fails';
    await ask(caller);
    ledger.mood = 'answers';
    clock.setWallClock(byMs);
    await clock.pass(2900);
    expect(await ask(caller)).toMatchObject({ isBroken: true });
    await clock.pass(200);
    expect(await ask(caller)).toMatchObject({ kind: 'done' });
  });

  test('is not taken for one by what it refuses', async () => {
    const caller = callerWith({ attempts: 1, breakAfter: 2 });
    ledger.strict.refusals.set('d1', 'blocked');
    for (let times = 0; times < 5; times++) {
      expect(await ask(caller)).toEqual({ kind: 'refused', reason: 'blocked' });
    }
    expect(caller.isBroken).toBe(false);
  });

  test('has its calls answered by D7 at once, and nothing is written down for it', async () => {
    const {
      store,
      ledger: moody,
      journal,
      call,
    } = createLedgerRig({ clock, breakAfter: 1, attempts: 1 });
    moody.mood = 'fails';
    await clock.run(store.rounds.accounts(round));
    const [asked, startedAt] = [moody.calls.length, clock.monotonicMs()];
    const { unknown, verdicts } = await clock.run(call(debit));
    expect(unknown).not.toBeNull();
    expect(verdicts).toEqual([]);
    expect(clock.monotonicMs() - startedAt).toBeLessThan(50);
    expect(moody.calls).toHaveLength(asked);
    expect(await journal.rounds.readRound(round)).toBeNull();
  });

  test('is tried with a question first, and with a posting only once that is answered', async () => {
    const {
      store,
      ledger: moody,
      journal,
      call,
    } = createLedgerRig({ clock, breakAfter: 1, attempts: 1 });
    moody.mood = 'fails';
    await clock.run(store.rounds.accounts(round));
    await clock.pass(2100);
    moody.calls.length = 0;
    expect((await clock.run(call(debit))).unknown).not.toBeNull();
    expect(new Set(moody.asked)).toEqual(new Set(['balances']));
    expect(await journal.rounds.readRound(round)).toBeNull();
    moody.mood = 'answers';
    moody.calls.length = 0;
    await clock.pass(2100);
    expect((await clock.run(call(debit))).unknown).toBeNull();
    expect(moody.asked).toEqual(['balances', 'debit']);
  });
});
