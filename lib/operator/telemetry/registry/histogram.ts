import { isSame, type Labels, type Metric, type MetricFamily, type MetricSample } from './family';

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
