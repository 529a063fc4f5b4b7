import { describe, expect, test } from '@jest/globals';

import type { RoundChange } from '../../../lib/operator/gameround';
import {
  finishedChange,
  intentOf,
  type LedgerPlan,
  ledgerPlanOf,
  type PostPlan,
  type VoidPlan,
} from '../../../lib/operator/gameround/ledger/plan';
import {
  givenUpFor,
  neededForReversals,
  reversalsOf,
  voidedChange,
  withReversed,
} from '../../../lib/operator/gameround/ledger/voids';
import { outOfRange } from '../../../lib/operator/gameround/ledger/range';
import { changeOf, recordedIn } from './changes';
import { headOf, wordsOfWork } from './pending-words';
import { earlier, now } from './rounds';
import { rulesOf } from './table';
import { purseOf, wordsOf } from './words';

// round | posts; reversals after a slash | known | call, and what it is given | what it asks for
const plans = `
  # What moves money is posted, in its order; an end and a credit of nothing are recorded alone
  none | - | - | debit A first                          | posts A
  none | - | - | debit A first; credit B; end C         | posts A B
  none | - | - | debit A first amount=0                 | posts A
  open | - | - | credit B                               | posts B
  open | - | - | credit B amount=0; end C               | marks
  open | - | - | end C                                  | marks
  open | - | - | debit A follow; credit B amount=0      | posts A

  # A refusal moves nothing; what came before the first new debit is posted (D4.6)
  none | - | - | debit A first; refused=A               | marks
  open | - | - | credit B; debit A follow; refused=A    | posts B
  voided | - | - | credit B                             | marks

  # What is pending already is posted under the same key
  none | debit A first            | - | debit A first            | posts A
  none | debit A first; credit B  | - | debit A first; credit B  | posts A B
  open | credit B amount=0        | - | credit B amount=0        | posts

  # What was pending and is refused now may have been posted by somebody else
  none | debit A first; credit B  | - | debit A first; credit B; refused=A | posts; declines A B
  open | credit B; debit A follow; credit C | - | credit B; debit A follow; credit C; refused=A | posts B; declines A C
  open | debit A follow; end C    | - | debit A follow; end C; refused=A | posts; declines A

  # What another call has pending comes first, all of it
  open | credit B                 | - | credit C                 | waits
  open | credit B; debit A follow | - | credit C                 | waits for a debit
  open | credit B; debit A follow | - | debit A follow           | waits for a debit
  open | credit B                 | - | end C                    | waits

  # Reversals that are pending hold nobody up
  open | / X                      | - | credit C                 | posts C
  open | / X                      | - | end C                    | posts

  # Marks and what is rewritten move nothing and wait for nobody (D7, D1.8)
  open | -                        | - | 5xx debit A follow       | marks
  open | debit A follow           | - | 5xx debit A follow       | marks
  open | credit B                 | - | 5xx debit A follow       | marks
  open | -           | debit A follow | debit A follow; signed   | marks
  open | credit B    | debit A follow | debit A follow; signed   | marks

  # Voids wait for nobody
  open | -           | debit A first  | void A                   | voids
  open | credit B    | debit A first  | void A                   | voids
  open | credit B    | debit C follow | void C                   | voids
  open | -           | -              | void Z                   | voids
  cancelled/unstarted | - | void A    | debit A first            | voids
  open | -           | void A         | debit A follow           | marks
`;

// round | posts; reversals after a slash | known | call, and what it is given | pending once the intent is written
const intents = `
  # The intent has all postings of the call pending, and leaves the rest of the round as it is
  none | -                        | - | debit A first                  | debit A first
  none | -                        | - | debit A first; credit B; end C | debit A first; credit B; end C
  open | -                        | - | debit A follow; credit B; end C | debit A follow; credit B behind=A; end C behind=A
  open | -                        | - | credit B; debit A follow; refused=A | credit B
  open | / X                      | - | credit C                       | credit C / X

  # What is pending stays as it was written down
  none | debit A first            | - | debit A first; credit B        | debit A first; credit B
  none | debit A first; credit B  | - | debit A first; credit B        | =
  open | credit B; debit A follow | - | credit B; debit A follow; refused=A | =
  open | credit B behind=A        | debit A follow | credit B          | =

  # A call that names it under another signature is noted with it (D1.8)
  none | debit A first            | - | debit A first; signed          | debit A first
`;

