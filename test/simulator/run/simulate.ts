import { Fleet } from '../parties/fleet';
import { openBank, type Bank } from '../parties/bank';
import { HttpSide } from '../parties/http-side';
import { Operators } from '../parties/operators';
import { People } from '../parties/people';
import type { Planted } from '../parties/planted';
import { RoundPlay, type ServiceLines } from '../parties/service';
import { Readers } from '../parties/readers';
import { checkBooks } from '../oracles/books';
import { checkKept } from '../oracles/late-book';
import type { Purse } from '../oracles/purse';
import { Splits } from '../oracles/split';
import type { Account, RoundKey } from '../../../lib/operator/wallet';
import { operatorId } from '../plan/names';
import type { Plan } from '../plan/types';
import type { OpenHost } from '../ports/host';
import { drawnFaults, type Fault, listedFaults, type Point } from '../world/faults';
import { Trace } from '../world/trace';
import { type Drain, type Violation, World } from '../world/scheduler';

/** How a plan is played. */
export interface PlayOptions {
  /** The only faults; drawn by the plan's rates unless given. */
  readonly faults?: readonly Fault[];
  readonly planted?: Planted;
  /** Opens the server of a store that needs one. */
  readonly openHost?: OpenHost;
  /** `tick` unless set. */
  readonly drain?: Drain;
  /** Called at each point where something can go wrong. */
  readonly onPoint?: (point: Point) => void;
  /** Called with each line of the trace. */
  readonly onLine?: (line: string) => void;
}

/** What came of a plan. */
export interface Played {
  /** Calls that the wallets took. */
  readonly calls: number;
  readonly rounds: number;
  /** How often each kind of fault came. */
  readonly faults: ReadonlyMap<string, number>;
  /** How often other things happened: attacks, rotations. */
  readonly events: ReadonlyMap<string, number>;
  /** The faults that were drawn, or given. */
  readonly list: readonly Fault[];
  readonly hash: string;
  /** The first thing that did not hold; null if everything held. */
  readonly violation: Violation | null;
}

/** Everything is settled within this virtual time behind the last round, or never. */
const maxMs = 4 * 24 * 3_600_000;
/** Sweeps in the end, and the pause between them. */
const maxSweeps = 20;
const sweepPauseMs = 60_000;

/** Plays a plan in a world of its own. The same plan and options give the same result. */
export async function playPlan(plan: Plan, options: PlayOptions = {}): Promise<Played> {
  const { planted = {}, drain = 'tick', onLine = null } = options;
  const drawn: Fault[] = [];
  const source =
    options.faults === undefined ? drawnFaults(plan.rates, drawn) : listedFaults(options.faults);
  const end = { isNear: false };
  const world = new World(
    plan.seed,
    {
      at(random, name, place, point) {
        if (end.isNear) return null;
        options.onPoint?.({ name, place, point });
        return source.at(random, name, place, point);
      },
    },
    new Trace(onLine),
    plan.startsAt,
  );
  const bank = await openBank(world, plan, planted, options.openHost);
  const story = new Story(world, plan, bank, planted, () => (end.isNear = true));
  const telling = story.tell();
  world.watch(telling);
  const endMs = maxMs + Math.max(0, ...plan.rounds.map(({ atMs }) => atMs));
  await world.run(() => story.isOver || world.clock.monotonicMs() > endMs, drain);
  if (!story.isOver && world.violation === null) world.fail('O9', 'the world does not settle');
  if (world.violation !== null && onLine !== null) await tellRounds(world, bank, story.plays);
  return {
    calls: world.calls,
    rounds: plan.rounds.length,
    faults: world.faults,
    events: world.events,
    list: options.faults ?? drawn,
    hash: world.trace.hash,
    violation: world.violation,
  };
}

/** What happens in a world: everything that is planned with faults, then its end without. */
class Story {
  isOver = false;
  readonly plays: RoundPlay[] = [];
  private readonly fleet: Fleet;
  private readonly operators: Operators;
  readonly people: People;
  readonly readers: Readers;
  /** Null where calls come without HTTP. */
  private readonly http: HttpSide | null;
  private readonly lines: ServiceLines;

  constructor(
    private readonly world: World,
    private readonly plan: Plan,
    private readonly bank: Bank,
    planted: Planted,
    private readonly endFaults: () => void,
  ) {
    this.fleet = new Fleet(world, plan, bank, planted);
    this.operators = new Operators(world, bank);
    this.people = new People(world, plan, bank, this.plays);
    this.readers = new Readers(world, plan, bank);
    const { fleet } = this;
    this.http = plan.wire === 'http' ? new HttpSide(world, fleet) : null;
    this.lines = this.http ?? { send: (...args) => fleet.call(...args) };
  }

  async tell(): Promise<void> {
    const { world, plan, bank, lines } = this;
    this.operators.begin(plan.acts);
    this.people.begin(plan.acts);
    this.readers.begin(plan.acts);
    this.http?.begin(plan.acts);
    this.audit();
    await Promise.all(
      plan.rounds.map(async (round) => {
        const purses = bank.purses[round.player];
        if (purses === undefined) throw new Error('a round without a player');
        await world.clock.pause(round.atMs);
        const read = (played: RoundPlay) => bank.store.rounds.readRound(keyOf(played));
        const play = new RoundPlay(world, lines, round, purses, plan.retentionMs ?? null, read);
        this.plays.push(play);
        await play.play();
      }),
    );
    this.endFaults();
    await this.settle();
    await this.finish();
    for (const play of this.plays) await play.sendAllAgain();
    await this.settle();
    await this.finish();
    await this.readers.finish();
    await bank.limits?.finish();
    await checkEnd(world, plan, bank, this.plays, this);
    await this.checkBooks();
    await bank.close();
    this.isOver = true;
  }

