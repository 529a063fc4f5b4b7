/** `npm run hostile`: hostile inputs at volume, judged by the specification. See --help. */
import { Progress } from '../../test/simulator/command/progress';
import { FlagFault, helpText, readFlags } from './flags';
import type { Input } from './inputs/input';
import { usualWatch } from './memory';
import { playInputs } from './play';
import { count, reportOf } from './report';

async function main(): Promise<boolean> {
  const flags = readFlags(process.argv.slice(2));
  if (flags === null) {
    print(helpText.trimEnd());
    return true;
  }
  const { seed, inputs, only, quiet } = flags;
  let isStopped = false;
  process.once('SIGINT', () => (isStopped = true));
  const progress = new Progress(quiet);
  const started = process.cpuUsage();
  const cpuSeconds = (): number => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1e6;
  };
  const tally = await playInputs({
    seed,
    inputs,
    only,
    memory: usualWatch,
    isStopped: () => isStopped,
    onInput: show,
    onBatch: ({ inputs: done, faults }) =>
      progress.show(() => {
        const percent = Math.floor((100 * done) / inputs);
        const rate = count(done / cpuSeconds());
        return `${percent} %: ${count(done)} inputs, ${rate} a second of processor, ${faults.length} wrong`;
      }),
  });
  progress.end();
  print(reportOf(tally, seed, cpuSeconds()));
  return tally.faults.length === 0;
}

/** An input with its answer. */
function show({ kind, api, name, request, expected }: Input, status: number, text: string): void {
  print(`${kind}, ${api}: ${name}`);
  print(`${request.method} ${JSON.stringify(request.target)}`);
  for (let at = 0; at + 1 < request.headers.length; at += 2) {
    print(`${request.headers[at]}: ${JSON.stringify(request.headers[at + 1])}`);
  }
  print(JSON.stringify(request.body.toString('latin1')).slice(0, 5000));
  print(`expected: ${expected.is}`);
  print(`answered: ${status} ${text}`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().then(
  (isRight) => {
    process.exitCode = isRight ? 0 : 1;
  },
  (error: unknown) => {
    if (!(error instanceof FlagFault)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  },
);
