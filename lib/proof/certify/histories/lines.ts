import { formatAmount } from '../../../protocol/money';
import { type Answer, decimals, described, verdictOf } from '../talk';
import { letterOf, type PlannedCall, type PlannedMove } from './compose';

/** A call of a history that was played. */
export interface PlayedCall {
  readonly call: PlannedCall;
  readonly answer: Answer;
  /** The player's balance after it, in units; null if it was not asked for. */
  readonly balance: bigint | null;
  /** What the balance must be after it, in units. */
  readonly mustBe: bigint;
}

/** Units as the wire's number. */
export function units(amount: bigint): string {
  return formatAmount(amount, decimals);
}

/** The calls of a history as numbered lines: what was sent, what had to come, what came. */
export function linesOf(calls: readonly PlayedCall[]): string[] {
  return calls.map(({ call, answer, balance, mustBe }, at) => {
    const sent = call.moves.map(sentText).join(', ');
    const wanted = `${call.moves.map(({ expected }) => wantedTexts[expected]).join(', ')}; balance ${units(mustBe)}`;
    const after = balance === null ? '' : `; balance ${units(balance)}`;
    const came = `${described(answer)}${listedText(answer, call)}${after}`;
    return `${at + 1}. round ${letterOf(call.round)}: ${sent} -> must be ${wanted} -> came ${came}`;
  });
}

const wantedTexts = {
  processed: 'processed',
  refused: 'refused',
  either: 'processed or refused',
  unmoved: 'without effect',
} as const;

function sentText({ move: { type, name, isFirst, amount } }: PlannedMove): string {
  if (type === 'end') return `end ${name}`;
  if (type === 'void') return `void of ${name}`;
  const kind = type === 'debit' ? `${isFirst ? 'first' : 'follow-up'} debit` : type;
  return `${kind} ${name} of ${units(amount)}`;
}

function listedText(answer: Answer, { moves }: PlannedCall): string {
  if (answer.processed.length === 0) return '';
  const hashes = answer.processed.map(({ hash }) => hash);
  const isOwn = hashes.length === moves.length;
  const said = [...new Set(hashes)].map((hash) => verdictOf(answer, hash)).join(', ');
  return isOwn ? ` (${said})` : ` (listed: ${said})`;
}
