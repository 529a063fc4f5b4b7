import { createHash } from 'node:crypto';
import type { CaseResult, LeftOut, MoneyLeft, Outcome } from '../talk/case';
import { wireAmount } from './obstacles';
import { reasonsInWords, untriedOf } from './untried';

/** Most cases that the summary names for their money. */
const maxShown = 5;

/** Whether a result counts against the wallet. */
export function counts({ level, verdict, needs, exception }: CaseResult): boolean {
  return level === 'required' && verdict !== 'passed' && needs === null && exception === null;
}

/** How a run ended, besides its cases. */
interface RunEnd {
  readonly leftOut?: readonly LeftOut[];
  /** Id of the case from which on the wallet took no connection; null if it took one to the end. */
  readonly goneSince?: string | null;
  /** Whether somebody stopped it. */
  readonly isStopped?: boolean;
}

/** What the cases say together. */
export function conclude(
  cases: readonly CaseResult[],
  { leftOut = [], goneSince = null, isStopped = false }: RunEnd = {},
): { outcome: Outcome; summary: string } {
  const against = cases.filter(counts);
  const failed = against.filter(({ verdict }) => verdict === 'failed').length;
  const required = cases.filter(({ level }) => level === 'required');
  const passed = required.filter(({ verdict }) => verdict === 'passed').length;
  const advice = cases.filter((one) => one.level === 'advisory' && one.verdict === 'failed').length;
  const untried = untriedOf({ cases, leftOut }).filter(({ level }) => level === 'required');
  const total = required.length + leftOut.filter(({ level }) => level === 'required').length;
  const excepted = required.filter(({ exception }) => exception !== null).length;
  const broken = cases.find((one) => {
    return one.group === 'basics' && counts(one) && !(isStopped && one.verdict !== 'failed');
  });
  const said = [`${passed} of ${total} required cases passed`];
  if (failed > 0) said.push(`${failed} failed`);
  if (against.length > failed) said.push(`${against.length - failed} could not be decided`);
  if (excepted > 0) said.push(`${excepted} excepted`);
  if (untried.length > 0) said.push(`${untried.length} not tried (${reasonsInWords(untried)})`);
  const counted = `${said.join(', ')}${adviceInWords(advice)}.`;
  const isBrokenOff = goneSince !== null && failed === 0;
  const summary =
    broken === undefined || isBrokenOff
      ? counted
      : `The wallet does not do the basics, so nothing else was tried: ${broken.id}: ${broken.message}.`;
  const gone = goneSince === null ? '' : ` The wallet took no connection from ${goneSince} on.`;
  const stopped = isStopped ? ' The run was stopped.' : '';
  const outcome = against.length === 0 ? 'passed' : 'failed';
  return {
    outcome: isBrokenOff ? 'broken off' : outcome,
    summary: summary + gone + stopped + moneyInWords(cases),
  };
}

function adviceInWords(count: number): string {
  if (count === 0) return '';
  return count === 1 ? '; 1 advisory case differs' : `; ${count} advisory cases differ`;
}

/** `p1 has 100 less than before it`, `p1 may have 100 less than before it`. */
export function leftInWords({ playerId, units, isUnread }: MoneyLeft): string {
  const [amount, how] = units < 0n ? [-units, 'less'] : [units, 'more'];
  const has = isUnread ? 'may have' : 'has';
  return `${playerId} ${has} ${wireAmount(amount)} ${how} than before it`;
}

/** Cases that left money missing, or in excess, in a sentence. */
function moneyInWords(cases: readonly CaseResult[]): string {
  const all = cases.flatMap(({ id, left = [] }) => left.map((one) => ({ id, one })));
  if (all.length === 0) return '';
  const shown = all.slice(0, maxShown).map(({ id, one }) => `${id} (${leftInWords(one)})`);
  const more = all.length > maxShown ? `, and ${all.length - maxShown} more` : '';
  return ` Balances were not restored after ${shown.join(', ')}${more}.`;
}

/** SHA-256, in hex, of id and verdict of each case; `not tried` is a verdict here. */
export function hashOf(cases: readonly CaseResult[]): string {
  const lines = cases.map(
    ({ id, verdict, needs }) => `${id} ${needs === null ? verdict : 'not tried'}\n`,
  );
  return createHash('sha256').update(lines.join('')).digest('hex');
}
