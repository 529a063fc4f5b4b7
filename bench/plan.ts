import type { Contestant } from './contestants/contestant';
import { contestants } from './contestants/list';
import type { CallKind } from './load/calls';
import type { Pace } from './load/messages';
import type { BenchOptions } from './options';
import { type SeriesName, seriesOf, type Step, usualConnections } from './series';

/** What is done with a contestant of a series at a time. */
export type Act = Start | WarmUp | Turn | Books;

interface Place {
  readonly series: SeriesName;
  readonly letter: string;
  readonly contestant: Contestant;
}

/** Its server and its processes start. */
interface Start extends Place {
  readonly kind: 'start';
}

/** Calls before the first turn, which are not measured. */
export interface WarmUp extends Place {
  readonly kind: 'warm-up';
  readonly calls: CallKind;
  readonly pace: Pace;
}

/** A step that is measured. */
export interface Turn extends Place {
  readonly kind: 'turn';
  readonly repeat: number;
  readonly step: Step;
  /** Before it is measured: it was idle during the turns of others, and a pool may have closed connections. */
  readonly settleSeconds: number;
}

/** What it answered is held against what it has after kill -9. */
interface Books extends Place {
  readonly kind: 'books';
}

const settleSeconds = { redis: 0.5, postgres: 1 } as const;

/**
 * All acts of a run. The contestants of a series are all started and warmed up, and then take turns in the same processes: a
 * machine that slows down does so for all, and V8 has compiled their hot code.
 */
export function planOf(options: BenchOptions): Act[] {
  return options.series.flatMap((series) => {
    const { letters, repeats } = seriesOf(series);
    const wanted = options.letters ?? letters ?? Object.keys(contestants);
    const places = wanted.flatMap((letter) => {
      const contestant = contestants[letter];
      return contestant === undefined ? [] : [{ series, letter, contestant }];
    });
    const times = Array.from({ length: options.repeats ?? repeats }, (_, at) => at + 1);
    return [
      ...places.map((place) => ({ ...place, kind: 'start' as const })),
      ...places.flatMap((place) => warmUpsOf(place, options)),
      ...times.flatMap((repeat) => turnsOf(places, repeat, options)),
      ...places.map((place) => ({ ...place, kind: 'books' as const })),
    ];
  });
}

/** One for each kind of call that is measured. */
function warmUpsOf(place: Place, options: BenchOptions): WarmUp[] {
  const series = seriesOf(place.series);
  if (!series.isWarmedUp) return [];
  const { server } = place.contestant;
  const kinds = new Set(series.steps(options, server, 1).map(({ calls }) => calls));
  return [...kinds].map((calls) => {
    const count = warmupCalls(calls, server, options) * series.processes;
    const counted = { kind: 'counted', callsEach: Math.ceil(count / usualConnections) } as const;
    const { warmupSeconds: seconds } = options;
    const pace = seconds === null ? counted : ({ kind: 'closed', seconds } as const);
    return { ...place, kind: 'warm-up' as const, calls, pace };
  });
}

/** PostgreSQL takes so long for a call that fewer have to do, and a hundred transactions are as hot as many calls. */
function warmupCalls(
  calls: CallKind,
  server: Contestant['server'],
  { warmupCalls: usual }: BenchOptions,
): number {
  return usual / (server === 'postgres' ? 8 : 1) / (calls === 'hundred' ? 10 : 1);
}

/** The turns of one repeat: of each step, those of all contestants one after the other. */
function turnsOf(places: readonly Place[], repeat: number, options: BenchOptions): Turn[] {
  const turns = places.map((place) => {
    const series = seriesOf(place.series);
    const { server } = place.contestant;
    const settle = series.isWarmedUp ? settleSeconds[server] : 0;
    return series.steps(options, server, repeat).map((step) => {
      return { ...place, kind: 'turn' as const, repeat, step, settleSeconds: settle };
    });
  });
  const most = Math.max(...turns.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) => turns.flatMap((own) => own[at] ?? [])).flat();
}

// Seconds that were seen to pass around what is measured.
const aroundStart = { redis: 1, postgres: 3 } as const;
const aroundBooks = { redis: 0.5, postgres: 1 } as const;
const aroundStep = 0.2;

/** Calls a second that counted calls are supposed to run at, for the estimate alone. */
const supposedPace = { redis: 8000, postgres: 1500 } as const;

/** How long an act may take, in seconds. */
export function estimateSeconds(act: Act): number {
  const { series, contestant } = act;
  const { server } = contestant;
  if (act.kind === 'start') return aroundStart[server] + seriesOf(series).processes - 1;
  if (act.kind === 'books') return aroundBooks[server];
  if (act.kind === 'warm-up') return paceSeconds(act.pace, usualConnections, server);
  const { step, settleSeconds: settle } = act;
  return aroundStep + settle + paceSeconds(step.pace, step.connections, server);
}

function paceSeconds(pace: Pace, connections: number, server: Contestant['server']): number {
  if (pace.kind !== 'counted') return pace.seconds;
  return (pace.callsEach * connections) / supposedPace[server];
}
