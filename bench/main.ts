/** `npm run bench`: what calls cost, side by side with services written by hand. See --help. */
import { helpText } from './help';
import { describeMachine } from './machine';
import type { Measurement } from './measurement';
import { type BenchOptions, readOptions } from './options';
import { estimateSeconds, turnsOf } from './plan';
import { machineLines, writeReport } from './report/output';
import { takeTurn, type Turn } from './turn';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === null) return print(helpText());
  const turns = turnsOf(options);
  const machine = await describeMachine(new Set(turns.map(({ contestant }) => contestant.server)));
  print(`${machineLines(machine).join('\n')}\n`);
  const measurements = await takeAll(turns, options);
  print(await writeReport(machine, options, measurements));
}

async function takeAll(turns: readonly Turn[], options: BenchOptions): Promise<Measurement[]> {
  const estimates = turns.map((turn) => estimateSeconds(turn, options));
  const total = estimates.reduce((sum, seconds) => sum + seconds, 0);
  tell(`${turns.length} turns, about ${minutes(total)}\n`);
  const measurements: Measurement[] = [];
  const startedAt = performance.now();
  let estimated = 0;
  for (const [at, turn] of turns.entries()) {
    const { series, repeat, letter, contestant } = turn;
    const elapsed = (performance.now() - startedAt) / 1000;
    const left = (total - estimated) * (estimated === 0 ? 1 : elapsed / estimated);
    const place = `${at + 1}/${turns.length}, ${minutes(left)} left: ${series}, ${letter}, time ${repeat}`;
    try {
      const progress = (what: string) => tell(`${place}: ${what}`);
      measurements.push(...(await takeTurn(turn, options, progress)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'it failed';
      throw new Error(`${series}, ${letter}, ${contestant.title}: ${reason}`, { cause: error });
    }
    estimated += estimates[at] ?? 0;
  }
  tell('');
  return measurements;
}

function minutes(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** One line that is overwritten on a terminal. */
function tell(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${what}`);
  else if (what !== '') process.stderr.write(`${what.trimEnd()}\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`\n${error instanceof Error ? error.message : 'it failed'}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
});
