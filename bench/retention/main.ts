/**
 * `npm run bench:retention`: what it costs PostgreSQL to forget rounds, beside what it cost to write them: bytes of the
 * write-ahead log and processor time of the server for each round, for writing, for the deletes of retention (`forget_expired`)
 * and for the vacuum after each. One round of six expires, as autovacuum comes when a fifth of the kept ones are dead; as many
 * are written, so that both are spread over the same pages. Linux only.
 */
import { parseArgs } from 'node:util';
import type { Pool } from 'pg';
import { asText } from '../report/table';
import { type Cost, openPlace } from './place';
import { timesOfBatches } from './open-transaction';
import { costOfPartitions } from './partitions';
import { openPlayers, playRounds, type RoundKind } from './rounds';

const tables = 'rgs_wallet.rounds, rgs_wallet.records, rgs_wallet.accounts, rgs_wallet.carried';

/** Kept rounds for each that expires. */
const keptForEach = 5;

const kinds = {
  one: '[debit, credit, end]',
  two: '[debit], [credit, end]',
} as const satisfies Record<RoundKind, string>;

interface Asked {
  readonly rounds: number;
  readonly batches: readonly number[];
  readonly players: number;
  /** Empty unless the cost of partitions is asked for, instead of all else. */
  readonly partitions: readonly number[];
  /** Whether the deletes are timed while a transaction stays open, instead of all else. */
  readonly openTransaction: boolean;
}

/** Deletes what has expired, as the cleaner does, and returns how many rounds that were. */
async function forget(pool: Pool, batch: number): Promise<number> {
  let forgotten = 0;
  let from: string | null = null;
  for (;;) {
    const answer: { rows: { line: [string, string | null] }[] } = await pool.query({
      name: 'forget',
      text: 'SELECT line FROM rgs_wallet.forget_expired(at_most => $1, from_us => $2) AS line',
      values: [batch, from],
    });
    const [count, reached] = answer.rows[0]?.line ?? ['0', null];
    forgotten += Number(count);
    if (Number(count) < batch) return forgotten;
    from = reached;
  }
}

/** What each phase took for a round: writing, its vacuum, deleting, its vacuum. */
async function costsOf(
  kind: RoundKind,
  batch: number,
  fullPages: boolean,
  { rounds, players: count }: Asked,
): Promise<readonly Cost[]> {
  const players = Array.from({ length: count }, (_, at) => `player-${at}`);
  const place = await openPlace(fullPages);
  try {
    await openPlayers(place.long, players);
    const vacuum = () => place.pool.query(`VACUUM ${tables}`);
    await playRounds(place.short, players, kind, rounds);
    await playRounds(place.long, players, kind, (keptForEach - 1) * rounds);
    await vacuum();
    const writing = await place.measure(rounds, () =>
      playRounds(place.long, players, kind, rounds),
    );
    const afterWriting = await place.measure(rounds, vacuum);
    let forgotten = 0;
    const deleting = await place.measure(rounds, async () => {
      forgotten = await forget(place.pool, batch);
    });
    if (forgotten !== rounds) throw new Error(`${forgotten} rounds of ${rounds} were deleted`);
    const afterDeleting = await place.measure(rounds, vacuum);
    return [writing, afterWriting, deleting, afterDeleting];
  } finally {
    await place.stop();
  }
}

async function showRetention(asked: Asked): Promise<void> {
  const rows: string[][] = [];
  for (const kind of ['one', 'two'] as const) {
    for (const fullPages of [false, true]) {
      for (const batch of asked.batches) {
        const costs = await costsOf(kind, batch, fullPages, asked);
        const name = [kinds[kind], fullPages ? 'with' : 'without', String(batch)];
        rows.push([...name, 'bytes of log', ...figuresOf(costs.map(({ walBytes }) => walBytes))]);
        rows.push([...name, 'us of processor', ...figuresOf(costs.map(({ cpuUs }) => cpuUs))]);
      }
    }
  }
  const title = `PostgreSQL, for a round: ${asked.rounds} of ${(keptForEach + 1) * asked.rounds} expire, ${asked.players} players`;
  const phases = ['writing', 'its vacuum', 'deleting', 'its vacuum', 'deleting / writing'];
  const columns = ['<round', '<full pages', 'batch', '<of', ...phases];
  process.stdout.write(`${asText({ title, columns, rows })}\n`);
}

