import { within } from '../../../lib/platform/within';
import { Followed } from '../oracles/events/followed';
import { RoundTrail } from '../oracles/events/round-trail';
import { consumersOf } from '../plan/consumers';
import { operatorId } from '../plan/names';
import type { Account, RoundReport } from '../../../lib/operator/wallet';
import type { Act, Plan } from '../plan/types';
import type { ReadPage } from '../ports/events';
import { Lifetime } from '../world/lifetime';
import type { World } from '../world/scheduler';
import type { Bank } from './bank';
import type { Decisions } from './people';
import type { RoundPlay } from './service';

type Read = Extract<Act, { readonly do: 'read' }>;

/** Milliseconds until a reader gives up what had no answer. */
const answerMs = 5000;
/** Everything is read within fewer pages, at the end. */
const maxPages = 100_000;

function notRead(): boolean {
  return false;
}

/** Who follows the events (O12): of each consumer one reader at a time, which may die with a page that it read. */
export class Readers {
  /** Visits that are not over. */
  underWay = 0;
  /** What each consumer has seen. */
  readonly followed: readonly Followed[];
  private readonly options;
  private readonly queues = new Map<string, Promise<void>>();

  constructor(
    private readonly world: World,
    plan: Plan,
    private readonly bank: Bank,
  ) {
    const { retentionMs = null } = plan;
    const { decimals } = bank.store;
    this.options = { decimals, keepsAccounts: bank.ledger === null, retentionMs };
    this.followed = consumersOf(plan).map((name) => new Followed(world, { name, ...this.options }));
  }

  /** Has a reader come at each of these times. */
  begin(acts: readonly Act[]): void {
    for (const act of acts) {
      const followed = act.do === 'read' ? this.followed[act.consumer] : undefined;
      if (act.do !== 'read' || followed === undefined) continue;
      this.underWay += 1;
      this.world.clock.after(act.atMs, () => {
        const { name } = followed;
        const visit = (this.queues.get(name) ?? Promise.resolve())
          .then(() => this.visit(followed, act))
          .finally(() => (this.underWay -= 1));
        this.queues.set(name, visit);
        this.world.watch(visit);
      });
    }
  }

  /** Reads everything that is left, once nothing goes wrong any more. */
  async finish(): Promise<void> {
    for (const followed of this.followed) {
      const read = this.bank.pages(new Lifetime(this.world, 0));
      for (let pages = 0; await this.readPage(read, followed, 1000, false); pages++) {
        if (this.world.violation !== null) return;
        if (pages > maxPages) this.world.fail('O12', `${followed.name} comes to no end`);
      }
    }
    for (const { consumer, waiting } of (await this.bank.store.events?.lag(operatorId)) ?? []) {
      if (waiting > 0) this.world.fail('O12', `${consumer} has read all, and ${waiting} wait`);
    }
  }

  /** At the end: the acts of a player, and the accounts. */
  checkPlayer(playerId: string, accounts: readonly Account[]): void {
    for (const followed of this.followed) {
      followed.checkAccounts(playerId, accounts);
      if (this.bank.ledger === null) this.bank.acts.check(this.world, followed, playerId);
    }
  }

  /** At the end: a round, and what people were told that they have done to it. */
  checkRound({ book, playerId }: RoundPlay, report: RoundReport | null, all: Decisions): void {
    for (const followed of this.followed) {
      const { name } = followed;
      const trail = followed.trailOf(playerId, book.id) ?? new RoundTrail(this.options);
      const wrong = trail.differenceFrom(report, (currency) => book.netIn(currency));
      if (wrong !== null) this.world.fail('O12', `${name}: ${book.id} ${wrong}`);
      for (const { id, status, by } of all.get(book.id) ?? []) {
        if (trail.hasRepair(id, status, by)) continue;
        this.world.fail('O12', `${name}: ${book.id} has no ${status} of ${id} by ${by}`);
      }
    }
  }

  private async visit(followed: Followed, { atMost, pages, dies }: Read): Promise<void> {
    const lifetime = new Lifetime(this.world, 0);
    const died = new Promise<false>((resolve) => void lifetime.onEnd(() => resolve(false)));
    const read = this.bank.pages(lifetime);
    for (let page = 1; page <= pages; page++) {
      const isLost = dies && page === pages;
      const asking = Promise.race([this.readPage(read, followed, atMost, isLost), died]);
      if (!(await within(this.world.clock, answerMs, asking, { late: notRead }).catch(notRead)))
        break;
    }
    lifetime.end();
  }

  /** Whether a page was read. @throws what the store does not know. */
  private async readPage(
    read: ReadPage,
    followed: Followed,
    atMost: number,
    isLost: boolean,
  ): Promise<boolean> {
    const turn = followed.begin();
    const page = await read({ consumer: followed.name, operatorId, atMost });
    if (page === null) return false;
    followed.see(page.events, turn);
    this.world.count(isLost ? 'events: a page read and lost' : 'events: a page');
    if (isLost) return false;
    // Where somebody had acknowledged some of them, the others may come again.
    if (await page.done()) followed.acknowledge(page.events);
    return true;
  }
}
