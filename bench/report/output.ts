import { writeFile } from 'node:fs/promises';
import type { Machine } from '../machine';
import type { Measurement } from '../measurement';
import type { BenchOptions } from '../options';
import { chartOf } from './chart';
import { goalsOf } from './goals';
import { summarize } from './summary';
import { asMarkdown, asText } from './table';
import { goalsTable, notesOf, tablesOf } from './tables';

/** Writes the files that are asked for, and gives the text to print. */
export async function writeReport(
  machine: Machine,
  options: BenchOptions,
  measurements: readonly Measurement[],
): Promise<string> {
  const summaries = summarize(measurements);
  const goals = goalsOf(measurements);
  const tables = [...tablesOf(summaries), ...(goals.length > 0 ? [goalsTable(goals)] : [])];
  const { files, ...settings } = options;
  const notes = notesOf(options);
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

/** The machine, a line each. */
export function machineLines(machine: Machine): string[] {
  return Object.entries(machine).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
}
