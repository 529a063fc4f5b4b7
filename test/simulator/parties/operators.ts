import type {
  AccountStore,
  BlockAct,
  BlockResult,
  CashResult,
  LimitResult,
  PlayerKey,
} from '../../../lib/operator/wallet';
import { within } from '../../../lib/platform/within';
import type { ContractPlayers } from '../../../lib/proof/subject/players';
import type { ActBook, Who } from '../oracles/events/act-book';
import type { Purse } from '../oracles/purse';
import type { Purses } from '../oracles/purses';
import { exchange } from '../ports/exchange';
import { currency as usual, operatorId } from '../plan/names';
import type { Act } from '../plan/types';
import { Lifetime } from '../world/lifetime';
import type { World } from '../world/scheduler';
import type { Bank } from './bank';

type Cash = Extract<Act, { readonly reference: string }>;
type Block = Extract<Act, { readonly do: 'block' }>;
type Limit = Extract<Act, { readonly do: 'limit' }>;

const corrector = { by: { id: 'ann', name: null }, reason: 'a balance was found to be wrong' };
const pauseMs = 200;
const answerMs = 3000;
/** Nothing takes longer than this to be done, or never to be. */
const longestMs = 20_000;

const nothingMoves = { enter: () => {}, leave: () => {} };

/** What the cashier does. */
type CashierAct = Cash | Block | Limit;

/** The operator's cashier: it deposits, withdraws, corrects, blocks and limits, and repeats an order until its outcome is known. */
export class Operators {
  /** Orders that are not known to be done or refused. */
  underWay = 0;
  private readonly counted = new Map<string, string>();

  constructor(
    private readonly world: World,
    private readonly bank: Bank,
  ) {}

  /** Does all of it, each at its time. */
  begin(acts: readonly Act[]): void {
    for (const act of acts) {
      if (!isCashierAct(act)) continue;
      this.underWay += 1;
      this.world.clock.after(act.atMs, () => {
        this.world.watch(this.play(act).finally(() => (this.underWay -= 1)));
      });
    }
  }

  private async play(act: CashierAct): Promise<void> {
    const { ledger, store, purses: all } = this.bank;
    const purses = all[act.player];
    if (purses === undefined) return;
    const key = { operatorId, playerId: purses.playerId };
    if (act.do === 'limit') return this.limit(act, key);
    if (act.do === 'block') {
      if (ledger === null) return this.block(act, key, purses);
      await ledger.setBlocked(key, act.blocked);
      purses.block(act.blocked);
      return;
    }
    const purse = purses.in(act.currency ?? usual);
    if (purse === null) return;
    purse.enter();
    await (ledger === null
      ? this.order(act, key, purse, store)
      : this.post(act, key, purse, ledger));
    purse.leave();
  }

  /** Until it is known to be done: a block that comes once more, or late, is done again. */
  private async block(act: Block, key: PlayerKey, purses: Purses): Promise<void> {
    const who = whoOf(act);
    const { clock } = this.world;
    const until = act.forMs === undefined ? null : clock.now() + act.forMs;
    const order = { ...given(who), ...(until !== null && { until }) };
    const work = async (): Promise<BlockResult> => {
      const result = await this.bank.store.players.setBlocked(key, act.blocked, order);
      purses.block(act.blocked, until);
      this.bank.acts.block(key.playerId, act.blocked, until, who);
      return result;
    };
    // A block that would be over is not ordered again.
    const isOver = (): boolean => until !== null && clock.now() >= until;
    while (!isOver()) {
      const result = await this.far(key, act.do, work, nothingMoves);
      if (result?.kind === 'done') return;
      await this.world.clock.pause(pauseMs);
    }
  }

  /** Until it is done or refused; an attempt in doubt may still be done. */
  private async limit(act: Limit, key: PlayerKey): Promise<void> {
    const { kind, window, units, currency = usual, zone, counts } = act;
    const { acts, limits, store } = this.bank;
    const amount = units === null ? null : BigInt(units);
    const terms = { kind, window, currency, ...(zone && { zone }), ...(counts && { counts }) };
    const order = { ...terms, amount: amount === null ? null : { units: amount } };
    const who = whoOf(act);
    const setLimit = store.players.setLimit?.bind(store.players);
    if (setLimit === undefined) throw new Error('the store has no limits');
    const work = async (): Promise<LimitResult> => {
      const result = await setLimit(key, order, given(who));
      const set = (await limits?.limit(key, { ...terms, amount }, result)) ?? null;
      if (set !== null) acts.limit(key.playerId, set, who);
      return result;
    };
    while ((await this.far(key, act.do, work, nothingMoves)) === null) {
      await this.world.clock.pause(pauseMs);
    }
  }

  /** An order with a reference moves once, however often it comes. */
  private async order(act: Cash, key: PlayerKey, purse: Purse, store: AccountStore): Promise<void> {
    for (let isInDoubt = false; ; ) {
      const result = await this.ask(act, key, purse, store);
      if (result?.kind === 'done') return this.count(purse, act);
      if (result?.kind === 'refused' && !isInDoubt) return;
      // A refusal is not final: an attempt in doubt may still be done.
      const isRefused = result?.kind === 'refused';
      await this.world.clock.pause(isRefused ? longestMs : pauseMs);
      isInDoubt = !isRefused;
    }
  }

