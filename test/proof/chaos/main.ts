/** `npm run chaos`: real servers and processes on which everything goes wrong under load, and one report. See --help. */
import { writeFileSync } from 'node:fs';

import { Progress } from '../../simulator/command/progress';
import type { ServiceFigures } from '../../rgs/load/run';
import { firstLine } from '../../servers/program-finder';
import { FlagFault, type Flags, faultsOf, helpText, readFlags } from './flags';
import { type ChaosReport, playChaos, wrongsIn } from './play';
import { chaosJson, chaosText } from './report';
import { checkNeeds, type StoreName, storeNames } from './stores/list';

async function main(): Promise<number> {
  const flags = readFlags(process.argv.slice(2));
  if (flags === null) {
    process.stdout.write(helpText);
    return 0;
  }
  let isStopped = false;
  process.once('SIGINT', () => (isStopped = true));
  const names = await playable(flags);
  const reports: ChaosReport[] = [];
  for (const name of names) {
    if (isStopped) break;
    reports.push(await play(name, flags.seconds / names.length, flags, () => isStopped));
  }
  process.stdout.write(reports.map(chaosText).join(''));
  if (flags.json !== null) {
    writeFileSync(flags.json, `${JSON.stringify(reports.map(chaosJson), null, 2)}\n`);
  }
  return reports.every((report) => wrongsIn(report) === 0) ? 0 : 1;
}

/** What was asked for, or what can be started: then what cannot is named on stderr. */
async function playable({ stores, faults }: Flags): Promise<readonly StoreName[]> {
  const names: StoreName[] = [];
  for (const name of stores ?? storeNames) {
    if (faults?.every((kind) => !faultsOf(name).includes(kind))) continue;
    try {
      await checkNeeds(name);
      names.push(name);
    } catch (error) {
      if (stores !== null) throw new FlagFault(`--store ${name}: ${firstLine(error)}`);
      process.stderr.write(`${name} is left out: ${firstLine(error)}\n`);
    }
  }
  if (names.length === 0) throw new FlagFault('no store can be started on this machine');
  return names;
}

async function play(
  store: StoreName,
  seconds: number,
  { seed, faults }: Flags,
  isStopped: () => boolean,
): Promise<ChaosReport> {
  const progress = new Progress(false);
  let [figures, fault]: [Readonly<ServiceFigures> | null, string] = [null, 'the start'];
  const began = performance.now();
  const timer = setInterval(() => {
    progress.show(() => {
      const played = Math.round((performance.now() - began) / 1000);
      const calls =
        figures === null ? '' : `, ${figures.calls} calls, ${figures.processed} processed`;
      return `${store}: ${played} s of ${Math.round(seconds)}${calls}; now ${fault}`;
    });
  }, 250);
  try {
    return await playChaos({
      store,
      seconds,
      seed,
      faults,
      isStopped,
      onStart: (started) => (figures = started),
      onFault: (kind) => (fault = kind),
    });
  } catch (error) {
    throw new Error(`${store}, seed ${seed}, at ${fault}`, { cause: error });
  } finally {
    clearInterval(timer);
    progress.end();
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const isFlag = error instanceof FlagFault;
    process.exitCode = isFlag ? 2 : 1;
    if (isFlag) process.stderr.write(`${error.message}\n`);
    else console.error(error);
  },
);
