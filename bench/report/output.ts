import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from '../machine';
import type { Measurement } from '../measurement';
import type { BenchOptions } from '../options';
import { type Baseline, distanceTable, ratiosOf, setbacks, withBaseline } from './baseline';
import { chartOf } from './chart';
import { goalsOf } from './goals';
import { summarize } from './summary';
import { asMarkdown, asText } from './table';
import { goalsTable, notesOf, tablesOf } from './tables';

const baselineFile = join(__dirname, '../baseline.json');

/** Writes the files that are asked for, and gives the text to print. */
export async function writeReport(
  machine: Machine,
  options: BenchOptions,
  measurements: readonly Measurement[],
): Promise<string> {
  const summaries = summarize(measurements);
  const goals = goalsOf(measurements);
  const baselines = JSON.parse(await readFile(baselineFile, 'utf8')) as readonly Baseline[];
  const ratios = ratiosOf(summaries);
  const distances = distanceTable(ratios, baselines);
  const tables = [
    ...tablesOf(summaries),
    ...(goals.length > 0 ? [goalsTable(goals)] : []),
    ...(distances === null ? [] : [distances]),
  ];
  const { files, baseline: name, ...settings } = options;
  const notes = [...setbacks(ratios, baselines), ...notesOf(options)];
  if (name !== null && Object.keys(ratios).length > 0) {
    const how = `${commandLine()}; load before: ${machine['load before']}`;
    const kept = withBaseline(baselines, { name, how, ratios });
    await writeFile(baselineFile, `${JSON.stringify(kept, null, 2)}\n`);
  }
  if (files.json !== null) {
    const at = new Date().toISOString();
    const figures = { at, machine, settings, goals, summaries, measurements };
    await writeFile(files.json, `${JSON.stringify(figures, null, 2)}\n`);
  }
  if (files.markdown !== null) {
    const about = [...machineLines(machine), ...notes].map((line) => `- ${line}`).join('\n');
    const parts = [about, ...tables.map(asMarkdown)];
    await writeFile(files.markdown, `${parts.join('\n\n')}\n`);
  }
  const chart = chartOf(summaries);
  if (files.svg !== null && chart !== null) await writeFile(files.svg, chart);
  return [...tables.map(asText), notes.join('\n')].join('\n\n');
}

function commandLine(): string {
  return ['npm run bench --', ...process.argv.slice(2)].join(' ');
}

/** The machine, a line each. */
export function machineLines(machine: Machine): string[] {
  return Object.entries(machine).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
}