  /** One attempt; null for no answer in time. */
  private ask(
    act: Cash,
    key: PlayerKey,
    purse: Purse,
    store: AccountStore,
  ): Promise<CashResult | null> {
    // No network repeats a command whose refusal arrived; the store's refusals are not final.
    let refused: CashResult | null = null;
    const work = async (): Promise<CashResult> => {
      if (refused !== null) return refused;
      const result = this.see(await give(store, key, act), purse, act);
      if (result.kind === 'refused') refused = result;
      if (result.kind === 'done') this.bank.acts.cash(key.playerId, movedBy(act));
      if (act.do === 'deposit') {
        const deposit = { currency: purse.currency, units: BigInt(act.units) };
        await this.bank.limits?.deposit(key, deposit, result);
      }
      return result;
    };
    return this.far(key, act.do, work, {
      enter: () => purse.enter(),
      leave: () => purse.leave(),
    });
  }

  /** Asks the store over a line where something may go wrong; null for no answer in time. */
  private far<T>(
    key: PlayerKey,
    what: string,
    work: () => Promise<T>,
    way: { readonly enter: () => void; readonly leave: () => void },
  ): Promise<T | null> {
    const asking = exchange<T | null>({
      lifetime: new Lifetime(this.world, 0),
      name: key.playerId,
      what,
      work,
      keepsMoney: true,
      unknown: () => null,
      ...way,
    });
    return within(this.world.clock, answerMs, asking, { late: () => null }).catch(() => null);
  }

  private see(result: CashResult, purse: Purse, act: Cash): CashResult {
    if (result.kind !== 'done') return result;
    const { real, bonus } = result.account;
    const isTaken = act.do === 'withdraw' || (act.do === 'correct' && act.units < 0);
    purse.see(real, bonus ?? 0n, isTaken && !result.replay);
    return result;
  }

  private count(purse: Purse, act: Cash): void {
    const { do: kind, units, reference } = act;
    const balance = act.do === 'correct' ? act.balance : 'real';
    const name = `${purse.playerId} ${reference}`;
    const content = `${kind} ${units} ${purse.currency} ${balance}`;
    const known = this.counted.get(name);
    this.counted.set(name, content);
    if (known === undefined) {
      purse.moveCash(kind === 'withdraw' ? -units : units, balance);
      if (kind === 'correct') this.world.count(`correction of ${balance} money`);
    }
    if ((known ?? content) !== content)
      this.world.fail('one reference, one order', `${name}: ${content}`);
  }

  /** At a platform with a ledger: beside the ledger's port, once, and it answers. */
  private async post(
    act: Cash,
    key: PlayerKey,
    purse: Purse,
    desk: ContractPlayers,
  ): Promise<void> {
    if (act.do === 'correct') return;
    const { units } = act;
    const result = await desk[act.do](orderOf(key, act));
    if (result.kind !== 'done') return;
    const moved = act.do === 'deposit' ? units : -units;
    purse.moveCash(moved);
    const open = new AbortController().signal;
    const accounts = (await this.bank.ledger?.balances(key, open)) ?? [];
    const account = accounts.find(({ currency }) => currency === purse.currency);
    if (account !== undefined) purse.see(account.real, account.bonus ?? 0n, false);
  }
}

function isCashierAct(act: Act): act is CashierAct {
  return ['deposit', 'withdraw', 'correct', 'block', 'limit'].includes(act.do);
}

async function give(store: AccountStore, key: PlayerKey, act: Cash): Promise<CashResult> {
  const order = orderOf(key, act);
  if (act.do !== 'correct') return store.players[act.do]({ ...order, ...given(whoOf(act)) });
  if (store.players.correct === undefined) return { kind: 'refused', reason: 'noPlayer' };
  const { balance } = act;
  return store.players.correct({ ...order, balance, ...corrector });
}

/** Who does an act, and why: of three, a program, a person, and one with a name and a reason. */
function whoOf({ atMs }: CashierAct): Who {
  if (atMs % 3 === 0) return { by: null, reason: null };
  if (atMs % 3 === 1) return { by: { id: 'bob', name: null }, reason: null };
  return { by: { id: 'cleo', name: 'Cleo "C" Ö.' }, reason: `ticket ${atMs}` };
}

function given({ by, reason }: Who): BlockAct {
  return { ...(by && { by }), ...(reason !== null && { reason }) };
}

/** What an act moves, as its event must tell it. */
function movedBy(act: Cash): Parameters<ActBook['cash']>[1] {
  const { reference, currency = usual, units } = act;
  const shared = { reference, currency, real: 0, bonus: 0 };
  if (act.do === 'correct') {
    return { kind: 'correction', ...shared, [act.balance]: units, ...corrector };
  }
  const kind = act.do === 'deposit' ? 'deposit' : 'withdrawal';
  return { kind, ...shared, real: act.do === 'deposit' ? units : -units, ...whoOf(act) };
}

function orderOf(key: PlayerKey, { currency = usual, units, reference }: Cash) {
  return { ...key, currency, amount: { units: BigInt(units) }, reference };
}
