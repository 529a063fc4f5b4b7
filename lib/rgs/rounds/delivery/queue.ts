import type { Due, Round } from '../state';

/** How due transactions are sent: combined if possible, or one transaction a call (W7). */
export type Batching = 'combined' | 'separate';

/** Nothing follows a void in its call (W4); a credit follows a debit, and an end both (W7). */
const rank = { debit: 1, credit: 2, end: 3, void: 4 } as const;

/**
 * The next call of this round to the wallet: the head of its queue, with what may follow in the same call.
 * A call holds at most one debit and one credit, so that nothing passes a pending credit or an
 * unacknowledged void (W5). Empty if nothing is due.
 */
export function nextCall(round: Round, batching: Batching): readonly Due[] {
  const [head, ...rest] = round.queue;
  if (head === undefined) return [];
  if (batching === 'separate' || head.type === 'void') return [head];
  const call = [head];
  for (const due of rest) {
    const last = call.at(-1) ?? head;
    if (due.type === 'void' || rank[due.type] <= rank[last.type]) break;
    call.push(due);
  }
  return call;
}
