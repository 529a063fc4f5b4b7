import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import type { Answer, ListedHash } from '../../../lib/rgs/settlement/answer';
import type { World } from '../world/scheduler';

/** Errors that say that nothing is known: never the verdict of a transaction (D7). */
const unknownIds: readonly number[] = [9000, 9007];

/** What must hold of every reply by itself, whatever came before (O6, O7, D6, D7). */
export function checkReply(
  world: World,
  round: string,
  transactions: readonly Transaction[],
  answer: Answer,
): void {
  const fail = (rule: string, text: string): void => {
    const call = transactions.map(({ type, hash }) => `${type} ${hash}`).join(', ');
    world.fail(rule, `${round} [${call}]: ${text}`);
  };
  if (answer.kind !== 'reply' || answer.body === null) return fail('D6', 'no reply');
  const { status, body } = answer;
  const { hashesProcessed: listed } = body;
  const has = (wanted: Transaction['type']): boolean => {
    return transactions.some(({ type }) => type === wanted);
  };
  const isWhole = listed.length === transactions.length;
  if (!isInOrder(transactions, listed)) fail('D6.1', 'the hashes are not those of the call');
  const isSuccess = isWhole && listed.every(({ error }) => error === null);
  if (isSuccess !== (status === 200)) fail('O7', `${status}, and ${listed.length} are listed`);
  if ((body.error === null) !== (status === 200))
    fail('D6.2', `${status} and its errorCode differ`);
  if (has('credit') && !has('debit') && status >= 500) fail('O6', `${status} for a credit`);
  if (!isWhole && status < 500 && (has('debit') || !has('credit'))) {
    fail('D7', `${status}, and ${listed.length} are listed`);
  }
  const unknown = listed.find(({ error }) => unknownIds.includes(error?.id ?? 0));
  if (unknown !== undefined) fail('D7', `${unknown.hash} is refused as unknown`);
}

function isInOrder(transactions: readonly Transaction[], listed: readonly ListedHash[]): boolean {
  return (
    listed.length <= transactions.length &&
    listed.every(({ hash }, at) => hash === transactions[at]?.hash)
  );
}
