import type {
  AccountJson,
  Actor,
  PurseJson,
  RepairJson,
  RoundJson,
  TransactionJson,
} from '../../../wallet';

/** What happened to a round at one moment: a call of the RGS, or what one person did. */
export interface TimelineEntry {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The person who did it; null for a call of the RGS. */
  readonly by: Actor | null;
  /** At least one. Those of a call were recorded together, in one commit or in several of the same time. */
  readonly lines: readonly TimelineLine[];
}

/** A transaction, a void, or a step of a repair; members that do not apply are null. */
export interface TimelineLine {
  readonly what:
    | TransactionJson['type']
    | 'repair proposed'
    | 'repair made'
    | 'repair in progress'
    | 'repair rejected'
    | 'repair refused';
  /** Of the transaction, or of the one that a repair is about. */
  readonly hash: string | null;
  /** For a person: `pay`, `resolve` or `void` of a repair, `first` of a round's first debit. */
  readonly kind: RepairJson['kind'] | 'first' | null;
  /** A transaction's outcome, or a proposal's status. */
  readonly outcome: string;
  readonly currency: string | null;
  readonly amount: string | null;
  readonly discount: string | null;
  readonly serial: string | null;
  /**
   * What it did to the player's balances: below zero if money was taken. A credit that a void took back
   * shows 0, and the void includes it; a repair that a void took back shows 0 too.
   */
  readonly moved: PurseJson | null;
  /**
   * What the account held after it; null where the store keeps no balances (option `history`), and where it
   * is not known exactly: of several lines of a call at least the last one has it.
   */
  readonly balance: AccountJson | null;
  /** The reason of a proposal, the note of a decision, or the reference of a settlement elsewhere. */
  readonly note: string | null;
  /** The id of the repair. */
  readonly repair: string | null;
}

const nothing = {
  hash: null,
  kind: null,
  currency: null,
  amount: null,
  discount: null,
  serial: null,
  moved: null,
  balance: null,
  note: null,
  repair: null,
} as const;

/**
 * The timeline of a round, the oldest first: each call with its transactions and voids, and what people
 * proposed, decided and paid. A void by a person is shown as theirs, not as one of the RGS.
 */
export function timelineOf(round: Pick<RoundJson, 'transactions' | 'repairs'>): TimelineEntry[] {
  const calls: { at: string; by: null; lines: TimelineLine[] }[] = [];
  const repairs = round.repairs ?? [];
  const byPeople = new Map<string, TransactionJson>();
  for (const transaction of round.transactions) {
    if (isByPerson(transaction, repairs)) {
      byPeople.set(transaction.hash, transaction);
      continue;
    }
    const last = calls.at(-1);
    if (last?.at === transaction.at) last.lines.push(transactionLine(transaction));
    else calls.push({ at: transaction.at, by: null, lines: [transactionLine(transaction)] });
  }
  const steps = repairs.flatMap((one) => repairSteps(one, byPeople.get(one.hash ?? '')));
  // A stable sort: at the same time a call comes before what a person did.
  return [...calls, ...steps].toSorted((one, other) => compareTimes(one.at, other.at));
}

/**
 * Whether the timeline lacks balances that a store could keep: the store keeps none, or the round is older than
 * that. A round that never started has no currency and no balances in any store.
 */
export function lacksBalances(
  { currency }: Pick<RoundJson, 'currency'>,
  timeline: readonly TimelineEntry[],
): boolean {
  const lines = timeline.flatMap((entry) => entry.lines);
  if (currency === null || lines.length === 0) return false;
  return lines.every(({ balance }) => balance === null);
}

/** A debit is voided once: if a person did it, the RGS did not (D5.1). */
function isByPerson({ type, hash }: TransactionJson, repairs: readonly RepairJson[]): boolean {
  return type === 'void' && repairs.some((one) => isVoidMade(one) && one.hash === hash);
}

function isVoidMade({ kind, status }: RepairJson): boolean {
  return kind === 'void' && status === 'done';
}

function transactionLine(one: TransactionJson): TimelineLine {
  const { type, hash, outcome, currency, amount, discount, serial, moved } = one;
  return {
    ...nothing,
    what: type,
    hash,
    kind: one.isFirstDebit === true ? 'first' : null,
    outcome,
    currency: currency ?? null,
    amount: amount ?? null,
    discount: discount ?? null,
    serial: serial ?? null,
    moved: moved ?? null,
    balance: one.balance ?? null,
  };
}

/** The proposal and the decision, if there is one; `voided` is the void of the same hash, if a person made it. */
function repairSteps(repair: RepairJson, voided: TransactionJson | undefined): TimelineEntry[] {
  const { id, kind, hash, currency, amount, status, decidedAt, decidedBy } = repair;
  const common = {
    ...nothing,
    kind,
    hash: hash ?? null,
    currency: currency ?? null,
    amount,
    repair: id,
  };
  const proposed = {
    at: repair.proposedAt,
    by: repair.proposedBy,
    lines: [{ ...common, what: 'repair proposed', outcome: status, note: repair.reason }],
  } as const;
  if (decidedAt === undefined) return [proposed];
  const what = decisions[status] ?? 'repair made';
  const made = isVoidMade(repair) ? voided : undefined;
  const moved = made?.moved ?? movedBy(repair);
  const balance = made?.balance ?? repair.balance ?? null;
  const note = repair.note ?? repair.reference ?? null;
  const line: TimelineLine = { ...common, what, outcome: status, moved, balance, note };
  return [proposed, { at: decidedAt, by: decidedBy ?? null, lines: [line] }];
}

function movedBy({ status, moves }: RepairJson): PurseJson | null {
  if (status === 'takenBack') return { real: '0', bonus: '0' };
  return status === 'done' ? moves : null;
}

const decisions: Readonly<Partial<Record<RepairJson['status'], TimelineLine['what']>>> = {
  paying: 'repair in progress',
  rejected: 'repair rejected',
  refused: 'repair refused',
};

/** ISO 8601 in UTC, but years beyond 9999 have more digits. */
function compareTimes(one: string, other: string): number {
  return Date.parse(one) - Date.parse(other);
}
