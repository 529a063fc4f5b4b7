/**
 * Plays rounds of [start, addWin collect] from a game provider through the remote game server to a wallet, all
 * over HTTP, and prints processor time and memory a round. `npm run bench:sandbox`, or
 * `npm run bench:sandbox -- 5000` for fewer rounds.
 */
import { join } from 'node:path';
import { temporaryFolder } from '../../test/servers/reaper';
import { countOfRounds } from '../arguments';
import { cpuSeconds } from '../cpu-time';
import { openSeat, playLongRound, playRound, type Seat } from './play';
import { ask, type Party, startRouter, startServer, startWallet } from './start';

const players = Array.from({ length: 32 }, (_, at) => `player-${at + 1}`);

/** Something of each process. */
interface Each {
  readonly game: number;
  readonly rgs: number;
  readonly wallet: number;
}

interface Series {
  readonly name: string;
  readonly cpuMs: Each;
  readonly totalMs: number;
  readonly perSecond: number;
  readonly bytes: number;
  /**
   * Processor milliseconds of the last tenth over those of the second tenth. Where the three differ little, the machine
   * was slower: the game knows nothing of how many rounds were played.
   */
  readonly growth: Each;
}

async function main(): Promise<void> {
  const rounds = countOfRounds({
    command: 'npm run bench:sandbox',
    does: 'Plays rounds from a game provider through the remote game server to a wallet, all over HTTP, with the memory journal and\nthe file journal, and prints processor time and memory a round. About five minutes.',
    usual: 50_000,
    least: 1000,
  });
  const folder = await temporaryFolder('sandbox-journal');
  const memory = await measure('memory journal', rounds, null);
  print(memory);
  const file = await measure('file journal', rounds, join(folder, 'bench.journal'));
  print(file);
  say(`file to memory journal: ${(file.totalMs / memory.totalMs).toFixed(2)} (goal: at most 2)`);
  await measureLongRound();
}

async function measure(name: string, rounds: number, journal: string | null): Promise<Series> {
  const stage = await openStage(journal);
  const { wallet, server, seats } = stage;
  const tenth = Math.floor(rounds / 10);
  const usedBy = (): Each => ({
    game: cpuOfThis(),
    rgs: cpuSeconds(server.child.pid ?? 0),
    wallet: cpuSeconds(wallet.child.pid ?? 0),
  });
  const total = (used: Each): number => used.game + used.rgs + used.wallet;
  // The first tenth warms up: it counts in no figure.
  await play(seats, 0, tenth);
  const before = usedBy();
  const bytesBefore = (await ask(server, 'memory')).heapUsed;
  const startedAt = performance.now();
  const marks: Each[] = [before];
  for (let part = 1; part < 10; part++) {
    await play(seats, part * tenth, (part + 1) * tenth);
    marks.push(usedBy());
    process.stderr.write(`${name}: ${(part + 1) * tenth} of ${rounds} rounds\n`);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const after = usedBy();
  const bytesAfter = (await ask(server, 'memory')).heapUsed;
  const { agree, doubts } = await ask(server, 'books');
  if (!agree || doubts > 0) throw new Error(`${name}: the books differ, or ${doubts} are in doubt`);
  const counted = 9 * tenth;
  const each = (from: number, to: number): number => ((to - from) * 1000) / counted;
  const step = (nth: number, of: keyof Each): number =>
    (marks.at(nth)?.[of] ?? 0) - (marks.at(nth - 1)?.[of] ?? 0);
  const growth = (of: keyof Each): number => step(-1, of) / step(1, of);
  await stage.close();
  return {
    name,
    cpuMs: {
      game: each(before.game, after.game),
      rgs: each(before.rgs, after.rgs),
      wallet: each(before.wallet, after.wallet),
    },
    totalMs: each(total(before), total(after)),
    perSecond: counted / seconds,
    bytes: (bytesAfter - bytesBefore) / counted,
    growth: { game: growth('game'), rgs: growth('rgs'), wallet: growth('wallet') },
  };
}

interface Stage {
  readonly wallet: Party;
  readonly server: Party;
  readonly seats: readonly Seat[];
  close(): Promise<void>;
}

async function openStage(journal: string | null): Promise<Stage> {
  const wallet = await startWallet(players);
  const router = await startRouter();
  const server = await startServer({ walletUrl: wallet.url, routerUrl: router.url, journal });
  const seats = await Promise.all(players.map((playerId) => openSeat(server.url, playerId)));
  return {
    wallet,
    server,
    seats,
    async close() {
      server.child.kill('SIGKILL');
      wallet.child.kill('SIGKILL');
      router.server.closeAllConnections();
      await new Promise((resolve) => router.server.close(resolve));
    },
  };
}

/** Every player plays one round after another until all are played. */
async function play(seats: readonly Seat[], from: number, to: number): Promise<void> {
  let next = from;
  const worker = async (seat: Seat): Promise<void> => {
    while (next < to) await playRound(seat, next++);
  };
  await Promise.all(seats.map(worker));
}

/** The cost of the 1,000th call of a round beside the 100th: gameState is written in full, as the protocol asks. */
async function measureLongRound(): Promise<void> {
  const stage = await openStage(null);
  const [seat] = stage.seats;
  if (seat === undefined) throw new Error('no player');
  const pid = stage.server.child.pid ?? 0;
  const marks: number[] = [];
  await playLongRound(seat, 1000, (nth) => {
    if (nth % 100 === 0) marks.push(cpuSeconds(pid));
  });
  const early = ((marks[1] ?? 0) - (marks[0] ?? 0)) * 10;
  const late = ((marks[9] ?? 0) - (marks[8] ?? 0)) * 10;
  say(
    `a call of one round, rgs: ${early.toFixed(2)} ms at the 150th, ${late.toFixed(2)} ms at the 950th`,
  );
  await stage.close();
}

function cpuOfThis(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function print({ name, cpuMs, totalMs, perSecond, bytes, growth }: Series): void {
  const { game, rgs, wallet } = cpuMs;
  say(
    `${name}: ${totalMs.toFixed(2)} ms of processor a round (game ${game.toFixed(2)}, rgs ${rgs.toFixed(2)}, wallet ${wallet.toFixed(2)}; goal: at most 5)`,
  );
  say(
    `  ${perSecond.toFixed(0)} rounds/s, ${bytes.toFixed(0)} bytes of heap a closed round (goal: at most 4096)`,
  );
  const [inGame, inRgs, inWallet] = [growth.game, growth.rgs, growth.wallet].map((one) =>
    one.toFixed(2),
  );
  say(`  the last tenth took of the second: game ${inGame}, rgs ${inRgs}, wallet ${inWallet}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : 'it failed'}\n`,
    );
    process.exit(1);
  },
);
