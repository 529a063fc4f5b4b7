import type { Clock } from '../../platform';
import { within } from '../../platform/within';

/** Labels of a series. Their values come from fixed sets or from the configuration, never from a request. */
export type Labels = Readonly<Record<string, string>>;

/** One line of the exposition. */
export interface MetricSample {
  /** Name of the line: that of the family, with `_bucket`, `_sum` or `_count` in a histogram. */
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** What a metric is. */
export interface MetricDescription {
  readonly name: string;
  /** What it counts, for a person. */
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
}

/** One metric with all of its series, as read at one moment. */
export interface MetricFamily extends MetricDescription {
  readonly samples: readonly MetricSample[];
}

/** A metric that can be read. */
export interface Metric extends MetricDescription {
  read(): MetricFamily | Promise<MetricFamily>;
}

/** Every combination of these values, in order: one label set each. */
export function labelSets(values: Readonly<Record<string, readonly string[]>>): Labels[] {
  let sets: Labels[] = [{}];
  for (const [name, ofLabel] of Object.entries(values)) {
    sets = sets.flatMap((set) => ofLabel.map((value) => ({ ...set, [name]: value })));
  }
  return sets;
}

/** Whether two label sets are the same. */
function isSame(one: Labels, other: Labels): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}

/** One series of a {@link Counter}. */
export class Count {
  #value = 0;

  constructor(readonly labels: Labels) {}

  /** What was counted since the start. */
  get value(): number {
    return this.#value;
  }

  /** Adds one, or a number that is not negative. */
  add(more = 1): void {
    this.#value += more;
  }
}

/** A counter with a fixed set of series, all of them zero from the start: a first event is a rise. */
export class Counter implements Metric {
  readonly type = 'counter';
  readonly #series: readonly Count[];

  constructor(
    readonly name: string,
    readonly help: string,
    labels: readonly Labels[] = [{}],
  ) {
    this.#series = labels.map((each) => new Count(each));
  }

  /** The series with these labels. @throws Error if there is none: labels are fixed at creation. */
  at(labels: Labels = {}): Count {
    const found = this.#series.find((series) => isSame(series.labels, labels));
    if (found === undefined) throw new Error(`${this.name} has no series of these labels`);
    return found;
  }

  read(): MetricFamily {
    const { name, help } = this;
    const samples = this.#series.map(({ labels, value }) => ({ name, labels, value }));
    return { name, help, type: 'counter', samples };
  }
}

/** Upper bounds of the buckets, in milliseconds. */
const boundsMs = [1, 2.5, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000];
const bucketCount = boundsMs.length + 1;

/** One series of a {@link Histogram}. */
export class Durations {
  readonly #buckets = new Float64Array(bucketCount);
  #sumMs = 0;

  constructor(readonly labels: Labels) {}

  /** Adds a duration, in milliseconds. */
  observe(ms: number): void {
    let at = 0;
    while (at < boundsMs.length && ms > (boundsMs[at] as number)) at++;
    this.#buckets[at] = (this.#buckets[at] as number) + 1;
    this.#sumMs += ms;
  }

  /** The series as lines of the exposition: cumulative buckets, sum, count. */
  samples(name: string): MetricSample[] {
    const { labels } = this;
    let count = 0;
    const buckets = Array.from(this.#buckets, (inBucket, at) => {
      count += inBucket;
      const bound = boundsMs[at];
      const le = bound === undefined ? '+Inf' : String(bound / 1000);
      return { name: `${name}_bucket`, labels: { ...labels, le }, value: count };
    });
    return [
      ...buckets,
      { name: `${name}_sum`, labels, value: this.#sumMs / 1000 },
      { name: `${name}_count`, labels, value: count },
    ];
  }
}

/** A histogram of durations with a fixed set of series. */
export class Histogram implements Metric {
  readonly type = 'histogram';
  readonly #series: readonly Durations[];

  constructor(
    readonly name: string,
    readonly help: string,
    labels: readonly Labels[],
  ) {
    this.#series = labels.map((each) => new Durations(each));
  }

  /** The series with these labels. @throws Error if there is none: labels are fixed at creation. */
  at(labels: Labels): Durations {
    const found = this.#series.find((series) => isSame(series.labels, labels));
    if (found === undefined) throw new Error(`${this.name} has no series of these labels`);
    return found;
  }

  read(): MetricFamily {
    const { name, help } = this;
    const samples = this.#series.flatMap((series) => series.samples(name));
    return { name, help, type: 'histogram', samples };
  }
}

/** A value of a gauge, with its labels. */
export interface Reading {
  readonly labels: Labels;
  readonly value: number;
}

/** A gauge that is read on a scrape: it costs a call nothing. */
export class Gauge implements Metric {
  readonly type = 'gauge';
  constructor(
    readonly name: string,
    readonly help: string,
    private readonly readings: () => readonly Reading[] | Promise<readonly Reading[]>,
  ) {}

  async read(): Promise<MetricFamily> {
    const { name, help } = this;
    const readings = await this.readings();
    const samples = readings.map(({ labels, value }) => ({ name, labels, value }));
    return { name, help, type: 'gauge', samples };
  }
}

/** The content type of {@link writeText}. */
export const textContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** The text exposition of Prometheus, version 0.0.4. A family without a series is left out. */
export function writeText(families: readonly MetricFamily[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map((sample) => {
        return `${sample.name}${labelText(sample.labels)} ${valueText(sample.value)}\n`;
      });
      return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function valueText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeValue(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}

/** How long what was read is shown again, and how long at most while reading fails, in milliseconds. */
const keptMs = 15_000;
const longestKeptMs = 300_000;

/** How long a reader waits; a later answer is shown at the next reading. */
const patienceMs = 2_000;

/** A reading that costs the store something: made only on a scrape, and kept for a while. */
export class KeptReading<T> {
  #found: { readonly value: T; readonly at: number } | null = null;
  #reading: Promise<void> | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly read: () => Promise<T>,
    private readonly onFailure: () => void,
  ) {}

  /** The last reading, at most 15 seconds old unless reading fails; null if it is too old. Never rejects. */
  async latest(): Promise<T | null> {
    const { clock } = this;
    if (!this.isYounger(keptMs)) {
      this.#reading ??= this.readNow().finally(() => {
        this.#reading = null;
      });
      await within(clock, patienceMs, this.#reading, { late: () => {} });
    }
    return this.isYounger(longestKeptMs + 1) ? (this.#found?.value ?? null) : null;
  }

  private isYounger(ms: number): boolean {
    return this.#found !== null && this.clock.monotonicMs() - this.#found.at < ms;
  }

  private async readNow(): Promise<void> {
    try {
      this.#found = { value: await this.read(), at: this.clock.monotonicMs() };
    } catch {
      this.onFailure();
    }
  }
}
