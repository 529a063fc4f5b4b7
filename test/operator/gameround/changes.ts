import {
  callStart,
  decideCancel,
  decideStep,
  type HashEntry,
  type RoundChange,
  type RoundView,
  unsignedDelivery,
  withRecord,
} from '../../../lib/operator/gameround';
import { headOf } from './pending-words';
import { gameCode, gameRound, now } from './rounds';
import { entryOf, transactionOf, wordsOf } from './words';

/** A change with the round that it was decided on, and how it is decided again on the round after another. */
export interface DecidedChange {
  readonly change: RoundChange;
  readonly view: RoundView;
  after(other: RoundChange): DecidedChange;
}

/**
 * The change of the first step of a call: `debit A follow; credit B; refused=A; signed`, by the
 * rules. `refused=A` has the account refuse A, `signed` gives the call a fingerprint, `shares` has
 * credits follow the debits; `5xx debit A follow` marks the debits of a call answered 5xx.
 */
export function changeOf(round: string, work: string, known: string, call: string): DecidedChange {
  return decided(viewOf(round, work, known), call);
}

/** A round with what is known of it: `debit A first; credit B; void C`. */
function viewOf(round: string, work: string, known: string): RoundView {
  const entries = new Map<string, HashEntry>();
  for (const cell of partsOf(known)) {
    const [kind = '', hash = '', ...rest] = cell.split(' ');
    const entry = entryOf([kind, ...rest].join(' '));
    if (entry !== undefined) entries.set(hash, entry);
  }
  return { head: headOf(round, work), entries };
}

/** What a change records: `A accepted 10; B void; C DEBITFAILEDBEFORE 0`. */
export function recordedIn({ records }: RoundChange): string {
  const words = records.map(({ hash, record }) => {
    if (record.type === 'void') return `${hash} void`;
    if (record.type === 'end') return `${hash} ${record.outcome}`;
    const { real, bonus } = record.purse;
    return `${hash} ${record.outcome} ${bonus === 0n ? real : `${real}/${bonus}`}`;
  });
  return words.join('; ');
}

function decided(view: RoundView, call: string): DecidedChange {
  const change = call.startsWith('5xx') ? markedBy(view, call) : stepOf(view, call);
  if (change === null) throw new Error(`nothing was decided: ${call}`);
  return { change, view, after: (other) => decided(viewAfter(view, other), call) };
}

function stepOf(view: RoundView, call: string): RoundChange | null {
  const parts = partsOf(call);
  const { list, named } = wordsOf(parts.filter((part) => !isTransaction(part)).join(' '));
  const transactions = parts.filter(isTransaction).map(transactionOf);
  const refused = named.get('refused');
  const fingerprint = list.includes('signed') ? 'abcdefghijkl' : null;
  const step = decideStep(transactions, callStart, view, {
    gameRound,
    gameCode,
    now,
    delivery: { ...unsignedDelivery('own'), fingerprint },
    refusals: new Map(refused === undefined ? [] : [[refused, 'tooLow']]),
    eligibleDiscounts: new Set(),
    policy: { useBonusFirst: true, creditTo: list.includes('shares') ? 'stakeShares' : 'real' },
  });
  return step.change;
}

function markedBy(view: RoundView, call: string): RoundChange | null {
  const transactions = partsOf(call.slice('5xx'.length)).map(transactionOf);
  return decideCancel(transactions, view, { gameCode, now, delivery: unsignedDelivery('own') });
}

function viewAfter({ entries }: RoundView, { after, records }: RoundChange): RoundView {
  const known = new Map(entries);
  for (const { hash, record } of records) known.set(hash, withRecord(known.get(hash), record));
  return { head: after, entries: known };
}

function isTransaction(part: string): boolean {
  return /^(?:debit|credit|end|void) /.test(part);
}

function partsOf(cell: string): string[] {
  const parts = cell.split(';').map((part) => part.trim());
  return parts.filter((part) => part !== '' && part !== '-');
}
