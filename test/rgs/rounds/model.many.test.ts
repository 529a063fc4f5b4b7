import { describe, test } from '@jest/globals';
import * as fc from 'fast-check';
import { expectSame } from '../../support/expect-same';
import { runs } from '../../support/runs';

import { replyOf } from '../../../lib/rgs/rounds/query';
import { Desk, idOf, type Outcome } from './desk';
import { type Luck, Model, type ModelAnswer, type ModelCall } from './model';
import { perform } from './perform';
import { Purse } from './purse';

function shown({ answer }: Outcome): ModelAnswer {
  if (answer.kind === 'refused') return idOf(answer);
  const { amountToCollect, stake, status } = replyOf(answer.round);
  return [Number(amountToCollect), Number(stake), status === 'open'];
}

// Few ids, keys and amounts, so that repeats and collisions are common.
const id = fc.constantFrom('r1', 'r2', 'r3');
const key = fc.constantFrom('a', 'b', 'c', 'd');
const amount = fc.integer({ min: 0, max: 4 });
const few = fc.integer({ min: 0, max: 2 });
const mostly = fc.constantFrom(false, false, false, true);
const start = fc.record({
  kind: fc.constantFrom('start' as const, 'bet' as const, 'bet' as const),
  id,
  amount,
  key,
  endGame: mostly,
  credit: fc.constantFrom(0, 0, 0, 3),
});
const anyCall: fc.Arbitrary<ModelCall> = fc.oneof(
  { weight: 6, arbitrary: start },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('win' as const), id, amount, key, collect: mostly }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wager' as const), id, amount, outcome: amount, key }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('spins' as const), id, awarded: few, used: few, key }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('collect' as const), id, amount, key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), id }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('void' as const), id, key: fc.option(key) }),
  },
);

const step = fc.record({
  call: anyCall,
  luck: fc.constantFrom<Luck>('take', 'take', 'take', 'take', 'decline', 'silent'),
  isDown: fc.constantFrom(false, false, true),
  isLateToAnswer: fc.boolean(),
  /** Whether the same call comes twice. */
  isRepeated: mostly,
});

const history = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 30 }),
  batching: fc.constantFrom('combined' as const, 'separate' as const),
});

/** Plays a history; the wallet is tried once a call, as the world outside has it. */
function play(
  { steps, batching }: typeof history extends fc.Arbitrary<infer T> ? T : never,
  look: (desk: Desk, purse: Purse, model: Model) => void,
): void {
  const purse = new Purse();
  const desk = new Desk(() => null);
  desk.batching = batching;
  const model = new Model();
  let previous = '';
  desk.wallet = (due, gameRound) => {
    const text = due.map(({ type, hash }) => `${type} ${hash}`).join(' ');
    if (purse.isDown && text === previous) return null;
    previous = text;
    return purse.take(due, gameRound);
  };
  for (const { call, luck, isDown, isLateToAnswer, isRepeated } of steps) {
    Object.assign(purse, { luck, isDown, isLateToAnswer });
    for (let time = 0; time < (isRepeated ? 2 : 1); time += 1) {
      previous = '';
      const before = desk.rounds.get(call.id);
      const isStuck = isDown && (before?.queue.length ?? 0) > 0;
      expectSame(shown(perform(desk, call)), model.call(call, luck, isStuck));
    }
  }
  Object.assign(purse, { luck: 'take', isDown: false });
  for (const gameRound of desk.rounds.keys()) desk.deliver(gameRound);
  look(desk, purse, model);
}

function holds(look: (desk: Desk, purse: Purse, model: Model) => void): void {
  fc.assert(
    fc.property(history, (one) => play(one, look)),
    { numRuns: runs(500) },
  );
}

