import type { ErrorCode } from '../errors';
import type { End } from '../protocol';
import type { HashEntry, RecordedOutcome, RoundHead } from './round';
import { type DecideContext, enter, refuse, type Ruling, replay } from './verdict';

/**
 * Decides an end. In order of precedence: known hash (D3.1, D3.2); a debit before it in the call
 * failed (D4.5); round voided, never started or waiting for a void (D4.8, D4.3, D4.1); accepted.
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
    if (known.outcome !== 'pending') return replay(hash, known, head);
  }
  const record = (outcome: RecordedOutcome) => ({ type: 'end', outcome, at: context.now }) as const;
  const code = context.failedDebit ? 'DEBITFAILEDBEFORE' : refusalOfEnd(head);
  if (code !== null) return refuse(hash, code, head, record(code));
  return {
    verdict: { hash, outcome: 'processed', replay: false },
    head: head.state === 'open' ? enter(head, 'closed', context.now) : head,
    record: record('accepted'),
  };
}

function refusalOfEnd(head: RoundHead): ErrorCode | null {
  switch (head.state) {
    case 'voided':
      return 'GAMEROUNDVOIDED';
    case 'none':
      return 'GAMEROUNDNOTSTARTED';
    case 'cancelled':
      return 'GAMEROUNDNOTACTIVE';
    default:
      return null;
  }
}
