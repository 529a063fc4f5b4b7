/** `npm run bench`: what calls cost, side by side with services written by hand. See --help. */
import { helpText } from './help';
import { Lifetime } from './lifetime';
import { describeMachine } from './machine';
import type { Measurement } from './measurement';
import { readOptions } from './options';
import { type Act, estimateSeconds, planOf } from './plan';
import { machineLines, writeReport } from './report/output';
import { LoadProcess } from './run-load';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === null) return print(helpText());
  const acts = planOf(options);
  const machine = await describeMachine(new Set(acts.map(({ contestant }) => contestant.server)));
  print(`${machineLines(machine).join('\n')}\n`);
  print(await writeReport(machine, options, await performAll(acts)));
}

async function performAll(acts: readonly Act[]): Promise<Measurement[]> {
  const estimates = acts.map(estimateSeconds);
  const total = estimates.reduce((sum, seconds) => sum + seconds, 0);
  tell(`${acts.filter(({ kind }) => kind === 'turn').length} turns, about ${minutes(total)}\n`);
  const load = new LoadProcess();
  const lifetimes = new Map<string, Lifetime>();
  const measurements: Measurement[] = [];
  const startedAt = performance.now();
  let estimated = 0;
  try {
    for (const [at, act] of acts.entries()) {
      const elapsed = (performance.now() - startedAt) / 1000;
      const left = (total - estimated) * (estimated === 0 ? 1 : elapsed / estimated);
      tell(`${at + 1}/${acts.length}, ${minutes(left)} left: ${nameOf(act)}`);
      const measured = await perform(act, lifetimes, load).catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : 'it failed';
        throw new Error(`${nameOf(act)}, ${act.contestant.title}: ${reason}`, { cause: error });
      });
      if (measured !== null) measurements.push(measured);
      estimated += estimates[at] ?? 0;
    }
  } finally {
    load.stop();
    await Promise.all([...lifetimes.values()].map((each) => each.abandon()));
  }
  tell('');
  return measurements;
}

function nameOf(act: Act): string {
  const what = act.kind === 'turn' ? `${act.step.label}, time ${act.repeat}` : act.kind;
  return `${act.series}, ${act.letter}: ${what}`;
}

/** Null where nothing is measured. */
async function perform(
  act: Act,
  lifetimes: Map<string, Lifetime>,
  load: LoadProcess,
): Promise<Measurement | null> {
  const { series, letter, contestant } = act;
  if (act.kind === 'start') {
    lifetimes.set(letter, await Lifetime.begin(series, letter, contestant, load));
    return null;
  }
  const lifetime = lifetimes.get(letter);
  if (lifetime === undefined) throw new Error('it was not started');
  if (act.kind === 'turn') return lifetime.take(act);
  if (act.kind === 'warm-up') {
    await lifetime.warmUp(act);
    return null;
  }
  await lifetime.checkBooks();
  await lifetime.abandon();
  lifetimes.delete(letter);
  return null;
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
