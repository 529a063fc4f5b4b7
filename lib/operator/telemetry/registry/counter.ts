import { isSame, type Labels, type Metric, type MetricFamily } from './family';

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
