import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import {
  isMade,
  type RoundHead,
  type Verdict,
  unsignedDelivery,
} from '../../../../lib/operator/gameround';
import {
  createLedgerStore,
  type LedgerStore,
  roundBooksDifference,
} from '../../../../lib/operator/ledger';
import { approveRepair, rejectRepair } from '../../../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../../../lib/operator/operations/repairs/propose';
import type { RepairOptions } from '../../../../lib/operator/operations/repairs/input';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { cancelRound, doTransactions, type WalletStore } from '../../../../lib/operator/wallet';
import { type Clock, systemClock } from '../../../../lib/platform';
import { createMemoryLedger } from '../../../../lib/proof';
import { emptyPurse } from '../../../../lib/protocol/money/purse';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import { runs } from '../../../support/runs';

const start = 60n;
const round = { operatorId: 'op', playerId: 'p', gameRound: 'R' };
const policy = { useBonusFirst: false, creditTo: 'real' } as const;

const hash = fc.constantFrom('R', 'A', 'B', 'C', 'D', 'E', 'F');
const amount = fc.bigInt(0n, 25n);
const money = { hash, amount, serial: fc.constant(null) };

const transaction: fc.Arbitrary<Transaction> = fc.oneof(
  fc.record({
    ...money,
    type: fc.constant('debit' as const),
    currency: fc.constant('EUR'),
    discount: fc.constant(0n),
    isFirstDebit: fc.constantFrom(true, false, null),
  }),
  fc.record({
    ...money,
    type: fc.constant('credit' as const),
    currency: fc.constantFrom('EUR', 'EUR', 'USD', 'GBP'),
  }),
  fc.record({ type: fc.constant('end' as const), hash }),
  fc.record({
    type: fc.constant('void' as const),
    hash,
    amount: fc.constant(null),
    currency: fc.constant(null),
  }),
);

const call = fc.record({
  does: fc.constant('call' as const),
  isCancelled: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  transactions: fc.array(transaction, { minLength: 1, maxLength: 4 }),
});
const proposal = fc.record({
  does: fc.constant('propose' as const),
  kind: fc.constantFrom('pay', 'pay', 'resolve', 'void' as const),
  hash: fc.option(fc.constantFrom('B', 'C', 'R', 'A', 'D'), { nil: undefined }),
  /** Who approve it at once. */
  people: fc.array(fc.constantFrom('anna', 'bert', 'carl', 'dora'), { maxLength: 2 }),
  by: fc.constantFrom('anna', 'bert'),
});
const decision = fc.record({
  does: fc.constantFrom('approve', 'approve', 'approve', 'reject' as const),
  /** How many ago the proposal was made. */
  ago: fc.nat(2),
  people: fc.array(fc.constantFrom('anna', 'bert', 'carl', 'dora'), { minLength: 1, maxLength: 3 }),
});
const anyEvent = fc.oneof(call, proposal, proposal, decision);
type Event = typeof anyEvent extends fc.Arbitrary<infer E> ? E : never;

const opened: Event = {
  does: 'call',
  isCancelled: false,
  transactions: [
    {
      type: 'debit',
      hash: 'R',
      amount: 10n,
      currency: 'EUR',
      discount: 0n,
      isFirstDebit: true,
      serial: null,
    },
  ],
};
/** A second stake, and after it a win that no account of the player can take: the round is stranded. */
const stuck: Event = {
  does: 'call',
  isCancelled: false,
  transactions: [
    {
      type: 'debit',
      hash: 'A',
      amount: 5n,
      currency: 'EUR',
      discount: 0n,
      isFirstDebit: false,
      serial: null,
    },
    { type: 'credit', hash: 'B', amount: 25n, currency: 'USD', serial: null },
    { type: 'credit', hash: 'C', amount: 7n, currency: 'EUR', serial: null },
  ],
};

/** A round that is stranded from the start in most histories. */
const history = fc
  .tuple(
    fc.constantFrom<Event[]>([opened], [opened, stuck], [opened, stuck]),
    fc.array(anyEvent, { minLength: 3, maxLength: 14 }),
  )
  .map(([begin, rest]) => [...begin, ...rest]);

