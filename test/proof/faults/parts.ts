import type { RoundChange } from '../../../lib/operator/gameround';
import type {
  Ledger,
  LedgerPosting,
  RoundJournal,
  RoundKey,
  Unknown,
} from '../../../lib/operator/wallet';
import type { FaultPoints, Life } from './points';

/** Notes what the journal knows of each posting, and what was posted without that. */
export class IntentWatch {
  /** What was posted, or reversed, and was not written down before. */
  readonly violations: string[] = [];
  private readonly pending = new Set<string>();
  private readonly reversals = new Set<string>();

  committed({ after }: RoundChange): void {
    for (const { hash } of after.pending?.posts ?? []) this.pending.add(hash);
    for (const hash of after.pending?.reversals ?? []) this.reversals.add(hash);
  }

  posted(method: string, { hash }: LedgerPosting): void {
    const isKnown = method === 'reverse' && this.reversals.has(hash);
    if (!isKnown && !this.pending.has(hash)) {
      this.violations.push(`${method} of ${hash} without an intent in the journal`);
    }
  }
}

/** The journal as a process sees it. */
export function faultyJournal(
  journal: RoundJournal,
  points: FaultPoints,
  life: Life,
  watch: IntentWatch,
): RoundJournal {
  const ask = <T>(name: string, work: () => Promise<T>) =>
    points.pass<T | Unknown>({ part: 'journal', name, life, work, fail: unknown });
  const read = <T>(name: string, work: () => Promise<T>) =>
    points.pass<T>({ part: 'journal', name, life, work, fail: silent });
  async function* list<T>(name: string, items: () => AsyncIterable<T>): AsyncGenerator<T> {
    const found = await read(name, async () => {
      const all: T[] = [];
      for await (const item of items()) all.push(item);
      return all;
    });
    yield* found;
  }
  return {
    decimals: journal.decimals,
    unit: journal.unit,
    ready: () => read('ready', () => journal.ready()),
    rounds: {
      load: (round, hashes) => ask('load', () => journal.rounds.load(round, hashes)),
      commit: (round: RoundKey, change: RoundChange) =>
        ask(`commit ${nameOf(change)}`, async () => {
          const result = await journal.rounds.commit(round, change);
          if (result.kind === 'committed') watch.committed(change);
          return result;
        }),
      readRound: (round) => read('readRound', () => journal.rounds.readRound(round)),
    },
    lists: {
      attention: (operatorId) => list('attention', () => journal.lists.attention(operatorId)),
      unfinished: (operatorId) => list('unfinished', () => journal.lists.unfinished(operatorId)),
    },
    close: () => journal.close(),
  };
}

/** The ledger as a process sees it. */
export function faultyLedger(
  ledger: Ledger,
  points: FaultPoints,
  life: Life,
  watch: IntentWatch,
): Ledger {
  const never = new AbortController().signal;
  const ask = <T>(name: string, work: () => Promise<T>) =>
    points.pass<T>({ part: 'ledger', name, life, work, fail: silent });
  const post = <T>(method: string, posting: LedgerPosting, work: () => Promise<T>) => {
    if (life.isAlive) watch.posted(method, posting);
    return ask(`${method} ${posting.hash}`, work);
  };
  return {
    debit: (posting) => post('debit', posting, () => ledger.debit(posting, never)),
    credit: (posting) => post('credit', posting, () => ledger.credit(posting, never)),
    reverse: (posting) => post('reverse', posting, () => ledger.reverse(posting, never)),
    balances: (player) => ask('balances', () => ledger.balances(player, never)),
  };
}

/** What a commit is for, for the name of its point. */
function nameOf({ before, after, records }: RoundChange): string {
  const told = records.map(({ hash }) => hash).join('+');
  const pending = after.pending?.posts.length ?? 0;
  return `v${before.version} ${after.state} [${told}] pending ${pending}`;
}

function unknown(): Unknown {
  return { kind: 'unknown', cause: new Error('The journal is silent.') };
}

function silent(): never {
  throw new Error('Nobody answers.');
}
