import type { Clock } from '../../platform';
import type { Events, StoreName } from '../events';
import type { ConsumerLag } from '../wallet';

/** What it looks at, and where it reports. */
interface EventLimitPorts {
  readonly store: StoreName;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly events: Events;
  /** How far the consumers are behind with an operator's events. */
  readonly lag: (operatorId: string) => Promise<readonly ConsumerLag[]>;
}

/** Checks again after this share of the limit was committed here, or after this time. */
const commitsBetweenLooks = 0.01;
const longestPauseMs = 60_000;

/** How long a round is kept that a pointer leads to: the consumer has another retention to come. */
export function keptLonger(retentionMs: number): number {
  return Math.min(2 * retentionMs, Number.MAX_SAFE_INTEGER);
}

const cure =
  'Start the consumer, or take its declaration back: rgs-wallet events forget. Until then rounds are kept twice as long.';

interface Operator {
  isOver: boolean;
  isLooking: boolean;
  commits: number;
  lookedAt: number;
}

/**
 * Tells of which operators so many events wait for a consumer that commits are to write pointers: a consumer that
 * does not come must not fill the server. It looks now and then, besides the calls, so that no commit waits for it.
 */
export class EventLimit {
  readonly #operators = new Map<string, Operator>();

  constructor(
    private readonly limit: number,
    private readonly ports: EventLimitPorts,
  ) {}

  /** Whether a commit of the operator is to write a pointer. Call it once a commit. */
  isOver(operatorId: string): boolean {
    const known = this.#operators.get(operatorId);
    const now = this.ports.clock.monotonicMs();
    const operator = known ?? { isOver: false, isLooking: false, commits: 0, lookedAt: now };
    if (known === undefined) this.#operators.set(operatorId, operator);
    operator.commits++;
    const isDue =
      operator.commits >= this.limit * commitsBetweenLooks ||
      now - operator.lookedAt >= longestPauseMs;
    if (isDue && !operator.isLooking) void this.look(operatorId, operator);
    return operator.isOver;
  }

  /** A server that does not answer changes nothing. */
  private async look(operatorId: string, operator: Operator): Promise<void> {
    operator.isLooking = true;
    operator.commits = 0;
    try {
      const lags = await this.ports.lag(operatorId);
      const [last] = lags.toSorted((one, other) => other.waiting - one.waiting);
      this.found(operatorId, operator, last ?? null);
    } catch {
      // The next look is due soon.
    } finally {
      operator.isLooking = false;
      operator.lookedAt = this.ports.clock.monotonicMs();
    }
  }

  private found(operatorId: string, operator: Operator, last: ConsumerLag | null): void {
    const wasOver = operator.isOver;
    operator.isOver = (last?.waiting ?? 0) >= this.limit;
    if (operator.isOver === wasOver) return;
    const { store, events } = this.ports;
    if (last === null || !operator.isOver) {
      events.emit({ kind: 'eventsKeptAgain', store, operatorId });
      return;
    }
    const { consumer, waiting } = last;
    events.emit({ kind: 'eventsOverLimit', store, operatorId, consumer, waiting, cure });
  }
}
