import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { startSweeper } from '../../../lib/operator/ledger';
import { doTransactions } from '../../../lib/operator/wallet';
import { spansOf } from '../../../lib/platform/tracing';
import { tracedRounds } from '../../../lib/operator/telemetry/traced-rounds';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { unsignedDelivery } from '../../../lib/operator/gameround';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import {
  createLedgerRig,
  credit,
  debit,
  type LedgerRig,
  operatorId,
  playerId,
  round,
} from '../ledger/ledger-rig';
import { createSpanRig, type SpanRig } from './span-rig';

let clock: VirtualClock;
let traced: SpanRig;
let rig: LedgerRig;

beforeEach(() => {
  clock = new VirtualClock();
  traced = createSpanRig();
  rig = createLedgerRig({ clock, tracer: traced.tracer, attempts: 2 });
});

afterEach(async () => {
  await rig.store.close();
  await traced.close();
});

/** A call as a router with the same tracer makes it. */
function call(...transactions: Transaction[]): Promise<unknown> {
  const spans = spansOf('test', traced.tracer);
  if (spans === null) throw new Error('there is a tracer');
  const rounds = tracedRounds(rig.store.rounds, spans);
  const policy = { useBonusFirst: true, creditTo: 'real' } as const;
  const { gameRound } = round;
  const message = { playerId, gameRound, gameCode: 'bells', transactions };
  const ports = { rounds, clock, deadlineMs: 5000, policy };
  return clock.run(
    spans.serve('rgs.doTransactions', undefined, () =>
      doTransactions(round, message, unsignedDelivery('d'), ports),
    ),
  );
}

test('a posting is a span below the commit that made it', async () => {
  await call(debit, credit);
  expect(await traced.tree()).toEqual([
    'rgs.ledger.debit < rgs.store.commit',
    'rgs.ledger.credit < rgs.store.commit',
    'rgs.store.commit < rgs.doTransactions',
    'rgs.doTransactions',
  ]);
  const [first] = await traced.spans();
  expect(first).toMatchObject({
    kind: SpanKind.CLIENT,
    attributes: { 'rgs.ledger.result': 'done' },
    status: { code: SpanStatusCode.UNSET },
  });
});

test('a reversal is one below the commit of the void', async () => {
  await call(debit);
  await call({ type: 'void', hash: 'd1', currency: null, amount: null, serial: null } as never);
  expect(await traced.tree()).toContain('rgs.ledger.reverse < rgs.store.commit');
});

test('a refused posting is no error', async () => {
  await call({ ...debit, amount: 10_000n } as Transaction);
  const refused = (await traced.spans()).find(({ name }) => name === 'rgs.ledger.debit');
  expect(refused?.attributes).toEqual({ 'rgs.ledger.result': 'refused' });
  expect(refused?.status.code).toBe(SpanStatusCode.UNSET);
});

test('a posting without an answer is an error, and each attempt is a span', async () => {
  await call(debit);
  rig.ledger.mood = 'fails';
  await call(credit);
  const credits = (await traced.spans()).filter(({ name }) => name === 'rgs.ledger.credit');
  expect(credits.length).toBeGreaterThanOrEqual(2);
  expect(credits[0]).toMatchObject({
    attributes: { 'rgs.ledger.result': 'unknown' },
    status: { code: SpanStatusCode.ERROR, message: 'unknown' },
  });
});

test("a line about the ledger has the ids of the commit's span", async () => {
  await call(debit);
  rig.ledger.mood = 'fails';
  await call(credit);
  const line = rig.log.lines.find(({ message }) => message === 'the ledger did not answer');
  const commits = (await traced.spans()).filter(({ name }) => name === 'rgs.store.commit');
  const ids = commits.map((span) => span.spanContext().spanId);
  const { span_id } = (line?.fields ?? {}) as { readonly span_id?: string };
  expect(ids).toContain(span_id);
});

test('what the sweeper posts is a separate trace', async () => {
  await call(debit);
  rig.ledger.mood = 'fails';
  await call(credit);
  rig.ledger.mood = 'answers';
  const before = (await traced.spans()).length;
  await clock.run(clock.pause(60_000));
  const options = { store: rig.store, operatorIds: [operatorId], clock };
  const sweeper = startSweeper({ ...options, intervalMs: 2 ** 31 - 1, graceMs: 0 });
  await clock.run(sweeper.sweep());
  await clock.run(sweeper.stop());
  expect((await traced.tree()).slice(before)).toContain('rgs.ledger.credit');
});
