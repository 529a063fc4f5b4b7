import type { RepairChangeJson, RoundEvent, RoundReport } from '../../../../lib/operator/wallet';
import { unitsOf } from './units';

type RepairSeen = Pick<RepairChangeJson, 'status'> & {
  readonly proposedBy: string;
  readonly decidedBy: string | null;
};

/** How far the clocks of two processes are apart. */
const clocksDifferMs = 4000;

/** What the events of one round say together. */
export class RoundTrail {
  private version = 0;
  private at = 0;
  private state = 'none';
  /** Outcomes by type and hash. */
  private readonly outcomes = new Map<string, string>();
  private readonly repairs = new Map<string, RepairSeen[]>();
  private readonly moved = new Map<string, bigint>();

  constructor(
    private readonly options: {
      readonly decimals: number;
      readonly keepsAccounts: boolean;
      readonly retentionMs: number | null;
    },
  ) {}

  /** The next event; returns what is wrong with it. */
  follow(event: RoundEvent): string | null {
    const { version, state, transactions, movements, repairs = [] } = event;
    if (version <= this.version && this.mayBeForgotten(event)) this.beginAgain();
    const wrong = this.wrongIn(event);
    this.version = version;
    this.at = Date.parse(event.at);
    this.state = state;
    for (const { type, hash, outcome } of transactions) {
      this.outcomes.set(`${type} ${hash}`, outcome);
    }
    for (const { currency, real, bonus } of movements) {
      const { decimals } = this.options;
      const sum = unitsOf(real, decimals) + unitsOf(bonus, decimals);
      this.moved.set(currency, (this.moved.get(currency) ?? 0n) + sum);
    }
    for (const repair of repairs) {
      const twice = this.followRepair(repair);
      if (twice !== null) return twice;
    }
    return wrong;
  }

  /** At the end: what it says other than the store or the service. `netIn`: what the round gave, as the service knows it. */
  differenceFrom(report: RoundReport | null, netIn: (currency: string) => number): string | null {
    for (const [currency, sum] of this.moved) {
      const net = netIn(currency);
      if (Number(sum) !== net) return `moved ${sum} ${currency}, and should have moved ${net}`;
    }
    if (report === null) return null;
    const { head } = report;
    if (this.state !== head.state)
      return `is ${this.state} at last, and ${head.state} in the store`;
    const stored = report.toJSON().transactions.map(({ type, hash, outcome }) => {
      return `${type} ${hash} ${outcome}`;
    });
    const told = [...this.outcomes].map(([name, outcome]) => `${name} ${outcome}`);
    const [one, other] = [told, stored].map((list) => list.toSorted().join(', '));
    if (one !== other) return `has ${one}; the store has ${other}`;
    return this.repairsOtherThan(report);
  }

  /** Whether an event has this status of a repair, by this person. */
  hasRepair(id: string, status: string, by: string): boolean {
    return (this.repairs.get(id) ?? []).some((one) => {
      return (
        one.status === status && (status === 'proposed' ? one.proposedBy : one.decidedBy) === by
      );
    });
  }

  private wrongIn(event: RoundEvent): string | null {
    const { version, state, cause, transactions, movements, repairs = [] } = event;
    const { keepsAccounts } = this.options;
    if (version <= this.version) return `comes after version ${this.version}`;
    const isByPerson = repairs.some(({ status }) => status === 'proposed' || status === 'rejected');
    if (isByPerson && cause !== 'repair') return `is a repair, and tells ${cause}`;
    // A ledger's round says also what is to be posted or taken back; who gives up a debit there marks it.
    if (!keepsAccounts) return null;
    const isMark = transactions.some(({ outcome }) => outcome === 'unanswered');
    if (isMark && cause !== 'mark') return `is a mark, and tells ${cause}`;
    const isEmpty = transactions.length + repairs.length + movements.length === 0;
    return isEmpty && this.state === state ? 'tells nothing' : null;
  }

  /** Whether the retention may have been over since the event before, by clocks that disagree (D10). */
  private mayBeForgotten({ at }: RoundEvent): boolean {
    const { retentionMs } = this.options;
    return retentionMs !== null && Date.parse(at) - this.at >= retentionMs - clocksDifferMs;
  }

  /** What was moved counts on; a round with repairs is never forgotten. */
  private beginAgain(): void {
    this.version = 0;
    this.state = 'none';
    this.outcomes.clear();
  }

  private followRepair({ id, status, proposedBy, decidedBy }: RepairChangeJson): string | null {
    const list = this.repairs.get(id) ?? [];
    this.repairs.set(id, list);
    const last = list.at(-1);
    list.push({ status, proposedBy: proposedBy.id, decidedBy: decidedBy?.id ?? null });
    if (last === undefined) return status === 'proposed' ? null : `begins ${id} with ${status}`;
    return last.status === status ? `has ${id} ${status} again` : null;
  }

  private repairsOtherThan({ head }: RoundReport): string | null {
    const list = head.repairs?.list ?? [];
    for (const { id, status, proposedBy, decidedBy } of list) {
      const last = this.repairs.get(id)?.at(-1);
      const isSame =
        last?.status === status &&
        last.proposedBy === proposedBy.id &&
        last.decidedBy === (decidedBy?.id ?? null);
      if (!isSame)
        return `has ${id} as ${last?.status} by ${last?.decidedBy}, the store as ${status}`;
    }
    const isAll = list.length === this.repairs.size;
    return isAll ? null : `has ${this.repairs.size} repairs, and the store ${list.length}`;
  }
}