/** One wallet under a history. */
class Played {
  readonly verdicts = new Map<string, string>();
  private readonly ids: string[] = [];
  /** Ids by the order of their proposals, whatever store gave them: `#1`. */
  made = 0;
  /** Whether a call was answered 5xx, and its debits voided (D7). */
  isInDoubt = false;

  /** Each event has its own time, the same in every wallet. */
  private time = 1_700_000_000_000;
  private readonly clock: Clock = { ...systemClock, now: () => this.time };

  constructor(readonly store: WalletStore) {}

  async play(event: Event, at: number): Promise<string> {
    this.time += 1;
    switch (event.does) {
      case 'call':
        return this.call(event.transactions, event.isCancelled, `${at}`);
      case 'propose':
        return this.propose(event);
      default:
        return this.decide(event);
    }
  }

  /** Whether a debit was voided: then it and what follows it are answered 9003 and 9004. */
  async hasVoid(): Promise<boolean> {
    const report = await this.store.rounds.readRound(round);
    return [...(report?.entries.values() ?? [])].some((entry) => entry.void !== undefined);
  }

  async head(): Promise<RoundHead> {
    const loaded = await this.store.rounds.load(round, []);
    if (loaded.kind === 'unknown') throw loaded.cause;
    return loaded.snapshot.head;
  }

  async has(currency: string): Promise<bigint> {
    const result = await this.store.rounds.accounts(round);
    if (result.kind === 'unknown') throw result.cause;
    return result.accounts?.find((one) => one.currency === currency)?.real ?? 0n;
  }

  private async call(
    transactions: readonly Transaction[],
    isCancelled: boolean,
    id: string,
  ): Promise<string> {
    const { playerId, gameRound } = round;
    const sent = { playerId, gameRound, gameCode: 'bells', transactions };
    const delivery = unsignedDelivery(id);
    if (isCancelled) {
      const ports = {
        rounds: this.store.rounds,
        clock: this.clock,
        signal: new AbortController().signal,
      };
      return String(await cancelRound(round, sent, delivery, ports));
    }
    const ports = { rounds: this.store.rounds, clock: this.clock, policy, deadlineMs: 10_000 };
    const { verdicts, unknown } = await doTransactions(round, sent, delivery, ports);
    const voids = transactions.flatMap(({ type, hash: debit }): Transaction[] =>
      type === 'debit' ? [{ type: 'void', hash: debit, amount: null, currency: null }] : [],
    );
    if (unknown !== null && voids.length > 0) {
      this.isInDoubt = true;
      const voided = { ...sent, transactions: voids };
      await doTransactions(round, voided, unsignedDelivery(`v${id}`), ports);
    }
    return verdicts.map(wordOf).join(' ');
  }

  private async propose(event: Extract<Event, { does: 'propose' }>): Promise<string> {
    const { kind, by } = event;
    const order = {
      kind,
      reason: 'as the RGS told us',
      ...(kind === 'resolve' ? { reference: 'elsewhere' } : {}),
      ...(kind === 'resolve' || event.hash === undefined ? {} : { hash: event.hash }),
    };
    const result = await proposeRepair(round, order, { id: by, name: null }, this.options());
    if (result.kind === 'refused') return result.reason;
    if (result.kind === 'unknown') throw result.cause;
    this.ids.push(result.repair.id);
    const { people } = event;
    return people.length === 0 ? 'proposed' : this.decide({ does: 'approve', ago: 0, people });
  }

  private async decide(event: Extract<Event, { does: 'approve' | 'reject' }>): Promise<string> {
    const id = this.ids.at(-1 - event.ago) ?? 'none';
    const results = await Promise.all(
      event.people.map((person) => {
        const by = { id: person, name: null };
        return event.does === 'approve'
          ? approveRepair(round, id, by, this.options())
          : rejectRepair(round, id, by, 'it is another one', this.options());
      }),
    );
    this.made += results.filter((one) => one.kind === 'made' && !one.replay).length;
    return results.every((one) => one.kind === 'refused') ? 'refused' : 'decided';
  }

  private options(): RepairOptions {
    return { store: this.store, clock: this.clock };
  }
}

function wordOf(verdict: Verdict): string {
  return `${verdict.hash}:${verdict.outcome === 'refused' ? verdict.code : verdict.outcome}`;
}

