import { contestants } from './contestants/list';
import type { BenchOptions } from './options';
import { seriesOf, type Step } from './series';
import { furtherWarmupSeconds, type Turn } from './turn';

/** All turns of a run; those of a series in alternation, so that a machine that slows down does so for all. */
export function turnsOf(options: BenchOptions): Turn[] {
  return options.series.flatMap((series) => {
    const { letters, repeats } = seriesOf(series);
    const wanted = options.letters ?? letters ?? Object.keys(contestants);
    return Array.from({ length: options.repeats ?? repeats }, (_, at) => at + 1).flatMap((repeat) =>
      wanted.flatMap((letter) => {
        const contestant = contestants[letter];
        return contestant === undefined ? [] : [{ series, letter, contestant, repeat }];
      }),
    );
  });
}

// Seconds that were seen to go by beside what is measured.
const aroundTurn = { redis: 1.5, postgres: 4 } as const;
const aroundStep = 0.8;

/** Calls a second that a counted step is supposed to go on at, for the estimate alone. */
const supposedPace = { redis: 2500, postgres: 500 } as const;

/** How long a turn may take, in seconds. */
export function estimateSeconds(
  { series, contestant, repeat }: Turn,
  options: BenchOptions,
): number {
  const described = seriesOf(series);
  const { isWarmedUp, processes } = described;
  const { server } = contestant;
  const all = described.steps(options, server, repeat);
  const further = (all.length - 1) * furtherWarmupSeconds;
  const warmup = isWarmedUp ? options.warmupSeconds + further : 0;
  const measured = all.reduce((sum, step) => sum + aroundStep + stepSeconds(step, server), 0);
  return aroundTurn[server] + processes - 1 + warmup + measured;
}

function stepSeconds({ pace, connections }: Step, server: 'redis' | 'postgres'): number {
  if (pace.kind !== 'counted') return pace.seconds;
  return (pace.callsEach * connections) / supposedPace[server];
}
