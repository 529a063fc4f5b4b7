import { describe, expect, test } from '@jest/globals';
import {
  decideCancel,
  giveUpPending,
  type PendingPost,
  type RoundChange,
  type RoundHead,
  unsignedDelivery,
  workOf,
} from '../../../lib/operator/gameround';
import type { Debit } from '../../../lib/protocol/operator-api/transaction';
import { headOf, wordsOfWork } from './pending-words';
import { earlier, gameCode, now } from './rounds';
import { rulesOf } from './table';
import { transactionOf } from './words';

// round | posts; reversals after a slash | round after | how they are recorded | what is left of it
const givenUp = `
  # From the first pending debit on nothing is driven: debits wait for their void, the rest is declined (D4.5, D7)
  none      | debit A first                       | cancelled resume=none unanswered=1 | A unanswered | -
  none      | debit A first; credit B             | cancelled resume=none unanswered=1 | A unanswered; B DEBITFAILEDBEFORE | / B
  none      | debit A first; credit B; end C      | cancelled resume=none unanswered=1 | A unanswered; B DEBITFAILEDBEFORE; C DEBITFAILEDBEFORE | / B
  none      | debit A first; debit B follow       | cancelled resume=none unanswered=2 | A unanswered; B unanswered | -
  open      | debit A follow; credit B; credit C  | cancelled resume=open unanswered=1 | A unanswered; B DEBITFAILEDBEFORE; C DEBITFAILEDBEFORE | / B C
  cancelled | debit A follow                      | cancelled resume=open unanswered=2 | A unanswered | -
  cancelled/closed | debit A follow               | cancelled resume=closed unanswered=2 | A unanswered | -

  # What came before it stays pending (D4.6)
  open      | credit B; debit A follow            | cancelled resume=open unanswered=1 | A unanswered | credit B
  open      | credit B; debit A follow; credit C  | cancelled resume=open unanswered=1 | A unanswered; C DEBITFAILEDBEFORE | credit B / C

  # Reversals that are pending stay so
  open      | debit A follow; credit B / X        | cancelled resume=open unanswered=1 | A unanswered; B DEBITFAILEDBEFORE | / X B
  open      | debit A follow / X Y                | cancelled resume=open unanswered=1 | A unanswered | / X Y

  # Without a pending debit there is nothing to be given up
  open      | -                                   | = | - | -
  open      | credit B; end C                     | = | - | -
  open      | / X                                 | = | - | -
`;

// round | posts | debits of the call | round after | how they are recorded | what is left
const cancelled = `
  # A call with a pending debit is given up as a whole, and all of its debits are marked
  none      | debit X first                   | debit X first                 | cancelled resume=none unanswered=1 | X unanswered | -
  none      | debit X first; credit B         | debit X first                 | cancelled resume=none unanswered=1 | X unanswered; B DEBITFAILEDBEFORE | / B
  none      | debit X first; debit Y follow   | debit X first; debit Y follow | cancelled resume=none unanswered=2 | X unanswered; Y unanswered | -
  open      | debit X follow                  | debit X follow; debit Y follow | cancelled resume=open unanswered=2 | X unanswered; Y unanswered | -
  open      | credit B; debit X follow        | debit X follow                | cancelled resume=open unanswered=1 | X unanswered | credit B

  # What another call has pending is left to it, and so is what another delivery of the call wrote down
  open      | debit X follow by=other         | debit X follow                | = | - | -
  open      | debit X follow by=other; credit B | debit X follow; debit Y follow | cancelled resume=open unanswered=1 | Y unanswered | debit X follow; credit B
  open      | debit Y follow                  | debit X follow                | cancelled resume=open unanswered=1 | X unanswered | debit Y follow
  open      | credit B                        | debit X follow                | cancelled resume=open unanswered=1 | X unanswered | credit B
  open      | credit X                        | debit Y follow                | cancelled resume=open unanswered=1 | Y unanswered | credit X

  # A voided round has nothing to be marked
  voided    | / X                             | debit X first                 | = | - | -
`;

describe.each(rulesOf(givenUp))('%s', (_, cases) => {
  test.each(cases)('round %s with %s pending: round %s, %s, left %s', (...cells) => {
    const [round = '', work = '', after = '', recorded = '', left = ''] = cells;
    const head = headOf(round, work);
    check(giveUpPending(head, { gameCode, now }), head, after, recorded, left);
  });
});

describe.each(rulesOf(cancelled))('%s', (_, cases) => {
  test.each(cases)('round %s with %s pending, call of %s: round %s, %s, left %s', (...cells) => {
    const [round = '', work = '', call = '', after = '', recorded = '', left = ''] = cells;
    const head = headOf(round, work);
    const debits = call.split(';').map((cell) => transactionOf(cell) as Debit);
    const posts = head.pending?.posts ?? [];
    const context = { gameCode, now, delivery: unsignedDelivery('own') };
    const entries = new Map(posts.map(({ hash, record }) => [hash, { transaction: record }]));
    const change = decideCancel(debits, { head, entries }, context);
    check(change, head, after, recorded, left);
    if (change === null) return;
    const marked = { head: change.after, entries: entriesAfter(change, entries) };
    expect(decideCancel(debits, marked, context)).toBeNull();
  });
});

describe('pending work', () => {
  test('is null once nothing is left', () => {
    expect(workOf(1, [], [])).toBeNull();
    expect(workOf(1, [], ['X'])).toEqual({ since: 1, posts: [], reversals: ['X'] });
  });
});

function check(
  change: RoundChange | null,
  head: RoundHead,
  after: string,
  recorded: string,
  left: string,
): void {
  if (after === '=') {
    expect(change).toBeNull();
    return;
  }
  if (change === null) throw new Error('nothing was decided');
  expect(change.before).toBe(head);
  expect(change.movements).toEqual([]);
  const { state, resume, unanswered, pending } = change.after;
  expect(`${state} resume=${resume} unanswered=${unanswered}`).toBe(after);
  expect(wordsOfWork(pending)).toBe(left);
  const kept = { state, resume, unanswered, pending, changedAt: change.after.changedAt };
  expect(change.after).toEqual({ ...head, ...kept, version: head.version + 1, gameCode });
  if (pending !== null) expect(pending.since).toBe(earlier);
  const records = change.records.map(({ hash, record }) => {
    if (record.type === 'void') throw new Error('a void was recorded');
    if ('purse' in record) expect(record.purse).toEqual({ real: 0n, bonus: 0n });
    return `${hash} ${record.outcome}`;
  });
  expect(records.join('; ')).toBe(recorded);
}

function entriesAfter(
  { records }: RoundChange,
  before: ReadonlyMap<string, { readonly transaction: PendingPost['record'] }>,
) {
  const entries = new Map(before);
  for (const { hash, record } of records) {
    if (record.type !== 'void') entries.set(hash, { transaction: record });
  }
  return entries;
}