async function inMemory(): Promise<Played> {
  const store = createMemoryStore();
  for (const currency of ['EUR', 'USD']) {
    const balances = { real: { units: currency === 'EUR' ? start : 0n } };
    await store.players.openPlayer({ ...round, currency, balances });
  }
  return new Played(store);
}

async function overLedger(): Promise<Played> {
  const ledger = createMemoryLedger();
  for (const currency of ['EUR', 'USD']) {
    const balances = { real: { units: currency === 'EUR' ? start : 0n } };
    await ledger.openPlayer({ ...round, currency, balances });
  }
  return new Played(createLedgerStore({ ledger, journal: createMemoryStore() }));
}

/** What repairs gave that nobody took back. */
function repaired(head: RoundHead, currency: string): bigint {
  const paid = (head.repairs?.list ?? []).filter(
    (one) => one.kind === 'pay' && one.currency === currency && isMade(one),
  );
  return paid.reduce((sum, { purse }) => sum + purse.real, 0n);
}

async function checkMoney(played: Played): Promise<void> {
  const head = await played.head();
  const rounds = head.credits.real - head.debits.real;
  expect(await played.has('EUR')).toBe(start + rounds + repaired(head, 'EUR'));
  expect(await played.has('USD')).toBe(repaired(head, 'USD'));
  // O4, from the purse: a round that never was leaves the player with what there was before.
  if (head.state === 'voided') {
    expect([await played.has('EUR'), await played.has('USD')]).toEqual([start, 0n]);
  }
  // What the ledger posted is the round and its repairs.
  const { store } = played;
  if ('roundBooks' in store) {
    for await (const books of (store as LedgerStore).roundBooks?.() ?? []) {
      if (books.standing !== 'unsettled') expect(roundBooksDifference(books)).toEqual(emptyPurse);
    }
  }
  // O11: what was said to be made is in the book once, and no credit is paid twice.
  const list = head.repairs?.list ?? [];
  const made = list.filter(({ status }) => status === 'done' || status === 'takenBack');
  expect(made).toHaveLength(played.made);
  const paid = list.filter((one) => one.kind === 'pay' && isMade(one)).map((one) => one.hash);
  expect(new Set(paid).size).toBe(paid.length);
}

test.each([
  ['in memory', inMemory],
  ['over a ledger', overLedger],
])(
  '%s, whatever the RGS and people do: start - debits + credits + repairs = balance, and each repair has one effect (O1, O11)',
  async (_, open) => {
    await fc.assert(
      fc.asyncProperty(history, async (events) => {
        const played = await open();
        for (const [at, event] of events.entries()) {
          await played.play(event, at);
          await checkMoney(played);
        }
      }),
      { numRuns: runs(1500) },
    );
  },
);

test('a store and a ledger answer the same, and leave the same round and money (D11)', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (events) => {
      const [one, other] = [await inMemory(), await overLedger()];
      for (const [at, event] of events.entries()) {
        const answers = [await one.play(event, at), await other.play(event, at)];
        // A call that falls after its first posting is left to its voids by a ledger (D4.6, D7).
        if (other.isInDoubt) return;
        expect(answers[1]).toBe(answers[0]);
        expect((await other.head()).state).toBe((await one.head()).state);
        expect(await other.has('EUR')).toBe(await one.has('EUR'));
      }
    }),
    { numRuns: runs(800) },
  );
});

test('a resend is answered as before, whatever people paid or resolved meanwhile, until they void (O8, D11.3)', async () => {
  const repairs = fc.array(fc.oneof(proposal, decision), { minLength: 1, maxLength: 6 });
  const calls = fc.array(call, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(calls, repairs, async (sent, events) => {
      const played = await inMemory();
      const all = [opened, stuck, ...sent];
      for (const [at, event] of all.entries()) await played.play(event, at);
      const last = { ...all.at(-1), isCancelled: false } as Event;
      const before = await played.play(last, 90);
      for (const [at, event] of events.entries()) await played.play(event, 50 + at);
      if (!(await played.hasVoid())) expect(await played.play(last, 91)).toBe(before);
    }),
    { numRuns: runs(1000) },
  );
});
