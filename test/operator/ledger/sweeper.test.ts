import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createLedgerStore,
  startSweeper,
  type Sweeper,
  type SweeperOptions,
} from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import {
  createLedgerRig,
  credit,
  debit,
  KeptLog,
  type LedgerRig,
  operatorId,
  round,
} from './ledger-rig';

let clock: VirtualClock;
let rig: LedgerRig;
let sweepers: Sweeper[];

beforeEach(() => {
  clock = new VirtualClock();
  rig = createLedgerRig({ clock, attempts: 1, breakAfter: 1000 });
  sweepers = [];
});

afterEach(async () => {
  await clock.run(Promise.all(sweepers.map((sweeper) => sweeper.stop())));
});

function sweeperWith(options: Partial<SweeperOptions> = {}): Sweeper {
  const quiet = { intervalMs: 2 ** 31 - 1, graceMs: 0, giveUpAfterMs: 0 };
  const sweeper = startSweeper({
    store: rig.store,
    operatorIds: [operatorId],
    clock,
    ...quiet,
    ...options,
  });
  sweepers.push(sweeper);
  return sweeper;
}

const sweep = (sweeper: Sweeper) => clock.run(sweeper.sweep());

/** Leaves a credit of an open round pending: the ledger is out of order when it arrives. */
async function leaveCredit(): Promise<void> {
  await clock.run(rig.call(debit));
  await leave(() => rig.call(credit));
}

/** Leaves the first debit of a round pending. */
function leaveDebit(): Promise<void> {
  return leave(() => rig.call(debit, credit));
}

async function leave(call: () => Promise<{ readonly unknown: unknown }>): Promise<void> {
  rig.ledger.mood = 'fails';
  rig.ledger.moodOf = ['debit', 'credit', 'reverse'];
  expect((await clock.run(call())).unknown).not.toBeNull();
  rig.ledger.mood = 'answers';
  rig.ledger.calls.length = 0;
}

async function headOf() {
  const report = await rig.journal.rounds.readRound(round);
  if (report === null) throw new Error('nothing is known of the round');
  return report.head;
}

async function attention(): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of rig.store.lists.attention(operatorId)) {
    found.push(`${entry.gameRound} ${entry.state}`);
  }
  return found;
}

describe('a credit that was left pending', () => {
  test('is driven until it is definite, and has one effect', async () => {
    await leaveCredit();
    expect((await headOf()).pending?.posts).toHaveLength(1);
    expect(await sweep(sweeperWith())).toEqual({ settled: 1, waiting: 0, failed: 0 });
    expect((await headOf()).pending).toBeNull();
    expect(rig.ledger.strict.balance.real).toBe(1000n - 10n + 7n);
    const again = await clock.run(rig.call(credit));
    expect(again.verdicts).toEqual([{ hash: 'c1', outcome: 'processed', replay: true }]);
    expect(rig.ledger.strict.balance.real).toBe(997n);
  });

  test('is left to its call while it is younger than graceMs', async () => {
    await leaveCredit();
    const sweeper = sweeperWith({ graceMs: 60_000 });
    expect(await sweep(sweeper)).toEqual({ settled: 0, waiting: 1, failed: 0 });
    expect(rig.ledger.asked).toEqual([]);
    await clock.pass(60_000);
    expect(await sweep(sweeper)).toEqual({ settled: 1, waiting: 0, failed: 0 });
  });

  test('does not wait for giveUpAfterMs, which is for debits', async () => {
    await leaveCredit();
    const { settled } = await sweep(sweeperWith({ giveUpAfterMs: 1_000_000 }));
    expect(settled).toBe(1);
  });

  test('that the ledger refuses for good strands the round, for a person to look at', async () => {
    await leaveCredit();
    rig.ledger.strict.refusals.set('c1', 'refused');
    await sweep(sweeperWith());
    expect(await attention()).toEqual(['d1 stranded']);
    expect((await headOf()).pending).toBeNull();
  });

  test('has one effect though two sweepers work on it at once', async () => {
    await leaveCredit();
    const { ledger, journal } = rig;
    const other = createLedgerStore({ ledger, journal, clock, attempts: 1 });
    const both = [sweeperWith(), sweeperWith({ store: other })];
    const reports = await clock.run(Promise.all(both.map((sweeper) => sweeper.sweep())));
    expect(reports.map(({ failed }) => failed)).toEqual([0, 0]);
    expect((await headOf()).pending).toBeNull();
    expect(ledger.strict.postings).toHaveLength(2);
    expect(ledger.strict.balance.real).toBe(997n);
  });
});

