import type { Labels, MetricFamily } from './family';

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
