import { type LossReport, wrongsOf } from './losses/play';
import { type ChaosReport, wrongsIn } from './play';

const maxShown = 20;

/** The report of a run over one store, as text. */
export function chaosText(report: ChaosReport): string {
  const { store, seed, seconds, figures, waiting, violations, differences, losses } = report;
  const { calls, rounds, processed, refused, pending, failed, failedCredits, lost, voids } =
    figures;
  const of = (kind: string): number => differences.filter((each) => each.kind === kind).length;
  const texts = [
    ...differences.map(({ text }) => text),
    ...waiting,
    ...violations,
    ...losses.flatMap(wrongsOf),
  ];
  const lines = [
    `${store}, seed ${seed}, ${seconds} seconds: ${calls} calls of ${rounds} rounds`,
    `  answered: ${processed} processed, ${refused} refused`,
    `  in doubt: ${failed} answered 5xx, ${lost} without an answer; ${pending} with credits left out, ${voids} voids`,
    ...faultLines(report),
    `  books: ${of('lost')} lost, ${of('doubled')} doubled, ${of('balance')} wrong balances, ${of('other')} other differences`,
    `  rounds still waiting: ${waiting.length}; credits answered 5xx: ${failedCredits}; against the protocol: ${violations.length}`,
    ...losses.flatMap(lossLines),
    `  wrong: ${wrongsIn(report)}`,
    ...texts.slice(0, maxShown).map((text) => `    ${text}`),
    ...(texts.length > maxShown ? [`    and ${texts.length - maxShown} more`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** How many faults came. */
export function faultsIn({ recoveries }: ChaosReport): number {
  return [...recoveries.values()].reduce((sum, times) => sum + times.length, 0);
}

function faultLines(report: ChaosReport): string[] {
  const kinds = [...report.recoveries].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const width = Math.max(...kinds.map(([kind]) => kind.length));
  return [
    `  faults: ${faultsIn(report)}; ms to the next processed call, in half of them and at most:`,
    ...kinds.map(([kind, times]) => {
      const [half, most] = spread(times);
      return `    ${kind.padEnd(width)} ${cell(times.length)} ${cell(half)} ${cell(most)}`;
    }),
  ];
}

function lossLines({ kind, doneAt, lost, lostRounds, noticed }: LossReport): string[] {
  return [
    `  ${kind} at ${doneAt.toISOString()}: ${lost} acknowledged transactions of ${lostRounds} rounds are gone`,
    ...noticed.map((refusal, at) => {
      const process = `    process ${at + 1}:`;
      if (refusal === null) return `${process} not noticed`;
      const afterMs = Math.max(0, refusal.at.getTime() - doneAt.getTime());
      return `${process} not ready ${afterMs} ms later: ${refusal.reason}`;
    }),
  ];
}

function cell(value: number): string {
  return String(value).padStart(6);
}

function spread(times: readonly number[]): [half: number, most: number] {
  const sorted = times.toSorted((one, other) => one - other);
  return [sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, sorted.at(-1) ?? 0];
}

/** The same for programs. */
export function chaosJson(report: ChaosReport): object {
  const { recoveries, ...rest } = report;
  const faults = [...recoveries].map(([kind, times]) => {
    const [halfMs, maxMs] = spread(times);
    return { kind, count: times.length, halfMs, maxMs };
  });
  return { ...rest, faults, wrong: wrongsIn(report) };
}