describe('a debit that was left pending', () => {
  test('is never driven: its round is cancelled, shown, and waits for its void (D7)', async () => {
    await leaveDebit();
    expect(await attention()).toEqual([]);
    expect(await sweep(sweeperWith())).toEqual({ settled: 1, waiting: 0, failed: 0 });
    expect(rig.ledger.asked).not.toContain('debit');
    expect(rig.ledger.asked).not.toContain('credit');
    expect(await attention()).toEqual(['d1 cancelled']);
    expect(await headOf()).toMatchObject({ state: 'cancelled', unanswered: 1, pending: null });
    await clock.run(rig.call({ type: 'void', hash: 'd1', amount: null, currency: null }));
    expect(await attention()).toEqual([]);
    expect(rig.ledger.strict.balance.real).toBe(1000n);
  });

  test('takes back the credit that came after it in its call', async () => {
    await leaveDebit();
    await sweep(sweeperWith());
    expect(rig.ledger.asked).toEqual(['reverse']);
  });

  test('is left alone while it is younger than giveUpAfterMs, whatever graceMs is', async () => {
    await leaveDebit();
    const sweeper = sweeperWith({ giveUpAfterMs: 60_000 });
    expect(await sweep(sweeper)).toEqual({ settled: 0, waiting: 1, failed: 0 });
    expect(await attention()).toEqual([]);
    await clock.pass(60_000);
    expect(await sweep(sweeper)).toEqual({ settled: 1, waiting: 0, failed: 0 });
  });

  test('is left alone while it is younger than graceMs, though giveUpAfterMs is shorter', async () => {
    await leaveDebit();
    const sweeper = sweeperWith({ graceMs: 60_000 });
    expect(await sweep(sweeper)).toEqual({ settled: 0, waiting: 1, failed: 0 });
    await clock.pass(60_000);
    expect(await sweep(sweeper)).toEqual({ settled: 1, waiting: 0, failed: 0 });
  });
});

describe('a reversal that was left pending', () => {
  test('is left to its call while it is younger than graceMs', async () => {
    await clock.run(rig.call(debit));
    await leave(() => rig.call({ type: 'void', hash: 'd1', amount: null, currency: null }));
    const sweeper = sweeperWith({ graceMs: 60_000 });
    expect(await sweep(sweeper)).toEqual({ settled: 0, waiting: 1, failed: 0 });
    expect(rig.ledger.asked).toEqual([]);
    await clock.pass(60_000);
    expect(await sweep(sweeper)).toEqual({ settled: 1, waiting: 0, failed: 0 });
    expect(rig.ledger.strict.balance.real).toBe(1000n);
  });
});

