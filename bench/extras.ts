/**
 * `npm run bench:extras`: what a consumer of events, an archive that reads them beside, the history, the totals and limits add to the processor time of a call, over Redis and
 * PostgreSQL. They add less than other work on the machine changes from one minute to the next. So the contestants
 * without and with them run side by side, each with a server of its own, and take turns in short blocks of calls; a
 * ratio is that of a block to the one beside it. A block has all that its contestant uses until its next turn: the totals
 * count events after the calls that wrote them are answered. The archive is a process of its own, whose time is told apart. Linux only.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reapWithThisProcess, temporaryFolder } from '../test/servers/reaper';
import { contestants } from './contestants/list';
import { cpuSeconds } from './cpu-time';
import type { CallKind } from './load/calls';
import { Load } from './load/load';
import { startQuietServer } from './quiet-server';
import { cpuGoals } from './report/goals';
import { startContestant } from './start-contestant';
import { operatorId, players } from './terms';

/** What each but the first adds, in the order of their letters; archive: who has events, read meanwhile; limits: three of each player. */
const extras = ['events', 'archive', 'history', 'totals', 'limits'] as const;

/** For each server: who has nothing more, and who has one of the extras; and calls of a connection in a block. */
const compared = {
  redis: { letters: ['b', 'j', 'j', 'n', 't', 'v'], callsEach: 50 },
  postgres: { letters: ['g', 'k', 'k', 'o', 'u', 'w'], callsEach: 16 },
} as const;

const rounds = { round: '[debit, credit, end]', two: '[debit], then [credit, end]' } as const;

const connections = 32;
/** Of each contestant, as V8 compiles what is hot. */
const warmupBlocks = 30;

/** Microseconds of processor of a call. */
interface Block {
  readonly node: number;
  readonly server: number;
  /** Of the archive beside; 0 without. */
  readonly archive: number;
}

/** A contestant, and what it adds to the first one. */
interface Entrant {
  readonly letter: string;
  readonly extra: (typeof extras)[number] | null;
}

interface Running extends Entrant {
  /** Its blocks so far, without the last one until `rest` is called. */
  readonly blocks: Block[];
  play(calls: CallKind, callsEach: number): Promise<void>;
  /** Ends the last block. */
  rest(): void;
  stop(): Promise<void>;
}

/** Runs an archive of the consumer of the contestants with events. */
async function archiveOf(url: string): Promise<ChildProcess> {
  const folder = await temporaryFolder('archive');
  const [program, key] = [join(__dirname, '../dist/cli/main.js'), join(folder, 'key')];
  const makes = ['archive', 'key', 'new', '--out', key, '--origin', 'bench.example/archive'];
  execFileSync(process.execPath, [program, ...makes]);
  const from = ['--operator', operatorId, '--store', url, '--consumer', 'bench'];
  const runs = ['archive', 'run', ...from, '--to', join(folder, 'log'), '--key', key];
  const child = spawn(process.execPath, [program, ...runs], { stdio: 'ignore' });
  reapWithThisProcess(child);
  return child;
}

async function start({ letter, extra }: Entrant): Promise<Running> {
  const contestant = contestants[letter];
  if (contestant === undefined) throw new Error(`there is no contestant ${letter}`);
  const server = await startQuietServer(contestant.server);
  await contestant.prepare(server.url, players);
  const running = await startContestant(letter, contestant, server.url);
  const archive = extra === 'archive' ? await archiveOf(server.url) : null;
  const pids = [running.pid, server.pid, ...(archive === null ? [] : [archive.pid ?? 0])];
  const readings = () => pids.map(cpuSeconds);
  const blocks: Block[] = [];
  let last: { readonly started: readonly number[]; readonly calls: number } | null = null;
  const rest = (): void => {
    const scale = 1e6 / (last?.calls ?? 1);
    const used = readings().map((now, at) => (now - (last?.started[at] ?? now)) * scale);
    const [ofNode = 0, ofServer = 0, ofArchive = 0] = used;
    if (last !== null) blocks.push({ node: ofNode, server: ofServer, archive: ofArchive });
    last = null;
  };
  return {
    letter,
    extra,
    blocks,
    rest,
    async play(calls, callsEach) {
      rest();
      const started = readings();
      const pace = { kind: 'counted', callsEach } as const;
      const order = { ports: [running.port], connections, calls, warmupSeconds: 0, pace };
      const { calls: count, faults } = await new Load(order, () => {}).run();
      if (faults[0] !== undefined) throw new Error(faults[0]);
      last = { started, calls: count };
    },
    async stop() {
      if (archive !== null && archive.exitCode !== null) throw new Error('the archive ended');
      archive?.kill('SIGKILL');
      await running.abandon();
      await server.stop();
    },
  };
}

