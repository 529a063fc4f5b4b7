import type { ChaosReport } from './play';

/** The one report of a run, as text. */
export function chaosText({
  store,
  seconds,
  figures,
  faults,
  recoveries,
  wrong,
}: ChaosReport): string {
  const { calls, rounds, processed, refused, pending, failed, lost, voids } = figures;
  const half = recoveries[Math.floor(recoveries.length / 2)] ?? 0;
  const lines = [
    `${store}, ${seconds} seconds: ${calls} calls of ${rounds} rounds`,
    `  answered: ${processed} processed, ${refused} refused`,
    `  in doubt: ${failed} answered 5xx, ${pending} credits left out, ${lost} without an answer; ${voids} voids`,
    `  faults: ${recoveries.length}`,
    ...[...faults].map(([kind, times]) => `    ${String(times).padStart(5)} ${kind}`),
    `  the next call was processed after ${half} ms in half of them, and ${recoveries.at(-1) ?? 0} ms at most`,
    `  books of the service and the wallet: ${wrong.length} wrong`,
    ...wrong.slice(0, 20).map((text) => `    ${text}`),
  ];
  return `${lines.join('\n')}\n`;
}