describe('a round that cannot be finished', () => {
  test('is logged, and tried again after pauses that grow', async () => {
    await leaveCredit();
    rig.ledger.mood = 'fails';
    const log = new KeptLog();
    const sweeper = sweeperWith({ logger: log });
    const tries: number[] = [];
    for (let seconds = 0; seconds < 120; seconds++) {
      const { failed } = await sweep(sweeper);
      if (failed > 0) tries.push(clock.monotonicMs());
      await clock.pass(1000);
    }
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    expect(pauses.length).toBeGreaterThanOrEqual(3);
    expect(pauses.length).toBeLessThanOrEqual(8);
    expect(Math.max(...pauses)).toBeGreaterThan(3 * Math.min(...pauses));
    expect(log.of('error')).toHaveLength(tries.length);
    rig.ledger.mood = 'answers';
    await clock.pass(300_000);
    expect(await sweep(sweeper)).toEqual({ settled: 1, waiting: 0, failed: 0 });
  });

  test('is passed over until its pause is over, and the other operators are swept', async () => {
    await leaveCredit();
    rig.ledger.strict.credit = () => Promise.reject(new Error('The ledger is out of order.'));
    const sweeper = sweeperWith({ operatorIds: ['nobody', operatorId] });
    expect(await sweep(sweeper)).toEqual({ settled: 0, waiting: 0, failed: 1 });
    expect(await sweep(sweeper)).toEqual({ settled: 0, waiting: 1, failed: 0 });
  });

  test.each([
    ['back', -250_000],
    ['forward', 250_000],
  ])(
    'is tried again after its pause, also when the wall clock is set %s by 250 s',
    async (_, byMs) => {
      rig.journal.lists.unfinished = async function* () {
        yield round;
      };
      const silence = { kind: 'unknown', cause: new Error('The ledger is silent.') } as const;
      rig.store.settle = async () => silence;
      const sweeper = sweeperWith();
      expect((await sweep(sweeper)).failed).toBe(1);
      clock.setWallClock(byMs);
      await clock.pass(900); // the first pause is 1 to 2 s
      expect((await sweep(sweeper)).waiting).toBe(1);
      await clock.pass(1100);
      expect((await sweep(sweeper)).failed).toBe(1);
    },
  );

  test('does not keep the others from being finished, also where its store throws', async () => {
    rig.journal.lists.unfinished = async function* () {
      for (const gameRound of ['bad', 'good']) yield { ...round, gameRound };
    };
    rig.store.settle = async ({ gameRound }) => {
      if (gameRound === 'bad') throw new Error('The journal is silent.');
      return { kind: 'settled', state: 'open' };
    };
    expect(await sweep(sweeperWith())).toEqual({ settled: 1, waiting: 0, failed: 1 });
  });

  test('begins with the shortest pause again once it was finished', async () => {
    rig.journal.lists.unfinished = async function* () {
      yield round;
    };
    let isSilent = true;
    const silence = { kind: 'unknown', cause: new Error('The ledger is silent.') } as const;
    rig.store.settle = async () => (isSilent ? silence : { kind: 'settled', state: 'open' });
    const sweeper = sweeperWith();
    for (let failures = 0; failures < 6; failures++) {
      expect((await sweep(sweeper)).failed).toBe(1);
      await clock.pass(300_000);
    }
    isSilent = false;
    expect((await sweep(sweeper)).settled).toBe(1);
    isSilent = true;
    expect((await sweep(sweeper)).failed).toBe(1);
    await clock.pass(2000);
    expect((await sweep(sweeper)).failed).toBe(1);
  });

  test('a journal that cannot be listed is logged, and swept the next time', async () => {
    await leaveCredit();
    const log = new KeptLog();
    const listed = rig.journal.lists.unfinished.bind(rig.journal.lists);
    rig.journal.lists.unfinished = () => {
      throw new Error('The journal is silent.');
    };
    const sweeper = sweeperWith({ logger: log });
    expect(await sweep(sweeper)).toEqual({ settled: 0, waiting: 0, failed: 0 });
    expect(log.of('warn')).toEqual(['sweeper: listing unfinished rounds failed']);
    rig.journal.lists.unfinished = listed;
    expect((await sweep(sweeper)).settled).toBe(1);
  });
});