/** Of the four phases, and the ratio of the last two to the first two. */
function figuresOf(phases: readonly number[]): string[] {
  const [writing = 0, itsVacuum = 0, deleting = 0, lastVacuum = 0] = phases;
  const ratio = (deleting + lastVacuum) / (writing + itsVacuum);
  return [...phases.map((value) => value.toFixed(0)), ratio.toFixed(2)];
}

async function showPartitions({ partitions, players: count }: Asked): Promise<void> {
  const players = Array.from({ length: count }, (_, at) => `player-${at}`);
  const rows: string[][] = [];
  for (const kind of ['one', 'two'] as const) {
    const costs = await costOfPartitions(partitions, kind, players);
    rows.push(...costs.map((cost) => [kinds[kind], ...cost]));
  }
  const title = 'PostgreSQL, us of processor for a round, with records partitioned: median (range)';
  const columns = ['<round', 'partitions', '<us', '<ratio to none'];
  process.stdout.write(`${asText({ title, columns, rows })}\n`);
}

async function showOpenTransaction({ rounds }: Asked): Promise<void> {
  const rows: string[][] = [];
  for (const beginning of ['the earliest', 'where the last ended'] as const) {
    const times = await timesOfBatches(rounds, beginning);
    const ends = [times[0] ?? 0, times.at(-1) ?? 0].map((ms) => ms.toFixed(0));
    rows.push([beginning, ...ends, (times.reduce((sum, ms) => sum + ms, 0) / 1000).toFixed(1)]);
  }
  const title = `PostgreSQL, ${rounds} expired rounds deleted, 1,000 at once, while a transaction stays open that began before`;
  const columns = ['<a batch begins at', 'first, ms', 'last, ms', 'all, s'];
  process.stdout.write(`${asText({ title, columns, rows })}\n`);
}

async function main(): Promise<void> {
  const asked = readOptions();
  if (asked === null) process.stdout.write(help);
  else if (asked.openTransaction) await showOpenTransaction(asked);
  else if (asked.partitions.length > 0) await showPartitions(asked);
  else await showRetention(asked);
}

const help = `npm run bench:retention -- [options]

Measures what it costs PostgreSQL to write rounds, to delete them when their retention is over, and to vacuum after each:
bytes of the write-ahead log and processor time of the server, for a round. "with" full pages is a server as it should
be set, just after a checkpoint; "without" is what is left of it between checkpoints that are far apart. Linux only.

  --rounds N         rounds that expire; five times as many are kept (default: 10000)
  --batches 100,1000 rounds deleted by one statement (default: 100)
  --players N        players whose rounds they are (default: 1000)
  --partitions 2,31  measure instead what a round costs if the table of records had so many partitions
  --open-transaction measure instead how long batches take while an old transaction stays open
  --help             print this
`;

/** What is asked for; null for the help. @throws TypeError naming the option that is wrong. */
function readOptions(): Asked | null {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '10000' },
      batches: { type: 'string', default: '100' },
      players: { type: 'string', default: '1000' },
      partitions: { type: 'string' },
      'open-transaction': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  return {
    rounds: wholeNumber('rounds', values.rounds),
    batches: numbers('batches', values.batches),
    players: wholeNumber('players', values.players),
    openTransaction: values['open-transaction'],
    partitions: values.partitions === undefined ? [] : numbers('partitions', values.partitions),
  };
}

function numbers(option: string, text: string): number[] {
  return text.split(',').map((each) => wholeNumber(option, each));
}

function wholeNumber(option: string, text: string): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (value >= 1) return value;
  throw new TypeError(`--${option}: "${text}" is no whole number from 1 to 9999999`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : 'it failed'}\n`);
  process.exitCode = error instanceof TypeError ? 2 : 1;
});
