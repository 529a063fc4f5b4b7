/** `npm run bench`: what one call of a new round costs, side by side with services written by hand. See --help. */
import { writeFile } from 'node:fs/promises';
import { contestants } from './contestants/list';
import { describeMachine } from './machine';
import { type Measurement, measureTurn } from './measure';
import { type BenchOptions, helpText, readOptions } from './options';
import { summarize, tableOf } from './report';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === null) return print(helpText());
  const machine = await describeMachine(
    new Set(options.letters.flatMap((letter) => contestants[letter]?.server ?? [])),
  );
  print(
    Object.entries(machine)
      .map(([name, value]) => `${name.padEnd(9)} ${value}`)
      .join('\n'),
  );
  const measurements = await measureAll(options);
  const summaries = summarize(measurements);
  print(tableOf(summaries));
  const { json, ...settings } = options;
  if (json !== null) {
    const figures = { at: new Date().toISOString(), machine, settings, summaries, measurements };
    await writeFile(json, `${JSON.stringify(figures, null, 2)}\n`);
  }
}

/** All in alternation, so that a machine that slows down does so for all. */
async function measureAll(options: BenchOptions): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (let turn = 1; turn <= options.repeats; turn += 1) {
    for (const letter of options.letters) {
      const contestant = contestants[letter];
      if (contestant === undefined) continue;
      const progress = (what: string) => tell(`${turn}/${options.repeats} ${letter}: ${what}`);
      try {
        measurements.push(...(await measureTurn(letter, contestant, options, progress)));
      } catch (error) {
        const reason = error instanceof Error ? error.message : 'it failed';
        throw new Error(`${letter}, ${contestant.title}: ${reason}`, { cause: error });
      }
    }
  }
  tell('');
  return measurements;
}

/** One line that is written over, where a person looks on. */
function tell(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${what}`);
  else if (what !== '') process.stderr.write(`${what}\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`\n${error instanceof Error ? error.message : 'it failed'}\n`);
  process.exitCode = 1;
});