describe('for any calls of a game and any wallet', () => {
  test('E6: each call is answered as the model says, repeats too; once all is delivered the books are equal', () => {
    holds((desk, purse, model) => {
      expectSame(purse.balance, model.net());
      const replies = [...desk.rounds.values()].map(replyOf);
      const books = replies.reduce(
        (sum, { amountCredited, stake }) => sum + amountCredited - stake,
        0n,
      );
      expectSame(Number(books), model.net());
      expectSame(
        replies.filter(({ creditPending }) => creditPending !== 0n),
        [],
      );
    });
  });

  test('E15.4: no hash is given to two transactions, but for a debit and its void', () => {
    holds((desk) => {
      const hashes = [...desk.rounds.values()].flatMap(({ debits, credits, gameRound }) => [
        ...debits.map(({ due }) => due.hash),
        ...credits.map(({ due }) => due.hash),
        ...endsOf(desk, gameRound),
      ]);
      expectSame(new Set(hashes).size, hashes.length);
    });
  });

  test('W2: a debit is sent once, for any answer', () => {
    holds((_, { log }) => {
      const debits = log.filter((line) => line.startsWith('debit'));
      expectSame(new Set(debits).size, debits.length);
    });
  });

  test('W8: after the end of a round nothing is sent, and no end without a debit that stands', () => {
    holds((desk, { log }) => {
      for (const { gameRound, state, debits, credits } of desk.rounds.values()) {
        const [end] = endsOf(desk, gameRound);
        const own = [...debits, ...credits].map(({ due }) => due.hash);
        const at = log.findIndex((line) => line === `end ${end}`);
        const isSent = at >= 0;
        if (isSent && state !== 'cancelled' && state !== 'declined') {
          const before = log.slice(0, at).map((line) => line.split(' ')[1] ?? '');
          expectSame(
            debits.every(({ due }) => before.includes(due.hash)),
            true,
          );
          const behind = log.slice(log.lastIndexOf(`end ${end}`) + 1);
          expectSame(
            behind.filter((line) => own.includes(line.split(' ')[1] ?? '')),
            [],
          );
        }
        if (state === 'closed') expectSame(isSent, true);
        if (state === 'voided') expectSame(isSent, false);
      }
    });
  });

  test('B4: the journal alone makes the same rounds', () => {
    holds((desk) => {
      expectSame(desk.replayed(), desk.rounds);
    });
  });
});

/** What a wallet of any kind answers: a status, and whether each hash is listed, with an error or not. */
const verdict = fc.record({
  status: fc.constantFrom(200, 200, 200, 400, 400, 503),
  listing: fc.array(fc.constantFrom('done', 'done', 'refused', 'left out'), {
    minLength: 3,
    maxLength: 3,
  }),
});

describe('for any answer of a wallet, wrong ones too', () => {
  test('E12.1: what was collected is paid, pending or left to a person, and no void is forgotten', () => {
    const sample = fc.record({ history, verdicts: fc.array(verdict, { maxLength: 60 }) });
    fc.assert(
      fc.property(sample, ({ history: { steps, batching }, verdicts }) => {
        const desk = new Desk(() => null);
        desk.batching = batching;
        const left = [...verdicts];
        const acknowledged = new Set<string>();
        desk.wallet = (call) => {
          const next = left.shift();
          if (next === undefined) return null;
          const hashesProcessed = call.flatMap(({ hash }, at) => {
            const listing = next.listing[at];
            if (listing === 'left out') return [];
            return [{ hash, error: listing === 'refused' ? { id: 9005, msg: '' } : null }];
          });
          return { kind: 'reply', status: next.status, body: { hashesProcessed, error: null } };
        };
        for (const { call } of steps) perform(desk, call);
        for (const events of desk.journal.values()) {
          for (const event of events) {
            if (event.type !== 'settled') continue;
            for (const { type, hash, fate } of event.transactions) {
              if (type === 'void' && fate === 'processed') acknowledged.add(hash);
            }
          }
        }
        for (const { state, entries, credits, debits, queue } of desk.rounds.values()) {
          const counted = credits.filter((one) => one.state !== 'dropped');
          const owedSum = counted.reduce((sum, { due }) => sum + due.amount, 0n);
          const isTaken = state !== 'starting' && state !== 'declined' && state !== 'cancelled';
          const taken = entries.reduce((sum, { collected }) => sum + collected, 0n);
          if (isTaken) expectSame(owedSum, taken);
          const undone = debits.filter(
            (one) => one.state === 'withdrawn' || one.state === 'voided',
          );
          const due = new Set(queue.filter(({ type }) => type === 'void').map(({ hash }) => hash));
          const forgotten = undone.filter(
            (one) => !due.has(one.due.hash) && !acknowledged.has(one.due.hash),
          );
          expectSame(forgotten, []);
          const isOver = state === 'stranded' || state === 'crashed';
          if (isOver)
            expectSame(
              queue.filter(({ type }) => type !== 'void'),
              [],
            );
          const dueCredits = credits
            .filter((one) => one.state === 'due')
            .map(({ due: { hash } }) => hash);
          const queued = queue.filter(({ type }) => type === 'credit').map(({ hash }) => hash);
          expectSame(queued, dueCredits);
        }
        expectSame(desk.replayed(), desk.rounds);
      }),
      { numRuns: runs(500) },
    );
  });
});

/** The hashes of the ends that fell due for a round. */
function endsOf(desk: Desk, gameRound: string): string[] {
  const events = desk.journal.get(gameRound) ?? [];
  return events.flatMap((event) => {
    if (event.type === 'closed') return [event.end.hash];
    return event.type === 'started' && event.end !== null ? [event.end.hash] : [];
  });
}
