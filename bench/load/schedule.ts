import { seededRandom } from '../../test/platform/seeded-random';

/** How the calls of an open loop come: as those of many who know nothing of each other, or as by a metronome. */
export type Arrivals = 'poisson' | 'even';

/**
 * When the calls of an open loop are to be sent, in milliseconds from its start, in order. The same for every
 * contestant: the gaps of a Poisson process are drawn from a generator that starts with `seed`.
 */
export function arrivalTimes(
  rate: number,
  seconds: number,
  arrivals: Arrivals,
  seed: number,
): Float64Array {
  const gap = 1000 / rate;
  const end = seconds * 1000;
  if (arrivals === 'even') {
    return Float64Array.from({ length: Math.floor(rate * seconds) }, (_, at) => at * gap);
  }
  const random = seededRandom(seed);
  const times: number[] = [];
  for (let at = 0; at < end; at -= Math.log(1 - random()) * gap) times.push(at);
  return Float64Array.from(times);
}
