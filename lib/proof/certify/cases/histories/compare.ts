import { type Answer, described, verdictOf } from '../../talk';
import type { PlannedCall, PlannedMove } from './compose';

/** What the wallet made of a call. */
export interface Comparison {
  /** What is wrong; null if all is as it must be. */
  readonly wrong: string | null;
  /** Which of the transactions it processed, as the service reads it (W2 to W4). */
  readonly processed: readonly boolean[];
  /** Whether the service voids its new debits now, since the answer decides nothing (W2). */
  readonly isInDoubt: boolean;
}

/**
 * Compares an answer with what the specification says.
 * @param hashOf The hash of a transaction by its name.
 */
export function compare(
  call: PlannedCall,
  answer: Answer,
  hashOf: (name: string) => string,
): Comparison {
  const isInDoubt = answer.meaning === 'silent';
  const wrong = wrongWithForm(call, answer) ?? wrongWithMoves(call, answer, hashOf);
  const processed = call.moves.map((one) => {
    return !isInDoubt && isProcessed(one, answer, hashOf(one.move.name));
  });
  return { wrong, processed, isInDoubt };
}

/** What an answer says of a transaction. A credit counts by its own item alone (operator-api 4.1, rule 5). */
function isProcessed({ move, expected }: PlannedMove, answer: Answer, hash: string): boolean {
  if (expected === 'processed' || expected === 'refused') return expected === 'processed';
  const said = verdictOf(answer, hash);
  if (said !== 'not listed') return said === 'processed';
  return answer.meaning === 'success' && move.type !== 'credit';
}

function wrongWithForm({ moves }: PlannedCall, answer: Answer): string | null {
  if (answer.exchange.reply.kind !== 'reply')
    return `the call must be answered, but got ${described(answer)}`;
  const hasListedError = answer.processed.some(({ error }) => error !== null);
  if (answer.meaning === 'success' && (answer.error !== null || hasListedError)) {
    return 'an answer with an error must not be 200 (4.1, rule 2)';
  }
  const has = (wanted: string): boolean => moves.some(({ move }) => move.type === wanted);
  if (answer.status >= 500 && has('credit') && !has('debit')) {
    return `a call with a credit and no debit must not be answered ${answer.status} (4.1, rule 6)`;
  }
  return null;
}

function wrongWithMoves(
  { moves }: PlannedCall,
  answer: Answer,
  hashOf: (name: string) => string,
): string | null {
  const came = described(answer);
  if (moves.every(({ expected }) => expected === 'processed') && answer.meaning !== 'success') {
    return `the call must be answered 200 (${rulesOf(moves)}), but got ${came}`;
  }
  const ids = [answer.error?.id, ...answer.processed.map(({ error }) => error?.id)];
  const [{ move: first, mayBeError } = {}, ...others] = moves;
  const isAlone = mayBeError !== undefined && others.length === 0;
  if (isAlone && answer.meaning !== 'success' && !ids.includes(mayBeError)) {
    return `${first?.name} must be answered 200, or with error ${mayBeError} (4.1, rules 1 and 3), but got ${came}`;
  }
  const refused = moves.filter(({ expected }) => expected === 'refused');
  if (refused.length > 0 && answer.status < 400) {
    return `the call must be refused (${rulesOf(refused)}), but got ${came}`;
  }
  for (const { move, expected, rule, errorId } of moves) {
    const said = verdictOf(answer, hashOf(move.name));
    if (expected === 'refused' && said === 'processed') {
      return `${move.name} must be refused (${rule}), but hashesProcessed lists it as processed`;
    }
    if (expected === 'processed' && move.type === 'credit' && said !== 'processed') {
      return `${move.name} must be listed as processed (4.1, rule 5), but it is ${said}`;
    }
    if (errorId !== undefined && !ids.includes(errorId)) {
      return `${move.name} must be refused with error ${errorId} (${rule}), but got ${came}`;
    }
  }
  return null;
}

function rulesOf(moves: readonly PlannedMove[]): string {
  return [...new Set(moves.map(({ rule }) => rule))].join('; ');
}
