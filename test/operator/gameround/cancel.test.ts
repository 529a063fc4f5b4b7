import { describe, expect, test } from '@jest/globals';
import { decideCancel, type RoundHead, unsignedDelivery } from '../../../lib/operator/gameround';
import type { Debit } from '../../../lib/protocol/operator-api/transaction';
import { gameCode, now, roundOf } from './rounds';
import { linesOf, rulesOf } from './table';
import { entryOf, transactionOf } from './words';

// round | debits of the call | known of the first of them | round after | how that is recorded
const table = `
  # A debit that moved money is recorded as unanswered, and waits for its void
  open      | debit X first  | debit first                | cancelled resume=open unanswered=1     | unanswered took 10
  open      | debit X follow | debit follow took=4        | cancelled resume=open unanswered=1     | unanswered took 4
  closed    | debit X first  | debit first                | cancelled resume=closed unanswered=1   | unanswered took 10
  stranded  | debit X first  | debit first                | cancelled resume=stranded unanswered=1 | unanswered took 10
  crashed   | debit X follow | debit follow               | cancelled resume=crashed unanswered=1  | unanswered took 10
  cancelled | debit X follow | debit follow               | cancelled resume=open unanswered=2     | unanswered took 10
  cancelled/closed | debit X follow | debit follow        | cancelled resume=closed unanswered=2   | unanswered took 10

  # A debit that did not happen never will: it is recorded where it could still have come
  none      | debit X first  | -                          | cancelled resume=none unanswered=1     | unanswered took 0
  none      | debit X unsaid | -                          | cancelled resume=none unanswered=1     | unanswered took 0
  open      | debit X follow | -                          | cancelled resume=open unanswered=1     | unanswered took 0
  open/declined | debit X follow | -                      | cancelled resume=open unanswered=1     | unanswered took 0
  open      | debit X unsaid | -                          | cancelled resume=open unanswered=1     | unanswered took 0
  cancelled | debit X follow | -                          | cancelled resume=open unanswered=2     | unanswered took 0

  # A debit that the rules refuse in any case leaves nothing to be marked
  none      | debit X follow | -                          | = | -
  open      | debit X first  | -                          | = | -
  closed    | debit X follow | -                          | = | -
  closed/unstarted | debit X first | -                    | = | -
  stranded  | debit X follow | -                          | = | -
  crashed   | debit X follow | -                          | = | -
  cancelled/unstarted | debit X follow | -                | = | -
  cancelled/closed    | debit X follow | -                | = | -
  voided    | debit X follow | -                          | = | -

  # What is voided, refused, marked or no debit is not marked
  open      | debit X follow | debit follow voided        | = | -
  open      | debit X follow | void                       | = | -
  none      | debit X first  | void                       | = | -
  voided    | debit X first  | debit first voided         | = | -
  voided    | debit X follow | debit follow               | = | -
  open/declined | debit X follow | debit follow is=BALANCETOOLOW | = | -
  open      | debit X first  | debit first is=GAMEROUNDALREADYSTARTED | = | -
  closed    | debit X follow | debit follow is=GAMEROUNDNOTACTIVE | = | -
  none      | debit X follow | debit follow is=GAMEROUNDNOTSTARTED | = | -
  none      | debit X first  | debit first is=DISCOUNTNOTELIGIBLE | = | -
  closed/unstarted | debit X first | debit first is=DISCOUNTNOTELIGIBLE | = | -
  closed/unstarted | debit X first | debit first is=GAMEROUNDNOTACTIVE | = | -
  closed/unstarted | debit X first | debit first is=DEBITFAILEDBEFORE | = | -
  closed/unstarted | debit X first | debit first is=GAMEROUNDALREADYSTARTED | = | -
  open/declined | debit Z follow | debit follow by=other is=BALANCETOOLOW | = | -

  # A debit that the wallet declined waits for its void as well: the RGS does not know that it was declined
  open/declined | debit Z follow | debit follow is=BALANCETOOLOW took=0 | cancelled resume=open unanswered=1 | unanswered took 0
  closed/unstarted | debit X first | debit first is=BALANCETOOLOW took=0 | cancelled resume=closed unanswered=1 | unanswered took 0

  cancelled | debit X first  | debit first is=unanswered  | = | -
  open      | debit X follow | credit                     | = | -
  open      | debit X follow | end                        | = | -

  # Only what the delivery itself wrote is marked: a repeat of a call that was answered before marks nothing
  open      | debit X first  | debit first by=other       | = | -
  open      | debit X follow | debit follow by=other took=4 | = | -
  closed    | debit X first  | debit first by=other       | = | -
  open      | debit X follow; debit Y follow | debit follow by=other | cancelled resume=open unanswered=1 | -

  # Each debit of the call is marked once
  cancelled/declined | debit Z follow | debit follow is=unanswered took=0 | = | -
  none      | debit X first; debit Y follow | -           | cancelled resume=none unanswered=1     | unanswered took 0
  open      | debit X follow; debit Y follow | -          | cancelled resume=open unanswered=2     | unanswered took 0
  open      | debit X follow; debit X follow | -          | cancelled resume=open unanswered=1     | unanswered took 0
`;

