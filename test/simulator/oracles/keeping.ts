import type { RoundReport } from '../../../lib/operator/wallet';
import type { Clock } from '../../../lib/platform';

/** What the store has of a round by D10: it must be there, it must be gone, or it may be either. */
export type Kept = 'kept' | 'forgotten' | 'unclear';

/** What a round has come to, as far as its keeping depends on that. */
export type Ending =
  /** Open, stranded, crashed, or with repairs: for ever. */
  | 'forEver'
  /** Closed, voided, or never started: for the retention. */
  | 'over'
  /** The service cannot tell. */
  | 'either';

/** Whatever was sent is done within this time, or never will be. */
const doneMs = 10 * 60_000;
/** What is sent now has arrived by then. */
const arrivedMs = 60_000;

/** How long the store keeps a round (D10), by what the service knows of it. */
export class Keeping {
  /** What the store had of the round when that was last known to be all of it. */
  report: RoundReport | null = null;
  private known: number | null = null;
  private last: number | null = null;
  private isForgotten = false;

  constructor(
    private readonly clock: Clock,
    private readonly retentionMs: number | null,
  ) {}

  /** Whether rounds are forgotten at all. */
  get ends(): boolean {
    return this.retentionMs !== null;
  }

  /** Now, for {@link knows}. */
  get now(): number {
    return this.clock.monotonicMs();
  }

  /** Something of the round is sent, or was answered. */
  move(): void {
    this.last = this.now;
  }

  /** The store has committed something since then, when it was first sent. */
  knows(sentAt: number | null): void {
    if (sentAt !== null) this.known = Math.max(this.known ?? 0, sentAt);
  }

  /** What the store has of it now, and when a call arrives that is sent now. */
  at(ending: Ending): Kept {
    const { retentionMs, known, last, now } = this;
    if (retentionMs === null || last === null) return 'kept';
    if (this.isForgotten) return 'forgotten';
    if (ending === 'forEver') return 'kept';
    if (known !== null && now + arrivedMs < known + retentionMs) return 'kept';
    if (ending === 'either' || now <= last + doneMs + retentionMs) return 'unclear';
    this.isForgotten = true;
    return 'forgotten';
  }

  /** The report to hold against the answers: what is forgotten is as it was. */
  reportOf(stored: RoundReport | null): RoundReport | null {
    const { report, isForgotten } = this;
    if (report === null || stored === null) return stored ?? report;
    return isForgotten || stored.head.version <= report.head.version ? report : stored;
  }
}
