/**
 * `npm run bench:storm`: more than a wallet can do, played against `rgs-wallet serve` by an RGS that keeps its rules, in the time
 * of the process; and the money compared in the end (docs/overload.md).
 */
import { arrivalTimes } from '../load/schedule';
import type { Goal } from '../report/goal';
import { asText } from '../report/table';
import { goalsTable } from '../report/tables';
import { operatorId, players } from '../terms';
import { Lines } from './lines';
import { readOptions, type StormOptions } from './options';
import { type Found, goalsOf, phasesTable, titleOf, worstOf } from './report';
import { Rgs } from './rgs';
import { ServerTime } from './server-time';
import { Book, Tally } from './tally';
import { startWallet, type StormWallet } from './wallet';

const neighbourId = 'neighbour';
const warmUpLanes = 64;
const healthEveryMs = 50;
const afterSeconds = 2;

class Storm {
  readonly tallies: Tally[] = [];
  private readonly book = new Book(players.length);
  private readonly neighbours = new Book(players.length);
  private pace = 0;
  private seed = 1;
  private readonly rgs: Rgs;

  constructor(
    private readonly options: StormOptions,
    private readonly wallet: StormWallet,
    private readonly time: ServerTime,
    lines: Lines,
    /** For /healthz alone. */
    private readonly probeLine: Lines,
  ) {
    this.rgs = new Rgs(lines, time, this.book, operatorId);
  }

  async play(): Promise<Found> {
    const { factors, seconds, operators } = this.options;
    await this.measurePace();
    for (const factor of factors) {
      await this.phase(`${factor}x`, factor, seconds);
      await this.phase(`after ${factor}x`, 0.5, afterSeconds);
      await this.rest();
    }
    if (operators === 2) for (const count of [60, 600]) await this.beside(count);
    return this.settle();
  }

  /** What one processor does, once the process is warm. Over PostgreSQL, which takes more than the process: what both do. */
  private async measurePace(): Promise<void> {
    const { warmUpSeconds, store } = this.options;
    const { time } = this;
    await this.rgs.playClosed(warmUpLanes, warmUpSeconds, uncounted());
    const [ranMs, began] = [time.ranMs, time.now()];
    const rounds = await this.rgs.playClosed(warmUpLanes, warmUpSeconds, uncounted());
    const tookMs = store === 'redis' ? time.ranMs - ranMs : time.now() - began;
    this.pace = (rounds * 1000) / tookMs;
    say(`1x: ${this.pace.toFixed(0)} rounds a second\n`);
  }

  private async phase(name: string, factor: number, seconds: number): Promise<void> {
    const tally = new Tally(name, factor, seconds);
    this.tallies.push(tally);
    const rate = factor * this.pace;
    this.seed += 1;
    const progress = { isOver: false };
    const health = this.probe(tally, progress);
    await this.rgs.begin(arrivalTimes(rate, seconds, 'poisson', this.seed), tally);
    progress.isOver = true;
    await health;
    const { rounds, wholeRounds, shed } = tally;
    say(`${name}: ${rounds} rounds begun, ${wholeRounds} whole by now, ${shed} shed\n`);
  }

  /** GET /healthz. */
  private async probe(tally: Tally, progress: { readonly isOver: boolean }): Promise<void> {
    const request = Buffer.from('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    while (!progress.isOver) {
      const askedAt = this.time.now();
      await this.probeLine.send(() => request, true);
      tally.healthMs.push(this.time.now() - askedAt);
      await this.time.pause(healthEveryMs);
    }
  }

  /** Until every round has ended or given up. */
  private async rest(): Promise<void> {
    while (this.rgs.active > 0) await this.time.pause(20);
  }

  /** A quarter of the load, beside an operator with calls of 500 transactions. */
  private async beside(connections: number): Promise<void> {
    const { time, wallet } = this;
    const lines = await Lines.open(wallet.port, connections, time);
    const neighbour = new Rgs(lines, time, this.neighbours, neighbourId);
    const progress = { isOver: false };
    const large = neighbour.playLarge(connections, uncounted(), progress);
    const before = time.ranMs;
    await time.pause(500);
    await this.phase(`beside ${connections}`, 0.25, this.options.seconds);
    const ranMs = time.ranMs - before;
    progress.isOver = true;
    const paid = await large;
    say(
      `beside ${connections}: the other had ${((paid * 1000) / ranMs).toFixed(0)} calls of 500 transactions a second\n`,
    );
    await this.rest();
    lines.close();
  }

  /** What was given up is sent again, as a janitor does; then the money is counted. */
  private async settle(): Promise<Found> {
    await this.rest();
    let open = 0;
    for (const again of [...this.book.open, ...this.neighbours.open]) {
      let isDone = false;
      for (let sent = 0; sent < 10 && !isDone; sent += 1) isDone = await again();
      if (!isDone) open += 1;
    }
    const { tallies, pace, wallet } = this;
    const books: [string, Book][] = [[operatorId, this.book]];
    if (this.options.operators === 2) books.push([neighbourId, this.neighbours]);
    const off: number[] = [];
    let stakesWithoutBet = 0;
    for (const [caller, book] of books) {
      const difference = await wallet.check(caller, book);
      off.push(...difference.off);
      stakesWithoutBet += difference.stakesWithoutBet;
    }
    const repeated = await wallet.repeated();
    return { pace, tallies, off, open, stakesWithoutBet, repeated };
  }
}

/** For what no table has. */
function uncounted(): Tally {
  return new Tally('', 0, 0);
}

function say(text: string): void {
  process.stderr.write(text);
}

async function main(): Promise<void> {
  const storms = readOptions(process.argv.slice(2));
  const played: [title: string, goals: readonly Goal[]][] = [];
  for (const [at, options] of storms.entries()) {
    const title = titleOf(options);
    say(`${at + 1}/${storms.length}: ${title}\n`);
    const found = await playStorm(options);
    const goals = goalsOf(found, options);
    const { repeated } = found;
    const note = repeated === null ? '' : `; the proxy sent ${repeated} calls to both`;
    const tables = [phasesTable(found), goalsTable(goals)];
    process.stdout.write(`${title}${note}\n${tables.map(asText).join('\n\n')}\n\n`);
    if (found.open > 0 || found.off.some((cents) => cents !== 0)) process.exitCode = 1;
    played.push([title, goals]);
  }
  if (played.length > 1) process.stdout.write(`${asText(worstOf(played))}\n`);
}

async function playStorm(options: StormOptions): Promise<Found> {
  const wallet = await startWallet(options, [operatorId, neighbourId].slice(0, options.operators));
  const time = new ServerTime(wallet.pids, [...wallet.otherPids, process.pid]);
  const opened: Lines[] = [];
  const startedAt = performance.now();
  try {
    const lines = await Lines.open(wallet.port, options.connections, time);
    opened.push(lines);
    const probeLine = await Lines.open(wallet.ownPort, 1, time);
    opened.push(probeLine);
    const found = await new Storm(options, wallet, time, lines, probeLine).play();
    const share = (100 * time.now()) / (performance.now() - startedAt);
    say(`the processes had a processor for ${share.toFixed(0)} % of the time\n`);
    return found;
  } finally {
    for (const each of opened) each.close();
    time.stop();
    await wallet.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : 'it failed'}\n`);
  process.exitCode = 1;
});
