import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { expectSame } from '../../support/expect-same';
import { runs } from '../../support/runs';

import { type Answer, cut, meaningOf, timeOut } from '../../../lib/rgs/settlement/answer';
import {
  type SentCall,
  type SentTransaction,
  settle,
  type Settlement,
} from '../../../lib/rgs/settlement/settle';

interface Sample {
  readonly call: SentCall<SentTransaction>;
  readonly answer: Answer;
}

/** Each hash stands once in a call; a void is of a debit of an earlier one. */
const call: fc.Arbitrary<SentCall<SentTransaction>> = fc
  .record({
    types: fc.array(fc.constantFrom('debit', 'credit', 'end', 'void'), {
      minLength: 1,
      maxLength: 6,
    }),
    hasFirst: fc.boolean(),
    hasPaidCredit: fc.boolean(),
  })
  .map(({ types, hasFirst, hasPaidCredit }) => {
    const first = hasFirst ? types.indexOf('debit') : -1;
    const transactions = types.map((type, at): SentTransaction => {
      const hash = `${type}-${at}`;
      return type === 'debit' ? { type, hash, isFirstDebit: at === first } : { type, hash };
    });
    return { transactions, hasPaidCredit };
  });

const statuses = [200, 201, 302, 400, 401, 408, 429, 500, 503] as const;

function answerTo({ transactions }: SentCall<SentTransaction>): fc.Arbitrary<Answer> {
  const listing = fc.constantFrom<'processed' | 'refused' | 'left out'>(
    'processed',
    'refused',
    'left out',
  );
  const body = fc
    .array(listing, { minLength: transactions.length, maxLength: transactions.length })
    .map((kinds) => {
      const hashesProcessed = transactions.flatMap(({ hash }, at) => {
        if (kinds[at] === 'left out') return [];
        return [{ hash, error: kinds[at] === 'refused' ? { id: 9005, msg: '' } : null }];
      });
      return { hashesProcessed, error: null };
    });
  const reply = fc.record({
    kind: fc.constant('reply' as const),
    status: fc.constantFrom(...statuses),
    body: fc.option(body),
  });
  return fc.oneof({ weight: 8, arbitrary: reply }, fc.constant(timeOut), fc.constant(cut));
}

const sample: fc.Arbitrary<Sample> = call.chain((sent) =>
  answerTo(sent).map((answer) => ({ call: sent, answer })),
);

function holds(rule: (settlement: Settlement<SentTransaction>, sample: Sample) => void): void {
  fc.assert(
    fc.property(sample, (one) => rule(settle(one.call, one.answer), one)),
    { numRuns: runs(400) },
  );
}

const isDebit = ({ type }: SentTransaction): boolean => type === 'debit';

function listedWith(answer: Answer, hasError: boolean): Set<string> {
  const items = answer.kind === 'reply' ? (answer.body?.hashesProcessed ?? []) : [];
  return new Set(
    items.filter(({ error }) => (error !== null) === hasError).map(({ hash }) => hash),
  );
}

describe('for any call and any answer', () => {
  test('each transaction has one fate, and none is settled and pending at once', () => {
    holds(({ transactions, toVoid, toResend }, { call: { transactions: sent } }) => {
      expectSame(
        transactions.map(({ transaction }) => transaction),
        sent,
      );
      const pending = transactions.filter(({ fate }) => fate === 'withdrawn' || fate === 'due');
      const named = [...toVoid, ...toResend].map(({ hash }) => hash);
      expectSame(named.toSorted(), pending.map((one) => one.transaction.hash).toSorted());
      expectSame(new Set(named).size, named.length);
    });
  });

  test('W2: silence voids every debit of the call, and nothing else voids any', () => {
    holds(({ toVoid }, { call: { transactions }, answer }) => {
      const isSilent = meaningOf(answer) === 'silent';
      expectSame(toVoid, isSilent ? transactions.filter(isDebit) : []);
    });
  });

  test('O 4.1: no debit is ever sent again', () => {
    holds(({ toResend }) => {
      expectSame(toResend.filter(isDebit), []);
    });
  });

  test('W3: nothing is sent again that was definitely refused, but voids (W4)', () => {
    holds(({ toResend }, { answer }) => {
      const refused = listedWith(answer, true);
      const again = toResend.filter(({ hash }) => refused.has(hash)).map(({ type }) => type);
      const isSilent = meaningOf(answer) === 'silent';
      const allowed = isSilent ? ['void', 'end'] : ['void'];
      expectSame(
        again.filter((type) => !allowed.includes(type)),
        [],
      );
    });
  });

  test('O 4.1 rule 5: a credit that is listed as processed is paid, unless its debit is voided', () => {
    holds(({ transactions, toVoid }, { answer }) => {
      const paid = listedWith(answer, false);
      for (const { transaction, fate } of transactions) {
        if (transaction.type !== 'credit' || !paid.has(transaction.hash)) continue;
        expect(toVoid.length > 0 ? ['processed', 'dropped'] : ['processed']).toContain(fate);
      }
    });
  });

  test('W7: nothing after a debit in doubt counts or is sent again, but voids', () => {
    holds(({ transactions, toVoid }) => {
      const first = transactions.findIndex(({ transaction }) => toVoid.includes(transaction));
      const behind = first < 0 ? [] : transactions.slice(first + 1);
      const others = behind.filter(
        ({ transaction: { type } }) => type === 'credit' || type === 'end',
      );
      expectSame(
        others.filter(({ fate }) => fate !== 'dropped'),
        [],
      );
    });
  });

  test('W8: no end is sent again once the round is cancelled, declined, stranded or crashed', () => {
    holds(({ round, toResend }, { call: { transactions } }) => {
      const isInFront = transactions[0]?.type !== 'debit';
      if (round === null || (round === 'declined' && isInFront)) return;
      expectSame(
        toResend.filter(({ type }) => type === 'end'),
        [],
      );
    });
  });

  test('O 3: a person looks wherever a credit was refused for good', () => {
    holds(({ transactions, needsPerson, round }) => {
      const refused = transactions.some((one) => {
        return one.transaction.type === 'credit' && one.fate === 'declined';
      });
      if (refused && round !== 'declined') expectSame(needsPerson, true);
    });
  });

  test('what is sent again keeps the order of the call', () => {
    holds(({ toResend }, { call: { transactions } }) => {
      expectSame(
        toResend,
        transactions.filter((one) => toResend.includes(one)),
      );
    });
  });

  test('O9: once the wallet answers, nothing is pending any more', () => {
    holds(({ toVoid, toResend }) => {
      const voids = toVoid.map(({ hash }): SentTransaction => ({ type: 'void', hash }));
      for (const transactions of [voids, toResend]) {
        const hashesProcessed = transactions.map(({ hash }) => ({ hash, error: null }));
        const answer: Answer = {
          kind: 'reply',
          status: 200,
          body: { hashesProcessed, error: null },
        };
        const settlement = settle({ transactions, hasPaidCredit: false }, answer);
        const left = settlement.transactions.filter(({ fate }) => fate !== 'processed');
        expectSame([left, settlement.findings, settlement.repeat], [[], [], null]);
      }
    });
  });

  test('the order in which the wallet lists the hashes changes nothing', () => {
    holds((settlement, { call: sent, answer }) => {
      if (answer.kind !== 'reply' || answer.body === null) return;
      const hashesProcessed = answer.body.hashesProcessed.toReversed();
      const reversed = { ...answer, body: { ...answer.body, hashesProcessed } };
      expectSame(settle(sent, reversed), settlement);
    });
  });
});
