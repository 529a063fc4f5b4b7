import { describe, expect, test } from '@jest/globals';
import { addPurses, subtractPurses } from '../../../lib/protocol/money/purse';
import {
  callStart,
  decideStep,
  type MovementRefusal,
  type RoundHead,
  type Step,
  type StepContext,
  unsignedDelivery,
} from '../../../lib/operator/gameround';
import { gameCode, gameRound, now, roundOf } from './rounds';
import { entryOf, purseOf, transactionOf, wordsOf } from './words';

/** The cells of one line. */
interface Line {
  readonly rule: string;
  readonly cells: readonly string[];
}

/** The lines of a text table under their rules: `# D4.3 ...` begins a rule. */
export function linesOf(table: string): Line[] {
  let rule = '';
  return table
    .trim()
    .split('\n')
    .flatMap((text) => {
      const line = text.trim();
      if (line === '') return [];
      if (!line.startsWith('#')) return [{ rule, cells: line.split('|').map((c) => c.trim()) }];
      rule = line.slice(1).trim();
      return [];
    });
}

/** The lines of a text table by their rule, for `describe.each` and `test.each`. */
export function rulesOf(table: string): (readonly [string, string[][]])[] {
  const lines = linesOf(table);
  return [...new Set(lines.map(({ rule }) => rule))].map((rule) => [
    rule,
    lines.filter((line) => line.rule === rule).map(({ cells }) => [...cells]),
  ]);
}

/** What the rules know beside the round; a line may change it. */
export function contextOf(
  cell: string,
  hash: string,
): StepContext & { failedDebit: boolean; holdsDebit: boolean } {
  const { list, named } = wordsOf(cell === '-' ? '' : cell);
  const refusal = named.get('refused') as MovementRefusal | undefined;
  return {
    gameRound: named.get('gameRound') ?? gameRound,
    gameCode,
    now,
    failedDebit: list.includes('failedDebit'),
    holdsDebit: list.includes('withDebit'),
    delivery: unsignedDelivery('own'),
    refusals: new Map(refusal === undefined ? [] : [[hash, refusal]]),
    eligibleDiscounts: new Set(list.includes('eligible') ? [hash] : []),
    policy: {
      useBonusFirst: !list.includes('realFirst'),
      creditTo: list.includes('byShares') ? 'stakeShares' : 'real',
    },
  };
}

/**
 * One test for each line of a table with the columns
 * `round | transaction | known of its hash | given | answer | round after | moves`.
 *
 * answer: `processed`, `processed again`, `unknown`, CODE, `CODE again`; `unrecorded` and `noted`
 * are added where nothing is written and where a note is given. Round after: `=` where it stays
 * as it is, else the state and what else becomes of it. Moves: `-`, `take 10`, `give 7/3`, `reverse 10`.
 */
export function testTable(table: string): void {
  const lines = linesOf(table);
  for (const rule of new Set(lines.map((line) => line.rule))) {
    describe(rule, () => {
      const cases = lines.filter((line) => line.rule === rule).map((line) => line.cells);
      test.each(cases)('round %s: %s (known: %s; given: %s) is %s, round %s, moves %s', run);
    });
  }
}

function run(...cells: string[]): void {
  const [before, what, known, given, answer, after, moves] = cells as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const head = roundOf(before);
  const transaction = transactionOf(what);
  const { hash } = transaction;
  const entry = entryOf(known);
  const entries = new Map(entry === undefined ? [] : [[hash, entry]]);
  const { failedDebit, holdsDebit, ...context } = contextOf(given, hash);
  // A debit that came before it in the call was decided already.
  const call = holdsDebit ? [transactionOf('debit Y follow'), transaction] : [transaction];
  const progress = { ...callStart, failedDebit, at: call.length - 1 };
  const step = decideStep(call, progress, { head, entries }, context);
  expect(answerOf(step)).toBe(answer);
  const expected = headAfter(
    head,
    after,
    moves,
    transaction.type === 'end' && answer === 'processed',
  );
  // D11.3: only a credit strands or crashes a round, and the head keeps its hash.
  const isStuck = transaction.type === 'credit' && expected.state !== head.state;
  if (isStuck) Object.assign(expected, { stuckBy: hash });
  expect(step.head).toEqual(expected);
  const isWritten = !wordsOf(answer).list.some((word) =>
    ['again', 'unrecorded', 'unknown'].includes(word),
  );
  if (!isWritten) {
    expect(step.change).toBeNull();
    return;
  }
  expect(step.change?.before).toBe(head);
  expect(step.change?.after).toEqual({ ...expected, version: head.version + 1, gameCode });
  expect(step.change?.records.map((record) => record.hash)).toEqual([hash]);
  expect(movesOf(step)).toBe(moves);
}

/** What a step of one transaction answers, in the words of the table. */
export function answerOf({ verdicts, change, notes }: Step): string {
  const [verdict] = verdicts;
  if (verdict === undefined || verdict.outcome === 'unknown') return 'unknown';
  const answer = verdict.outcome === 'refused' ? verdict.code : verdict.outcome;
  const recorded = verdict.replay ? ' again' : change === null ? ' unrecorded' : '';
  return answer + recorded + (notes.length > 0 ? ' noted' : '');
}

function movesOf({ change }: Step): string {
  const moves = (change?.movements ?? []).map((movement) => {
    if (movement.kind === 'take') {
      return `take ${movement.amount}${movement.bonusFirst ? '' : ' realFirst'}`;
    }
    const { real, bonus } = movement.purse;
    return `${movement.kind} ${bonus === 0n ? real : `${real}/${bonus}`}`;
  });
  return moves.join(', ') || '-';
}

function headAfter(before: RoundHead, cell: string, moves: string, isEnded: boolean): RoundHead {
  const [kind = '', amount = '0'] = moves.split(' ');
  const moved = purseOf(amount);
  const given =
    kind === 'give'
      ? { credited: before.credited + 1, credits: addPurses(before.credits, moved) }
      : {};
  const ended = before.ended + (isEnded ? 1 : 0);
  if (cell === '=') return { ...before, ...given, ended };
  const { list, named } = wordsOf(cell);
  const [state = '', ...flags] = list;
  const isVoided = state === 'voided' && before.state !== 'voided';
  const debits = kind === 'reverse' ? subtractPurses(before.debits, moved) : before.debits;
  return {
    ...before,
    debits,
    ...given,
    ended,
    state: state as RoundHead['state'],
    changedAt: state === before.state ? before.changedAt : now,
    ...(flags.includes('started') ? { started: true, currency: 'EUR' } : {}),
    ...(flags.includes('declined') ? { declined: 'X' } : {}),
    ...(flags.includes('undeclined') ? { declined: null } : {}),
    ...(isVoided
      ? { credited: 0, ended: 0, unanswered: 0, debits: purseOf('0'), credits: purseOf('0') }
      : {}),
    ...(named.has('resume') ? { resume: named.get('resume') as RoundHead['state'] } : {}),
    ...(named.has('unanswered') ? { unanswered: Number(named.get('unanswered')) } : {}),
  };
}