async function compare(
  { entrants, callsEach }: { readonly entrants: readonly Entrant[]; readonly callsEach: number },
  calls: keyof typeof rounds,
  blocks: number,
): Promise<void> {
  const all: Running[] = [];
  try {
    for (const entrant of entrants) all.push(await start(entrant));
    for (let block = 0; block < warmupBlocks + blocks; block += 1) {
      for (const one of inTurn(all, block)) {
        await one.play(calls, callsEach);
      }
    }
    for (const one of all) {
      one.rest();
      one.blocks.splice(0, warmupBlocks);
    }
    const [plain] = all;
    print(`\n${rounds[calls]}: ${blocks} blocks of ${callsEach * connections} calls`);
    print('microseconds a call: median (least, quarters)');
    for (const one of all) print(lineOf(one, plain ?? one));
  } finally {
    for (const one of all) await one.stop();
  }
}

/** All in turn, so that each is the first of a block as often as the others. */
function inTurn<T>(all: readonly T[], block: number): readonly T[] {
  const first = block % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

const both = ({ node, server }: Block): number => node + server;

function lineOf({ letter, extra, blocks }: Running, { blocks: others }: Running): string {
  const ratios = blocks.map((block, at) => both(block) / both(others[at] ?? block));
  const figures = [
    `node ${spread(
      blocks.map(({ node }) => node),
      1,
    )}`,
    `server ${spread(
      blocks.map(({ server }) => server),
      1,
    )}`,
    `both ${spread(blocks.map(both), 1)}`,
    `ratio ${spread(ratios, 3)}`,
  ];
  const beside = `, read by an archive that takes ${spread(
    blocks.map(({ archive }) => archive),
    1,
  )}`;
  const aim = cpuGoals.find((one) => one.series === 'events' && one.letter === letter);
  const goal = aim === undefined || extra === 'archive' ? '' : `, goal ${aim.most.toFixed(2)}`;
  return `${letter}  ${contestants[letter]?.title}${goal}${extra === 'archive' ? beside : ''}\n   ${figures.join('  ')}`;
}

function spread(values: readonly number[], digits: number): string {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(digits);
  return `${at(0.5)} (${at(0)}, ${at(0.25)}..${at(0.75)})`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

const help = `npm run bench:extras -- [options]

Measures what a consumer of events, an archive that reads them in a process beside, the history, the totals and three limits of each
player add to the processor time of a call (about 35 minutes; Linux).

  --servers redis,postgres   which (default: both)
  --calls round,two          [debit, credit, end] in one call, or [debit] and then [credit, end] (default: both)
  --add events,limits        what, of events, archive, history, totals and limits (default: all)
  --blocks N                 measured blocks of each contestant (default: 60)
  --help                     print this
`;

/** What is asked for; null for the help. @throws TypeError naming the option that is wrong. */
function readOptions() {
  const { values } = parseArgs({
    options: {
      servers: { type: 'string', default: 'redis,postgres' },
      calls: { type: 'string', default: 'round,two' },
      add: { type: 'string', default: extras.join(',') },
      blocks: { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const blocks = /^\d{1,6}$/.test(values.blocks) ? Number(values.blocks) : 0;
  if (blocks < 1) throw new TypeError(`--blocks: "${values.blocks}" is no whole number from 1`);
  const servers = named('servers', values.servers, ['redis', 'postgres'] as const);
  const calls = named('calls', values.calls, ['round', 'two'] as const);
  return { blocks, servers, calls, added: named('add', values.add, extras) };
}

function named<Name extends string>(option: string, text: string, known: readonly Name[]): Name[] {
  const wanted = text.split(',');
  const strange = wanted.find((name) => !known.some((one) => one === name));
  if (strange === undefined) return known.filter((name) => wanted.includes(name));
  throw new TypeError(`--${option}: there is no "${strange}", only ${known.join(', ')}`);
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === null) {
    process.stdout.write(help);
    return;
  }
  for (const server of options.servers) {
    const { letters, callsEach } = compared[server];
    const entrants = letters.map((letter, at) => ({ letter, extra: extras[at - 1] ?? null }));
    const isMeasured = ({ extra }: Entrant) => extra === null || options.added.includes(extra);
    const some = { entrants: entrants.filter(isMeasured), callsEach };
    for (const calls of options.calls) await compare(some, calls, options.blocks);
  }
}

main().catch((error: unknown) => {
  const isWrongUse = error instanceof TypeError;
  process.stderr.write(`${error instanceof Error ? error.message : 'it failed'}\n`);
  process.exitCode = isWrongUse ? 2 : 1;
});
