import type { Tally } from './tally';

/** What was played, line by line. */
export function reportOf(tally: Tally, seed: number, cpuSeconds: number): string {
  const { inputs, byKind, byApi, byStatus, balances, faults } = tally;
  const statuses = [...byStatus].toSorted(([a], [b]) => a.localeCompare(b));
  const lines = [
    `seed ${seed}: ${count(inputs)} inputs, ${count(inputs / cpuSeconds)} a second of processor`,
    `by kind: ${listOf(Object.entries(byKind))}`,
    `by API: ${listOf(Object.entries(byApi))}`,
    `by status: ${listOf(statuses)}`,
    `${count(balances)} balances compared`,
    ...faults.map(
      ({ number, kind, name, text }) =>
        `WRONG: ${kind}, ${name}: ${text}\n  npm run hostile -- --seed ${seed} --only ${number}`,
    ),
    faults.length === 0
      ? 'nothing wrongly accepted, nothing thrown, nothing left unanswered'
      : `${faults.length} wrong`,
  ];
  return lines.join('\n');
}

function listOf(entries: readonly (readonly [string, number])[]): string {
  return entries.map(([name, number]) => `${name} ${count(number)}`).join(', ');
}

/** A whole number with commas. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}
