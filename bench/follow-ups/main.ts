/**
 * `npm run bench:follow`: the wallet's part of a round of two calls, [debit] and then [credit, end], with follow-ups and
 * without: decided and committed in this process, without HTTP. Processor time alone, in small blocks in alternation, so that
 * a busy machine is so for both. `-- 4000` plays fewer rounds at each place.
 */
import { randomUUID } from 'node:crypto';
import { withoutFollowUps } from '../contestants/kit-accounts';
import { countOfRounds } from '../arguments';
import { spreadOf, withRange } from '../report/spread';
import { asText } from '../report/table';
import { type Cost, playRounds } from './play';
import { openOwnTables, openPostgres, openRedis, type OpenPlace, type Place } from './places';

const blocks = 20;
const players = Array.from({ length: 200 }, () => randomUUID());

/** What rounds cost in one block. */
interface Block {
  readonly following: Cost;
  readonly loading: Cost;
}

const zero: Cost = { node: 0, server: 0 };

/** Two places alike, of which one has no follow-ups; each has a server of its own. */
async function measure(open: OpenPlace, rounds: number): Promise<string[][]> {
  const following = await open(players);
  const other = await open(players);
  const loading: Place = { ...other, store: withoutFollowUps(other.store) };
  try {
    const each = Math.ceil(rounds / blocks);
    const measured: Block[] = [];
    for (let block = -1; block < blocks; block += 1) {
      const cost = { following: zero, loading: zero };
      const turns = [['following', following] as const, ['loading', loading] as const];
      for (const [which, place] of block % 2 === 0 ? turns : turns.toReversed()) {
        cost[which] = await playRounds(place, players, each);
      }
      if (block >= 0) measured.push(cost);
    }
    return [row(following.name, 'node', measured), row(following.name, 'server', measured)];
  } finally {
    await following.stop();
    await other.stop();
  }
}

function row(name: string, part: keyof Cost, measured: readonly Block[]): string[] {
  const costs = (which: keyof Block) => spreadOf(measured.map((block) => block[which][part]));
  const both = [costs('following'), costs('loading')].map((spread) =>
    spread === null ? ['-', '-'] : [spread.least.toFixed(0), spread.median.toFixed(0)],
  );
  const ratios = measured.map(({ following, loading }) => following[part] / loading[part]);
  const [mine, theirs] = [costs('following'), costs('loading')];
  const ofLeast = mine === null || theirs === null ? '-' : (mine.least / theirs.least).toFixed(2);
  return [name, part, ...both.flat(), ofLeast, withRange(spreadOf(ratios), 2)];
}

async function main(): Promise<void> {
  const rounds = countOfRounds({
    command: 'npm run bench:follow',
    does: "Measures the wallet's part of a round of two calls, with follow-ups and without.",
    usual: 10_000,
    least: 100,
  });
  const rows: string[][] = [];
  for (const open of [openRedis, openPostgres, openOwnTables]) {
    rows.push(...(await measure(open, rounds)));
  }
  const columns = [
    '<place',
    '<of',
    'least',
    'median',
    'without: least',
    'median',
    'ratio of least',
  ];
  const title = `us of processor a round of [debit], [credit, end]; ${blocks} blocks in alternation`;
  const table = { title, columns: [...columns, '<of blocks: median (least..most)'], rows };
  process.stdout.write(`${asText(table)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : 'it failed'}\n`);
  process.exitCode = 1;
});
