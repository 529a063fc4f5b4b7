import type { Labels, Metric, MetricFamily } from './family';

/** A value of a gauge, and whose it is. */
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
