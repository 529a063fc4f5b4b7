import type { AccountStore, CashResult, PlayerKey } from '../../../lib/operator/wallet';
import { within } from '../../../lib/platform/within';
import type { ContractPlayers } from '../../../lib/proof/subject/players';
import type { Purse } from '../oracles/purse';
import { exchange } from '../ports/exchange';
import { currency as usual, operatorId } from '../plan/names';
import type { Act } from '../plan/types';
import { Lifetime } from '../world/lifetime';
import type { World } from '../world/scheduler';
import type { Bank } from './bank';

type Cash = Extract<Act, { readonly reference: string }>;

const whyCorrected = 'a balance was found to be wrong';
const pauseMs = 200;
const answerMs = 3000;
/** Nothing takes longer than this to be done, or never to be. */
const longestMs = 20_000;

/** What the cashier does. */
type CashierAct = Extract<Act, { readonly do: 'deposit' | 'withdraw' | 'correct' | 'block' }>;

/** The operator's cashier: it deposits, withdraws, corrects and blocks, and repeats an order until its outcome is known. */
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
    if (act.do === 'block') {
      purses.willBlock(act.blocked);
      await (ledger ?? store.players).setBlocked(key, act.blocked);
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
      return result;
    };
    const asking = exchange<CashResult>({
      lifetime: new Lifetime(this.world, 0),
      name: key.playerId,
      what: act.do,
      work,
      keepsMoney: true,
      unknown: () => ({ kind: 'unknown', cause: new Error('The store is silent.') }),
      enter: () => purse.enter(),
      leave: () => purse.leave(),
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
  return ['deposit', 'withdraw', 'correct', 'block'].includes(act.do);
}

async function give(store: AccountStore, key: PlayerKey, act: Cash): Promise<CashResult> {
  const order = orderOf(key, act);
  if (act.do !== 'correct') return store.players[act.do](order);
  if (store.players.correct === undefined) return { kind: 'refused', reason: 'noPlayer' };
  const { balance } = act;
  return store.players.correct({
    ...order,
    balance,
    by: { id: 'ann', name: null },
    reason: whyCorrected,
  });
}

function orderOf(key: PlayerKey, { currency = usual, units, reference }: Cash) {
  return { ...key, currency, amount: { units: BigInt(units) }, reference };
}
