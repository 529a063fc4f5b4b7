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

/** What the registry reads: a metric that knows its own value. */
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
export function isSame(one: Labels, other: Labels): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
  );
}
