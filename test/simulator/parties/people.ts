import type { HashEntry, Repair, RoundHead } from '../../../lib/operator/gameround';
import type { RepairOrder } from '../../../lib/operator/gameround/repairs/order';
import { approveRepair, rejectRepair } from '../../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../../lib/operator/operations/repairs/propose';
import type { RoundKey, WalletStore } from '../../../lib/operator/wallet';
import { createSeededRandom } from '../../../lib/platform';
import { operatorId } from '../plan/names';
import type { Act, Plan } from '../plan/types';
import { Lifetime } from '../world/lifetime';
import type { World } from '../world/scheduler';
import type { Bank } from './bank';
import type { RoundPlay } from './service';

/** Somebody looks at a round that waits for a person. */
type Visit = Extract<Act, { readonly do: 'repair' }>;

/** What a person gets of the operation that was asked for. */
interface Answered {
  readonly kind: string;
  readonly reason?: string;
  readonly repair?: Repair;
  readonly replay?: boolean;
}

/** What people were told that they have done to rounds: by gameRound, the status of a repair, and whose it is. */
export type Decisions = ReadonlyMap<
  string,
  readonly { readonly id: string; readonly status: string; readonly by: string }[]
>;

/** An operation on the store of the tool that people work with. */
type Operation = (store: WalletStore, lifetime: Lifetime) => Promise<Answered>;

const reason = 'the player has asked for it';
/** Milliseconds until somebody tries again what had no answer. */
const againMs = 700;
/** Everything is decided after fewer. */
const maxAttempts = 60;

/** People who repair rounds (D11), while the service goes on: they propose, approve, reject and void. */
export class People {
  /** Visits that are not over. */
  underWay = 0;
  readonly decisions = new Map<string, { id: string; status: string; by: string }[]>();
  private tool: { readonly lifetime: Lifetime; readonly store: WalletStore } | null = null;
  private number = 0;

  constructor(
    private readonly world: World,
    private readonly plan: Plan,
    private readonly bank: Bank,
    private readonly plays: readonly RoundPlay[],
  ) {}

  /** Has somebody come at each of these times. */
  begin(acts: readonly Act[]): void {
    for (const act of acts) {
      if (act.do !== 'repair') continue;
      this.underWay += 1;
      this.world.clock.after(act.atMs, () => {
        this.world.watch(this.visit(act).finally(() => (this.underWay -= 1)));
      });
    }
  }

  /** What must be known of repairs once nothing is due any more (D11.2). */
  check(play: RoundPlay, head: RoundHead | undefined): void {
    const list = head?.repairs?.list ?? [];
    const made = list.filter(({ status }) => status === 'done' || status === 'takenBack');
    const { ids } = play.book.repairs;
    const isRight = made.length === ids.size && made.every(({ id }) => ids.has(id));
    if (!isRight || list.some(({ status }) => status === 'paying')) {
      const stored = list.map(({ kind, status }) => `${kind} ${status}`).join(', ');
      this.world.fail(
        'D11.2',
        `${play.book.id}: ${ids.size} repairs were made, and it has ${stored}`,
      );
    }
  }

  private async visit(act: Visit): Promise<void> {
    const play = await this.choose(act.pick);
    if (play === null) return;
    const round = { operatorId, playerId: play.playerId, gameRound: play.book.id };
    play.book.repairs.isTouched = true;
    const order = await this.orderOf(round, act);
    const id = await this.propose(round, order, `person ${act.pick % 3}`);
    if (id === null) return;
    await this.world.clock.pause(act.pauseMs);
    await this.decide(play, round, id, act);
  }

  /** One of the rounds that are listed for a person; over a server, whose list costs much, one that the service gave up. */
  private async choose(pick: number): Promise<RoundPlay | null> {
    const { plays, bank } = this;
    const waiting = new Set<string>();
    const listed = bank.listsRounds ? bank.store.lists.attention(operatorId) : [];
    for await (const { gameRound } of listed) waiting.add(gameRound);
    const among = plays.filter(({ book }) => {
      if (pick % 5 === 0 && book.repairs.ids.size > 0) return true;
      return bank.listsRounds ? waiting.has(book.id) : book.stuck !== null;
    });
    return among[pick % Math.max(1, among.length)] ?? null;
  }

  /** What is to be done; mostly something that the round allows. */
  private async orderOf(round: RoundKey, { kind, pick }: Visit): Promise<RepairOrder> {
    if (kind === 'resolve') return { kind, reason, reference: `ticket ${pick}` };
    const report = await this.bank.store.rounds.readRound(round);
    const hashes = hashesFor(
      pick % 7 === 0 ? 'any' : kind,
      report?.entries ?? new Map<string, HashEntry>(),
    );
    const hash = hashes[pick % Math.max(1, hashes.length)];
    return hash === undefined || pick % 4 === 0 ? { kind, reason } : { kind, reason, hash };
  }

  /** The id of the proposal, or of the one that is open already; null if nothing can be proposed. */
  private async propose(round: RoundKey, order: RepairOrder, by: string): Promise<string | null> {
    const answer = await this.untilKnown((store, lifetime) => {
      return proposeRepair(round, order, person(by), this.optionsOf(store, lifetime));
    });
    this.tell(round, `${order.kind} ${order.hash ?? ''} by ${by}`, answer);
    if (answer.repair !== undefined) {
      this.note(round, answer.repair.id, 'proposed', by);
      return answer.repair.id;
    }
    if (answer.reason !== 'alreadyProposed') return null;
    const { head } = (await this.bank.store.rounds.readRound(round)) ?? {};
    return head?.repairs?.list.findLast(({ status }) => status === 'proposed')?.id ?? null;
  }