const lines = linesOf(table);

// round | known | the call | what is recorded
const behind = `
  # D7 the new credits and ends after a marked debit are declined: they are not paid once it is voided
  none      | - | debit A first; credit B; end C           | A unanswered, B DEBITFAILEDBEFORE, C DEBITFAILEDBEFORE
  open      | - | credit B; debit A follow; credit C; credit C; end D | A unanswered, C DEBITFAILEDBEFORE, D DEBITFAILEDBEFORE
  open      | - | debit A follow; void Z; credit B; debit C follow; end D | A unanswered, B DEBITFAILEDBEFORE, C unanswered, D DEBITFAILEDBEFORE

  # D7 what is known stays as it is, and so does what no marked debit is before
  open      | A debit follow; B credit | debit A follow; credit B; end C | A unanswered, C DEBITFAILEDBEFORE
  open      | A debit follow by=other  | debit A follow; credit B; debit C follow; credit D | C unanswered, D DEBITFAILEDBEFORE
  open      | A debit follow by=other  | debit A follow; credit B; end C | -
  closed    | - | debit A follow; credit B                 | -
  cancelled | A debit follow is=unanswered | debit A follow; credit B | -
`;

describe.each(rulesOf(behind))('%s', (_, cases) => {
  test.each(cases)('round %s, %s known: the mark of %s records %s', (...cells) => {
    const [round = '', known = '', call = '', recorded = ''] = cells;
    const entries = known === '-' ? [] : known.split(';').map((one) => one.trim());
    const view = {
      head: roundOf(round),
      entries: new Map(entries.map((one) => [one.slice(0, 1), entryOf(one.slice(2)) ?? {}])),
    };
    const context = { gameCode, now, delivery: unsignedDelivery('own') };
    const transactions = call.split(';').map((cell) => transactionOf(cell.trim()));
    const records = decideCancel(transactions, view, context)?.records ?? [];
    const words = records.map(({ hash, record }) => {
      return `${hash} ${record.type === 'void' ? 'void' : record.outcome}`;
    });
    expect(words.join(', ') || '-').toBe(recorded);
  });
});

describe.each([...new Set(lines.map(({ rule }) => rule))])('%s', (rule) => {
  const cases = lines.filter((line) => line.rule === rule).map((line) => line.cells);
  test.each(cases)('round %s, %s (known: %s): round %s, X is %s', (...cells) => {
    const [before, debits, known, after, recorded] = cells as [string, ...string[]];
    const head = roundOf(before);
    const entry = entryOf(known ?? '-');
    const named = transactionOf((debits ?? '').split(';')[0] ?? '').hash;
    const change = decideCancel(
      (debits ?? '').split(';').map((cell) => transactionOf(cell) as Debit),
      { head, entries: new Map(entry === undefined ? [] : [[named, entry]]) },
      { gameCode, now, delivery: unsignedDelivery('own') },
    );
    if (after === '=') {
      expect(change).toBeNull();
      return;
    }
    expect(change?.before).toBe(head);
    expect(change?.movements).toEqual([]);
    const is = change?.after as RoundHead;
    expect(`${is.state} resume=${is.resume} unanswered=${is.unanswered}`).toBe(after);
    const { state, resume, unanswered, changedAt } = is;
    const declined = known === '-' ? null : head.declined;
    const version = head.version + 1;
    expect(is).toEqual({
      ...head,
      version,
      gameCode,
      state,
      resume,
      unanswered,
      declined,
      changedAt,
    });
    // Since a win was refused the round needs a person, with or without the mark (D7).
    const isWaiting = ['cancelled', 'stranded', 'crashed'].includes(head.state);
    expect(changedAt).toBe(isWaiting ? head.changedAt : now);
    if (recorded === '-') {
      expect(change?.records.map(({ hash }) => hash)).toEqual(['Y']);
      return;
    }
    const record = change?.records.find(({ hash }) => hash === named)?.record;
    if (record?.type !== 'debit') throw new Error('it is not recorded as a debit');
    expect(`${record.outcome} took ${record.purse.real}`).toBe(recorded);
  });
});
