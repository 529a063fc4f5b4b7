import { type Clock, type Logger, type Random, systemClock, systemRandom } from '../../../platform';
import { backOffMs } from '../../../platform/back-off';
import { checkOptionNames, type OptionNames } from '../../../platform/validation/known-names';
import { isCurrency } from '../../../protocol/identifiers';
import { parseAmount } from '../../../protocol/money/amount';
import { checkPart } from '../../../platform/validation/option-values';
import type { Totals, WalletStore } from '../../wallet';
import { changeOfEvents, type CountingTerms } from './change';

/** Options of {@link startTotals}. */
export interface TotalsOptions {
  /** A store that keeps totals and was created with the consumer `totals` among its `events`. */
  readonly store: Pick<WalletStore, 'decimals' | 'retentionMs' | 'totals'>;
  /** The operators whose events are counted. */
  readonly operatorIds: readonly string[];
  /** By currency, from which amount on what a round gave is listed as a large win, as decimal texts; none unless set. */
  readonly notableFrom?: Readonly<Record<string, string>>;
  /** Whether the id of a round alone shall find its players; false unless set. */
  readonly lookup?: boolean;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Source of the jitter of pauses; the machine's own unless set. */
  readonly random?: Random;
}

/** Running totals. */
export interface RunningTotals {
  /** Stops; resolves once nothing is being counted. */
  stop(): Promise<void>;
}

const optionNames: OptionNames<TotalsOptions> = {
  store: true,
  operatorIds: true,
  notableFrom: true,
  lookup: true,
  logger: true,
  clock: true,
  random: true,
};

/** Events of a page: one write for all of them. */
const pageSize = 1_000;
/** Pauses while the store does not answer, and while another process counts. */
const pauses = { firstMs: 500, longestMs: 30_000 } as const;
const usualRetentionMs = 30 * 86_400_000;

/**
 * Keeps sums by quarter of an hour in the store, from its events, each counted once. Any number of processes may do so at the
 * same time: one counts, and the others wait to take over. It never throws: while the store does not answer, it
 * tries again.
 * @throws TypeError for wrong options.
 */
export function startTotals(options: TotalsOptions): RunningTotals {
  checkOptionNames<TotalsOptions>('startTotals', options, optionNames);
  const { store, operatorIds, logger, clock = systemClock, random = systemRandom } = options;
  const { totals } = store;
  if (totals === undefined) throw new TypeError('startTotals: the store keeps no totals');
  if (!Array.isArray(operatorIds) || !operatorIds.every((id) => typeof id === 'string')) {
    throw new TypeError('startTotals: operatorIds must be a list of operators');
  }
  if (!isBooleanOrAbsent(options.lookup))
    throw new TypeError('startTotals: lookup must be true or false');
  const notableFrom = readNotableFrom(
    options.notableFrom === undefined ? {} : options.notableFrom,
    store.decimals,
  );
  checkPart('logger', logger, ['info', 'warn', 'error']);
  checkPart('clock', clock, ['now', 'monotonicMs', 'pause', 'after']);
  checkPart('random', random, ['next', 'bytes']);
  const stopping = new AbortController();
  const notes = { notableFrom, isLookup: options.lookup === true };
  const parts = { store, totals, notes, logger, clock, random, signal: stopping.signal };
  const running = operatorIds.map((operatorId: string) => new Keeper(operatorId, parts).run());
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

function isBooleanOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

/** @throws TypeError */
function readNotableFrom(given: unknown, decimals: number): ReadonlyMap<string, bigint> {
  const wrong = 'startTotals: notableFrom must have amounts above zero by currency';
  if (typeof given !== 'object' || given === null) throw new TypeError(wrong);
  return new Map(
    Object.entries(given as Readonly<Record<string, unknown>>).map(([currency, amount]) => {
      const units = typeof amount === 'string' ? parseAmount(amount, decimals) : null;
      if (!isCurrency(currency) || units === null || units <= 0n)
        throw new TypeError(`${wrong}: ${currency}`);
      return [currency, units] as const;
    }),
  );
}

interface KeeperParts extends Required<Pick<TotalsOptions, 'store' | 'clock' | 'random'>> {
  readonly totals: Totals;
  readonly notes: Pick<CountingTerms, 'notableFrom' | 'isLookup'>;
  readonly logger: Logger | undefined;
  readonly signal: AbortSignal;
}

/** Counts the events of one operator. */
class Keeper {
  /** From when on this process has seen to it that all events are counted. */
  #since: number;
  /** In a row: reads that failed, and pages that another process has counted. */
  #failures = 0;

  constructor(
    private readonly operatorId: string,
    private readonly parts: KeeperParts,
  ) {
    this.#since = parts.clock.now();
  }

  async run(): Promise<void> {
    const { signal, logger, clock } = this.parts;
    while (!signal.aborted) {
      try {
        await this.follow();
      } catch (error) {
        this.#since = clock.now();
        const pauseMs = this.#pauseMs();
        const { message: reason } = error as Error;
        const { operatorId } = this;
        logger?.warn({ operatorId, reason, pauseMs }, 'totals cannot be kept: tried again');
        await clock.pause(pauseMs, signal);
      }
    }
  }

  private async follow(): Promise<void> {
    const { operatorId } = this;
    const { totals, notes, store, clock, signal } = this.parts;
    for await (const batch of totals.batches({ operatorId, atMost: pageSize, signal })) {
      const { decimals } = store;
      const retentionMs = store.retentionMs?.() ?? usualRetentionMs;
      const terms = { operatorId, decimals, retentionMs, since: this.#since, ...notes };
      const change = await changeOfEvents(batch.events, totals, terms);
      if (await batch.add(change)) {
        this.#failures = 0;
        continue;
      }
      this.#since = clock.now();
      await clock.pause(this.#pauseMs(), signal);
    }
  }

  #pauseMs(): number {
    this.#failures += 1;
    return Math.round(backOffMs(pauses, this.#failures, this.parts.random));
  }
}
