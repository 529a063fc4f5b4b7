/** `npm run simulate:parties`: a game provider, the remote game server and a wallet, with faults on every line between them. */
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { storm } from '../../rgs/sandbox/storm';
import { endWith, wholeNumber } from './command';
import { Progress } from './progress';

const help = `npm run simulate:parties -- [options]

Plays worlds of three parties in virtual time: a game provider with the kit's client and router, the remote game server
with its journal, and a wallet. Every line between them loses, doubles, delays and garbles calls, and the
server is killed now and then. Then the faults end, and the books of the three are compared.
It ends with 1 if they differ, or something is left in doubt, and names the seed.

  --seed N     the first world's seed (default: 1)
  --worlds N   how many worlds, each with the next seed (default: 20)
  --rounds N   rounds of a world (default: 100)
  --quiet      no progress
  --help       print this
`;

/** What the worlds so far come to. */
interface Totals {
  worlds: number;
  rounds: number;
  faults: number;
  kills: number;
  readonly wrong: number[];
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      worlds: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '100' },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return true;
  }
  const seed = wholeNumber('seed', values.seed, 1);
  const worlds = wholeNumber('worlds', values.worlds, 1);
  const rounds = wholeNumber('rounds', values.rounds, 1);
  const progress = new Progress(values.quiet);
  const totals: Totals = { worlds: 0, rounds: 0, faults: 0, kills: 0, wrong: [] };
  const trace = createHash('sha256');
  for (let world = seed; world < seed + worlds; world += 1) {
    trace.update(await play(world, rounds, totals));
    progress.show(() => textOf(totals));
  }
  progress.end();
  print(`seeds ${seed} to ${seed + worlds - 1}: ${textOf(totals)}`);
  print(`trace ${trace.digest('hex').slice(0, 16)}`);
  return totals.wrong.length === 0;
}

/** Plays one world, and resolves to what its books are: the same for the same seed. */
async function play(seed: number, rounds: number, totals: Totals): Promise<string> {
  const { books, state, hits, kills } = await storm(seed, rounds);
  totals.worlds += 1;
  totals.rounds += books.rounds.length;
  totals.faults += hits;
  totals.kills += kills;
  const wrong = [...books.differences, ...books.doubts, ...state.due];
  if (wrong.length > 0) {
    totals.wrong.push(seed);
    print(`seed ${seed}: ${JSON.stringify(wrong)}`);
  }
  return JSON.stringify(books.rounds);
}

function textOf({ worlds, rounds, faults, kills, wrong }: Totals): string {
  const counts = [rounds, faults, kills].map((count) => count.toLocaleString('en-GB'));
  return `${worlds} worlds, ${counts[0]} rounds, ${counts[1]} faults, ${counts[2]} kills of the server, ${wrong.length} wrong`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

endWith(main());