describe('a sweeper', () => {
  test('sweeps by itself, each interval give or take a quarter', async () => {
    const sweptAt: number[] = [];
    rig.journal.lists.unfinished = async function* () {
      sweptAt.push(clock.monotonicMs());
      yield* [];
    };
    const startedAt = clock.monotonicMs();
    sweeperWith({ intervalMs: 4000 });
    await clock.pass(100_000);
    const pauses = sweptAt.map((at, index) => at - (sweptAt[index - 1] ?? startedAt));
    expect(pauses.length).toBeGreaterThanOrEqual(20);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(3000);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(5001);
    expect(new Set(pauses.map(Math.round)).size).toBeGreaterThan(5);
  });

  test('answers a sweep during a running one with that one', async () => {
    await leaveCredit();
    const sweeper = sweeperWith();
    const [one, two] = [sweeper.sweep(), sweeper.sweep()];
    expect(await clock.run(Promise.all([one, two]))).toEqual([
      { settled: 1, waiting: 0, failed: 0 },
      { settled: 1, waiting: 0, failed: 0 },
    ]);
    expect(rig.ledger.asked.filter((method) => method === 'credit')).toHaveLength(1);
  });

  test('stops only when the running sweep is done, and sweeps no more', async () => {
    await leaveCredit();
    rig.ledger.mood = 'hangs';
    const sweeper = sweeperWith({ intervalMs: 1000 });
    const progress = { isSwept: false };
    const sweeping = sweeper.sweep().then(() => {
      progress.isSwept = true;
    });
    const wasSwept = await clock.run(sweeper.stop().then(() => progress.isSwept));
    await clock.run(sweeping);
    expect(wasSwept).toBe(true);
    rig.ledger.mood = 'answers';
    await clock.pass(60_000);
    expect((await headOf()).pending).not.toBeNull();
  });

  test('continues with other rounds if the journal never answers for one, and retries that one', async () => {
    rig.journal.lists.unfinished = async function* () {
      for (const gameRound of ['silent', 'good']) yield { ...round, gameRound };
    };
    const load = rig.journal.rounds.load.bind(rig.journal.rounds);
    rig.journal.rounds.load = (key, hashes) =>
      key.gameRound === 'silent' ? new Promise(() => {}) : load(key, hashes);
    const log = new KeptLog();
    const sweeper = sweeperWith({ logger: log, roundsAtOnce: 1 });
    expect(await sweep(sweeper)).toEqual({ settled: 1, waiting: 0, failed: 1 });
    expect(log.of('error')).toEqual(['round still unfinished: the sweeper will retry']);
    rig.journal.rounds.load = load;
    await clock.pass(2000);
    expect(await sweep(sweeper)).toEqual({ settled: 2, waiting: 0, failed: 0 });
  });

  test.each([
    ['at once', []],
    ['after a round', [round]],
  ])('gives up a list that hangs, %s, and sweeps again', async (_, found) => {
    const unfinished = rig.journal.lists.unfinished.bind(rig.journal.lists);
    rig.journal.lists.unfinished = async function* () {
      yield* found;
      await new Promise(() => {});
    };
    const log = new KeptLog();
    const sweeper = sweeperWith({ logger: log, operatorIds: [operatorId, 'another'] });
    expect(await sweep(sweeper)).toMatchObject({ settled: 2 * found.length, failed: 0 });
    const told = 'sweeper: listing unfinished rounds failed';
    expect(log.of('warn')).toEqual([told, told]);
    rig.journal.lists.unfinished = unfinished;
    await leaveCredit();
    expect((await sweep(sweeper)).settled).toBe(1);
  });

  test.each([
    ['load', () => rig.journal.rounds],
    ['unfinished', () => rig.journal.lists],
    ['settle', () => rig.store],
  ] as const)('can be stopped although %s never answers', async (method, owner) => {
    await leaveCredit();
    const asked = new Promise<void>((resolve) => {
      const silence = () => {
        resolve();
        return new Promise<never>(() => {});
      };
      const silentList = async function* () {
        yield await silence();
      };
      Object.assign(owner(), { [method]: method === 'unfinished' ? silentList : silence });
    });
    const sweeper = sweeperWith();
    const sweeping = sweeper.sweep();
    await clock.run(asked);
    await clock.run(sweeper.stop());
    expect(await clock.run(sweeping)).toMatchObject({ settled: 0 });
  });

  test('processes no more rounds concurrently than roundsAtOnce', async () => {
    const gameRounds = ['r1', 'r2', 'r3', 'r4', 'r5'];
    rig.journal.lists.unfinished = async function* () {
      for (const gameRound of gameRounds) yield { ...round, gameRound };
    };
    let [atWork, most] = [0, 0];
    rig.store.settle = async () => {
      most = Math.max(most, ++atWork);
      await clock.pause(100);
      atWork--;
      return { kind: 'settled', state: 'open' };
    };
    expect((await sweep(sweeperWith({ roundsAtOnce: 2 }))).settled).toBe(5);
    expect(most).toBe(2);
  });

  test.each([
    [
      'a store that is no ledger store',
      { store: createMemoryStore() },
      'store must be a ledger store',
    ],
    ['no operator', { operatorIds: [] }, 'operatorIds must name at least one'],
    ['an interval of 0', { intervalMs: 0 }, 'intervalMs must be a whole number'],
    ['a grace below 0', { graceMs: -1 }, 'graceMs must be a whole number'],
    ['half a millisecond', { giveUpAfterMs: 0.5 }, 'giveUpAfterMs must be a whole number'],
    ['no round at once', { roundsAtOnce: 0 }, 'roundsAtOnce must be a whole number'],
    ['no time for a round', { roundTimeoutMs: 0 }, 'roundTimeoutMs must be a whole number'],
  ])('is not made with %s', (_, options, message) => {
    expect(() => sweeperWith(options as Partial<SweeperOptions>)).toThrow(message);
  });
});