// round | posts; reversals | known | call, and what it is given | what each debit took | recorded | debits, credits | left
const finished = `
  # Each debit is recorded with what it took, each credit with what it gave; nothing is pending any more
  none | - | - | debit A first                      | A=10   | A accepted 10             | 10 0     | -
  none | - | - | debit A first                      | A=3/7  | A accepted 3/7            | 3/7 0    | -
  none | - | - | debit A first; credit B amount=4   | A=3/7  | A accepted 3/7; B accepted 4 | 3/7 4 | -
  open | - | - | debit A follow; credit B; end C    | A=10   | A accepted 10; B accepted 10; C accepted | 20 10 | -
  open | - | - | credit B; debit A follow; refused=A | -     | B accepted 10; A BALANCETOOLOW 0 | 10 10 | -

  # A credit gives what was written down for it, whatever is decided now
  open | credit B amount=7 | - | credit B amount=7; shares | - | B accepted 7          | 10 7     | -

  # What is not accepted any more, and was not refused by the ledger, is taken back
  none | debit A first; credit B | - | debit A first; credit B; refused=A | - | A BALANCETOOLOW 0; B DEBITFAILEDBEFORE 0 | 0 0 | / A B
  open | / X | - | credit C                         | -      | C accepted 10             | 10 10    | / X
`;

// round | posts; reversals | known | call | given up first | records to be read | to be taken back | recorded | left
const voided = `
  # The void of a follow-up debit takes that back, and what is behind it (D5.3)
  open | - | debit A follow               | void A | - | -   | A   | A void | / A
  open | - | debit A follow behind=B; credit B took=4 | void A | - | - | A B | A void; B DEBITFAILEDBEFORE | / A B
  open | credit C | debit A follow        | void A | - | -   | A   | A void | credit C / A
  open | / X | debit A follow             | void A | - | -   | X A | A void | / X A

  # One that gives back nothing is looked at: a debit that was given up may have moved, one nobody knows never did (D5.5)
  open | - | -                            | void Z | - | Z   | -   | Z void | -
  open | - | debit A follow is=BALANCETOOLOW | void A | - | A | A  | A void | / A
  none | - | -                            | void Z | - | -   | -   | Z void | -

  # The void of the round takes back all that was accepted, or may have been (D5.2)
  open | - | debit A first; credit B; debit C follow is=BALANCETOOLOW; end D | void A | - | all | A B | A void | / A B
  cancelled | - | debit A first; debit B follow is=unanswered | void A | - | all | A B | A void | / A B
  cancelled/unstarted | - | void A; debit B first is=unanswered | debit A first | - | all | B | A GAMEROUNDVOIDED | / B

  # It ends what is pending: debits of it are given up first, and then the void is decided anew
  open | credit B; end C | debit A first  | void A | - | all | B A | A void; B GAMEROUNDVOIDED; C GAMEROUNDVOIDED | / B A
  open | debit B follow  | debit A first  | void A | cancelled | all | A B | A void | / A B
  open | debit A follow; credit B | -     | void A | cancelled | A | B A | A void | / B A
`;

describe.each(rulesOf(plans))('%s', (_, cases) => {
  test.each(cases)('round %s, pending %s, known %s: %s asks for %s', (...cells) => {
    const [round = '', work = '', known = '', call = '', plan = ''] = cells;
    const { change } = changeOf(round, work, known, call);
    expect(wordsOfPlan(ledgerPlanOf(change))).toBe(plan);
  });
});

describe.each(rulesOf(intents))('%s', (_, cases) => {
  test.each(cases)('round %s, pending %s, known %s: %s has %s pending', (...cells) => {
    const [round = '', work = '', known = '', call = '', after = ''] = cells;
    const { change } = changeOf(round, work, known, call);
    const { before } = change;
    const intent = intentOf(postPlanOf(change), now);
    if (after === '=') {
      expect(intent).toBe(before);
      return;
    }
    expect(wordsOfWork(intent.pending)).toBe(after);
    expect(intent.pending?.since).toBe(before.pending?.since ?? now);
    expect({ ...intent, pending: null }).toEqual({
      ...before,
      version: before.version + 1,
      gameCode: change.after.gameCode,
      pending: null,
    });
  });
});

