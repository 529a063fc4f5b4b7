import type { ErrorCode } from '../../protocol/operator-api/catalogue';
import type { End } from '../../protocol/operator-api/transaction';
import { isCancelled } from './repair';
import {
  type EndRecord,
  type HashEntry,
  noTexts,
  type RecordedOutcome,
  type RoundHead,
} from './round';
import { type DecideContext, leaveOut, refuse, replay, replayVoided, type Ruling } from './verdict';

/**
 * Decides an end. The first match decides (D4.10): other content (D3.2); known (D3.1); round voided; an
 * earlier debit of the call failed (D4.5); never started (D4.3); round cancelled (D4.1); accepted (D4.8).
 */
export function decideEnd(
  end: End,
  head: RoundHead,
  entry: HashEntry | undefined,
  context: DecideContext,
): Ruling {
  const { hash } = end;
  const known = entry?.transaction;
  if (known !== undefined) {
    if (known.type !== 'end') return refuse(hash, 'TRANSACTIONALREADYEXISTS', head);
    if (head.state === 'voided') return replayVoided(hash, head);
    if (known.outcome !== 'pending') return replay(hash, known, head);
  }
  if (known === undefined && head.state === 'cancelled' && !context.holdsDebit) {
    return leaveOut(hash, head);
  }
  const record = (outcome: RecordedOutcome): EndRecord => {
    const fingerprints = known?.fingerprints ?? noTexts;
    return { type: 'end', outcome, at: context.now, fingerprints };
  };
  const code = refusalOfEnd(head, context, known !== undefined);
  if (code !== null) return refuse(hash, code, head, record(code));
  return {
    verdict: { hash, outcome: 'processed', replay: false },
    head: endedHead(head, context.now),
    record: record('accepted'),
  };
}

function refusalOfEnd(
  { state }: RoundHead,
  { failedDebit }: DecideContext,
  isPending: boolean,
): ErrorCode | null {
  if (state === 'voided') return 'GAMEROUNDVOIDED';
  if (failedDebit) return 'DEBITFAILEDBEFORE';
  if (state === 'none') return 'GAMEROUNDNOTSTARTED';
  // A pending end was decided before the round was cancelled.
  return state === 'cancelled' && !isPending ? 'GAMEROUNDNOTACTIVE' : null;
}

/** D4.8: an open round is closed; a cancelled one, repaired or not (D11.4), is closed after its void. */
function endedHead(head: RoundHead, now: number): RoundHead {
  const ended = head.ended + 1;
  if (head.state === 'open') return { ...head, state: 'closed', changedAt: now, ended };
  const isToOpen = isCancelled(head) && head.resume === 'open';
  return { ...head, resume: isToOpen ? 'closed' : head.resume, ended };
}