  private async decide(play: RoundPlay, round: RoundKey, id: string, act: Visit): Promise<void> {
    const { head } = (await this.bank.store.rounds.readRound(round)) ?? {};
    const repair = head?.repairs?.list.find((one) => one.id === id);
    if (repair === undefined) return;
    const proposer = repair.proposedBy.id;
    const others = [0, 1, 2].map((n) => `person ${n}`).filter((name) => name !== proposer);
    const [one = '', two = ''] = others;
    if (act.way === 'leave') return;
    if (act.way === 'reject') return this.reject(round, id, act.pick % 2 === 0 ? one : proposer);
    if (act.way === 'own') return this.approve(play, round, repair, proposer);
    const approving = [this.approve(play, round, repair, one)];
    if (act.way === 'byTwo') approving.push(this.approve(play, round, repair, two));
    await Promise.all(approving);
    if (act.way === 'twice') await this.approve(play, round, repair, two);
  }

  /** Until it is known whether the repair is made: meanwhile nobody says what must be in the purse. */
  private async approve(
    { book, playerId }: RoundPlay,
    round: RoundKey,
    { id, kind, hash, amount, currency, proposedBy }: Repair,
    by: string,
  ): Promise<void> {
    const purse = this.bank.purseOf({ operatorId, playerId });
    purse?.enter();
    const begun = book.repairs.begin(kind, hash);
    let maker = by;
    const answer = await this.untilKnown((store, lifetime) => {
      maker = `${by} at ${lifetime.clock.now()}`;
      return approveRepair(round, id, person(by), this.optionsOf(store, lifetime));
    });
    this.tell(round, `approval by ${by}`, answer);
    if (answer.kind === 'made') {
      if (answer.replay === false) this.note(round, id, 'done', by);
      if (by === proposedBy.id && answer.replay === false)
        this.fail(round, `${by} has approved an own proposal`);
      const made = { kind, hash, amount: Number(amount), maker };
      if (!book.makeRepair(id, made, begun, answer.replay === true)) {
        this.fail(round, `the repair ${id} is made twice`);
      }
      const isStranger = kind === 'pay' && currency !== book.currency;
      if (isStranger) this.world.count('repair: paid in another currency');
    }
    book.repairs.end(kind, hash);
    purse?.leave();
  }

  private async reject(round: RoundKey, id: string, by: string): Promise<void> {
    const answer = await this.untilKnown((store, lifetime) => {
      return rejectRepair(round, id, person(by), reason, this.optionsOf(store, lifetime));
    });
    this.tell(round, `rejection by ${by}`, answer);
    // Who rejects what was rejected is told the same, and has not done it.
    if (answer.repair?.decidedBy?.id === by) this.note(round, id, 'rejected', by);
  }

  /** Again and again, also where the tool died meanwhile. */
  private async untilKnown(work: Operation): Promise<Answered> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { lifetime, store } = this.toolNow();
      const died = new Promise<null>((resolve) => void lifetime.onEnd(() => resolve(null)));
      const answer = await Promise.race([work(store, lifetime), died]);
      if (answer !== null && answer.kind !== 'unknown') return answer;
      await this.world.clock.pause(againMs);
    }
    this.world.fail('O9', `a repair is in doubt after ${maxAttempts} attempts`);
    return { kind: 'unknown' };
  }

  private note({ gameRound }: RoundKey, id: string, status: string, by: string): void {
    const known = this.decisions.get(gameRound) ?? [];
    this.decisions.set(gameRound, [...known, { id, status, by }]);
  }

  private toolNow() {
    if (this.tool?.lifetime.isAlive) return this.tool;
    const lifetime = new Lifetime(this.world, 0);
    this.tool = { lifetime, store: this.bank.open(lifetime) };
    return this.tool;
  }

  private optionsOf(store: WalletStore, { clock }: Lifetime) {
    const random = createSeededRandom(this.plan.seed * 31 + ++this.number);
    return { store, creditTo: this.plan.policy.creditTo, deadlineMs: 4000, clock, random };
  }

  private tell(
    { gameRound }: RoundKey,
    what: string,
    { kind, reason: why, repair }: Answered,
  ): void {
    this.world.count(`repair: ${what.split(' ')[0]} ${why ?? kind}`);
    this.world.tell([gameRound, what, kind, why ?? repair?.status ?? ''], () => {
      return `${gameRound} repair: ${what}: ${kind} ${why ?? repair?.status ?? ''}`;
    });
  }

  private fail({ gameRound }: RoundKey, text: string): void {
    this.world.fail('D11.2', `${gameRound}: ${text}`);
  }
}

function person(id: string) {
  return { id, name: null };
}

/** Hashes of refused credits, of debits, or all of them. */
function hashesFor(
  kind: 'pay' | 'void' | 'any',
  entries: ReadonlyMap<string, HashEntry>,
): string[] {
  return [...entries].flatMap(([hash, { transaction }]) => {
    if (transaction === undefined) return [];
    const { type, outcome } = transaction;
    if (kind === 'any') return [hash];
    if (kind === 'void') return type === 'debit' ? [hash] : [];
    return type === 'credit' && outcome !== 'accepted' ? [hash] : [];
  });
}