describe.each(rulesOf(finished))('%s', (_, cases) => {
  test.each(cases)('round %s, pending %s, known %s: %s took %s, recorded %s', (...cells) => {
    const [round = '', work = '', known = '', call = '', took = '', ...expected] = cells;
    const [records = '', sums = '', left = ''] = expected;
    const { change } = changeOf(round, work, known, call);
    const plan = postPlanOf(change);
    const paid = new Map([...wordsOf(took).named].map(([hash, cell]) => [hash, purseOf(cell)]));
    const intent = intentOf(plan, now);
    const written = finishedChange(plan, intent, { paid, declined: plan.declined });
    expect(recordedIn(written)).toBe(records);
    const { debits, credits, pending, version } = written.after;
    expect({ debits, credits }).toEqual({
      debits: purseOf(wordsOf(sums).list[0] ?? ''),
      credits: purseOf(wordsOf(sums).list[1] ?? ''),
    });
    expect(wordsOfWork(pending)).toBe(left);
    expect({ before: written.before, version }).toEqual({
      before: intent,
      version: intent.version + 1,
    });
  });
});

describe.each(rulesOf(voided))('%s', (_, cases) => {
  test.each(cases)('round %s, pending %s, known %s: %s', (...cells) => {
    const [round = '', work = '', known = '', call = '', first = '', needed = '', ...rest] = cells;
    const [takenBack = '', records = '', left = ''] = rest;
    const decided = changeOf(round, work, known, call);
    const givenUp = givenUpFor(voidPlanOf(decided.change), now);
    expect(givenUp?.after.state ?? '-').toBe(first);
    // The void is decided anew on the round as it is then.
    const { change, view } = givenUp === null ? decided : decided.after(givenUp);
    const plan = voidPlanOf(change);
    expect(givenUpFor(plan, now)).toBeNull();
    expect(wordsOfNeed(neededForReversals(plan))).toBe(needed);
    const reversals = reversalsOf(plan, view.entries);
    expect(reversals.join(' ') || '-').toBe(takenBack);
    const marked = voidedChange(plan, reversals, now);
    expect(recordedIn(marked).replaceAll(/ -?\d+(?=;|$)/g, '')).toBe(records);
    expect(wordsOfWork(marked.after.pending)).toBe(left);
  });
});

describe('what is pending while it is taken back', () => {
  test('is what is left of it, on a new version', () => {
    const head = headOf('open', 'credit C / X Y Z');
    const after = withReversed(head, 2);
    expect(wordsOfWork(after.pending)).toBe('credit C / Z');
    expect(after).toEqual({ ...head, version: head.version + 1, pending: after.pending });
    expect(after.pending?.since).toBe(earlier);
    expect(wordsOfWork(withReversed(headOf('open', '/ X'), 64).pending)).toBe('-');
  });
});

describe('the range that stores keep', () => {
  test('is left by the first movement that lifts a sum of the round out of it', () => {
    const most = 2 ** 53 - 1;
    expect(firstBeyond('debit A follow; credit B')).toBeNull();
    expect(firstBeyond(`debit A follow amount=${most - 10}`)).toBeNull();
    expect(firstBeyond(`debit A follow amount=${most - 9}`)).toBe('A');
    expect(firstBeyond(`debit A follow amount=1; debit B follow amount=${most - 10}`)).toBe('B');
    expect(firstBeyond(`credit B amount=${most}`)).toBeNull();
    expect(firstBeyond(`credit B; credit C amount=${most}; credit D`)).toBe('C');
    expect(firstBeyond(`debit A follow; credit B; credit C amount=${most}`)).toBe('C');
  });
});

function firstBeyond(call: string): string | null {
  return outOfRange(changeOf('open', '-', '-', call).change)?.hash ?? null;
}

function postPlanOf(change: RoundChange): PostPlan {
  const plan = ledgerPlanOf(change);
  if (plan.kind !== 'posts') throw new Error(`it ${plan.kind}`);
  return plan;
}

function voidPlanOf(change: RoundChange): VoidPlan {
  const plan = ledgerPlanOf(change);
  if (plan.kind !== 'voids') throw new Error(`it ${plan.kind}`);
  return plan;
}

function wordsOfPlan(plan: LedgerPlan): string {
  switch (plan.kind) {
    case 'waits':
      return plan.forDebit ? 'waits for a debit' : 'waits';
    case 'voids':
    case 'marks':
      return plan.kind;
    case 'posts': {
      const asked = plan.wanted.map(({ hash }) => ` ${hash}`).join('');
      const declined = plan.declined.map(({ hash }) => ` ${hash}`).join('');
      return `posts${asked}${declined === '' ? '' : `; declines${declined}`}`;
    }
  }
}

function wordsOfNeed(needed: 'all' | readonly string[]): string {
  return needed === 'all' ? needed : needed.join(' ') || '-';
}