  /** Where rounds are forgotten, the books are compared meanwhile too. */
  private audit(): void {
    const { retentionMs } = this.plan;
    if (retentionMs === undefined) return;
    for (let times = 1; times <= 6; times++) {
      this.world.clock.after((times * retentionMs) / 2, () => this.world.watch(this.checkBooks()));
    }
  }

  private async checkBooks(): Promise<void> {
    const { world, bank } = this;
    if (bank.ledger === null)
      await checkBooks(world, bank.store.players.books?.({ operatorId }) ?? []);
  }

  private get underWay(): number {
    const { fleet, operators, people, readers, http } = this;
    const own = operators.underWay + people.underWay + readers.underWay;
    return fleet.underWay + own + (http?.underWay ?? 0);
  }

  /** Until nothing is on its way any more. */
  private async settle(): Promise<void> {
    while (this.underWay > 0) {
      await this.world.clock.pause(sweepPauseMs);
    }
    await this.world.clock.pause(4 * sweepPauseMs);
  }

  /** O9: what was left pending is finished by the sweepers. */
  private async finish(): Promise<void> {
    for (let sweeps = 0; sweeps < maxSweeps; sweeps++) {
      if ((await this.bank.finish()) === 0) return;
      await this.world.clock.pause(sweepPauseMs);
    }
    this.world.fail('O9', `rounds are unfinished after ${maxSweeps} sweeps`);
  }
}

/** What must hold once nothing is due any more (O1, O4, O9). */
async function checkEnd(
  world: World,
  { policy }: Plan,
  bank: Bank,
  plays: readonly RoundPlay[],
  { people, readers }: { readonly people: People; readonly readers: Readers },
): Promise<void> {
  const splits = new Splits(world, policy);
  const stored = new Map<Purse, Account>();
  for (const { playerId, list } of bank.purses) {
    const player = { operatorId, playerId };
    const known = await bank.ledger?.balances(player, new AbortController().signal);
    const accounts = known ?? (await accountsOf(bank, playerId));
    for (const purse of list) {
      const account = accounts.find(({ currency }) => currency === purse.currency);
      if (account !== undefined) stored.set(purse, account);
      checkPurse(world, purse, Number((account?.real ?? 0n) + (account?.bonus ?? 0n)));
    }
    readers.checkPlayer(playerId, accounts);
  }
  const cancelled = new Set<string>();
  const entries = bank.listsRounds ? bank.store.lists.attention(operatorId) : [];
  for await (const entry of entries) {
    if (entry.state === 'cancelled') cancelled.add(entry.gameRound);
  }
  for (const { book } of plays) {
    if (cancelled.has(book.id)) world.fail('O9', `${book.id} is cancelled, and all is settled`);
  }
  for (const play of plays) {
    const { book } = play;
    const report = await bank.store.rounds.readRound(keyOf(play));
    people.check(play, report?.head);
    readers.checkRound(play, report, people.decisions);
    splits.add(book, book.keeping.reportOf(report));
    const isCancelled = report?.head.state === 'cancelled';
    if (isCancelled) world.fail('O9', `${book.id} is cancelled, and all is settled`);
    checkKept(world, book, report);
  }
  for (const purse of bank.purses.flatMap(({ list }) => list)) {
    const { real = 0n, bonus = 0n } = stored.get(purse) ?? {};
    splits.check(purse, real, bonus ?? 0n);
  }
}

/** O1, in what the service was answered and in the store. */
function checkPurse(world: World, { name, must, sum }: Purse, stored: number): void {
  if (sum !== must) world.fail('O1', `${name} has ${sum}, and must have ${must}`);
  if (stored !== must) world.fail('O1', `${name} has ${stored} stored, and must have ${must}`);
}

function keyOf({ book, playerId }: RoundPlay): RoundKey {
  return { operatorId, playerId, gameRound: book.id };
}

/** Tells in the trace which rounds the store has otherwise than the service, for who looks for the reason. */
async function tellRounds(world: World, { store, purseOf }: Bank, plays: readonly RoundPlay[]) {
  for (const { book, playerId } of plays) {
    const round = { operatorId, playerId, gameRound: book.id };
    const report = purseOf(round) === null ? null : await store.rounds.readRound(round);
    if (report === null) continue;
    const { debits, credits, state } = report.head;
    const stored = Number(credits.real + credits.bonus - debits.real - debits.bonus);
    const net = book.netIn(book.currency);
    if (stored === net) continue;
    world.tell([book.id, state, stored], () => {
      return `${book.id} (${state}) moved ${stored}, and must have moved ${net}`;
    });
  }
}

async function accountsOf({ store }: Bank, playerId: string) {
  const result = await store.rounds.accounts({ operatorId, playerId });
  return result.kind === 'known' ? (result.accounts ?? []) : [];
}
