import { createHash } from 'node:crypto';
import type { Clock } from '../../platform';
import { within } from '../../platform/within';
import type { WalletStore } from '../wallet';

/** What waits in the store at the end of a minute, of the operators that a process serves. */
export interface MinuteSample {
  /** Of which operators it is: as {@link scopeOf} names them. */
  readonly scope?: string | undefined;
  /** Rounds that wait for a person: for under an hour, for up to a day, for longer. */
  readonly waiting?: readonly [underHour: number, underDay: number, over: number] | undefined;
  /** Events that wait, by consumer. */
  readonly lag?: ReadonlyMap<string, number> | undefined;
}

/** The last sample that a process took. */
export interface KeptSample extends MinuteSample {
  /** When it was begun, in milliseconds since 1970. */
  readonly at: number;
}

/** What is sampled. */
export interface SampledStore {
  readonly lists?: Pick<WalletStore['lists'], 'attention'> | undefined;
  readonly events?: Pick<NonNullable<WalletStore['events']>, 'lag'> | undefined;
}

/** A sample is taken in minutes that this divides: in Redis it reads 1,024 indexes of each operator. */
export const sampleMinutes = 5;

/** Rounds that a sample counts at most: then there may be more. */
export const mostSampled = 10_000;

/** No row waits longer for its sample, in milliseconds. */
const sampleMs = 2000;

/** A short name of a set of operators, in whatever order: processes over one store may serve others. */
export function scopeOf(operators: readonly string[]): string {
  const names = JSON.stringify([...new Set(operators)].toSorted());
  return createHash('sha256').update(names).digest('base64url').slice(0, 8);
}

const [hourMs, dayMs] = [3_600_000, 86_400_000];

/** Takes a sample; what the store does not say in time is not in it. Never rejects. */
export async function takeSample(
  store: SampledStore,
  operators: readonly string[],
  clock: Clock,
): Promise<MinuteSample> {
  if (operators.length === 0) return {};
  const known = async <T>(work: Promise<T>): Promise<T | undefined> =>
    within(clock, sampleMs, work, { late: () => undefined, failed: () => undefined });
  const [waiting, lag] = await Promise.all([
    known(countWaiting(store, operators, clock)),
    known(countLag(store, operators)),
  ]);
  return {
    scope: scopeOf(operators),
    ...(waiting === undefined ? {} : { waiting }),
    ...(lag === undefined ? {} : { lag }),
  };
}

async function countWaiting(
  { lists }: SampledStore,
  operators: readonly string[],
  clock: Clock,
): Promise<MinuteSample['waiting']> {
  if (lists === undefined) return undefined;
  const [now, deadline] = [clock.now(), clock.monotonicMs() + sampleMs];
  const counts: [number, number, number] = [0, 0, 0];
  let left = mostSampled;
  for (const operatorId of operators) {
    for await (const { stateSince = now } of lists.attention(operatorId)) {
      if (clock.monotonicMs() > deadline) return undefined;
      const age = now - stateSince;
      counts[age < hourMs ? 0 : age < dayMs ? 1 : 2] += 1;
      left -= 1;
      if (left === 0) return counts;
    }
  }
  return counts;
}

async function countLag(
  { events }: SampledStore,
  operators: readonly string[],
): Promise<MinuteSample['lag']> {
  if (events === undefined) return undefined;
  const lags = await Promise.all(operators.map((operatorId) => events.lag(operatorId)));
  const sums = new Map<string, number>();
  for (const { consumer, waiting } of lags.flat()) {
    sums.set(consumer, (sums.get(consumer) ?? 0) + waiting);
  }
  return sums;
}
