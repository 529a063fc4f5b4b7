import type { Labels, Metrics } from '../../../lib/operator/telemetry';

/** The value of one line of the exposition; undefined without such a line. */
export async function sampleOf(
  metrics: Metrics,
  name: string,
  labels: Labels = {},
): Promise<number | undefined> {
  const families = await metrics.read();
  const found = families
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === `rgs_wallet_${name}`)
    .filter((sample) =>
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

/** Every line of a family that is not zero, as `label,label value`. */
export async function linesOf(metrics: Metrics, name: string): Promise<string[]> {
  const families = await metrics.read();
  return families
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === `rgs_wallet_${name}` && sample.value !== 0)
    .map(({ labels, value }) => `${Object.values(labels).join()} ${value}`.trim());
}
