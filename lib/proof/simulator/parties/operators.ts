import type { AccountStore, CashResult, PlayerKey } from '../../../operator/wallet';
import { within } from '../../../platform/within';
import type { ContractPlayers } from '../../contracts/players';
import type { Purse } from '../oracles/purse';
import { exchange } from '../ports/exchange';
import { currency, operatorId } from '../plan/names';
import type { Act } from '../plan/types';
import { Life } from '../world/life';
import type { World } from '../world/scheduler';
import type { Bank } from './bank';

type Cash = Extract<Act, { readonly reference: string }>;

const pauseMs = 200;
const answerMs = 3000;
/** Nothing takes longer than this to be done, or never to be. */
const longestMs = 20_000;

/** What is done at the desk. */
type DeskAct = Extract<Act, { readonly do: 'deposit' | 'withdraw' | 'block' }>;

/** The operator's desk: it deposits, withdraws and blocks, and repeats an order until it knows. */
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
      if (act.do !== 'deposit' && act.do !== 'withdraw' && act.do !== 'block') continue;
      this.underWay += 1;
      this.world.clock.after(act.atMs, () => {
        this.world.watch(this.play(act).finally(() => (this.underWay -= 1)));
      });
    }
  }

  private async play(act: DeskAct): Promise<void> {
    const purse = this.bank.purses[act.player];
    if (purse === undefined) return;
    const key = { operatorId, playerId: purse.playerId };
    if (act.do === 'block') {
      purse.wasBlocked ||= act.blocked;
      await (this.bank.ledger ?? this.bank.store).setBlocked(key, act.blocked);
      purse.block(act.blocked);
      return;
    }
    purse.enter();
    const { ledger, store } = this.bank;
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
    const { reference, units } = act;
    const order = { ...key, currency, amount: { units: BigInt(units) }, reference };
    // No network repeats a command whose refusal arrived; the store's refusals are not final.
    let refused: CashResult | null = null;
    const work = async (): Promise<CashResult> => {
      if (refused !== null) return refused;
      const result = this.see(await store[act.do](order), purse, act);
      if (result.kind === 'refused') refused = result;
      return result;
    };
    const asking = exchange<CashResult>({
      life: new Life(this.world, 0),
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
    purse.see(real, bonus ?? 0n, act.do === 'withdraw' && !result.replay);
    return result;
  }

  private count(purse: Purse, { do: kind, units, reference }: Cash): void {
    const name = `${purse.playerId} ${reference}`;
    const content = `${kind} ${units}`;
    const known = this.counted.get(name);
    this.counted.set(name, content);
    if (known === undefined) purse.moveCash(kind === 'deposit' ? units : -units);
    else if (known !== content) this.world.fail('one reference, one order', `${name}: ${content}`);
  }

  /** A platform's own desk, beside the ledger's port: once, and it answers. */
  private async post(
    act: Cash,
    key: PlayerKey,
    purse: Purse,
    desk: ContractPlayers,
  ): Promise<void> {
    const { reference, units } = act;
    const order = { ...key, currency, amount: { units: BigInt(units) }, reference };
    const result = await desk[act.do](order);
    if (result.kind !== 'done') return;
    const moved = act.do === 'deposit' ? units : -units;
    purse.moveCash(moved);
    const open = new AbortController().signal;
    const [account] = (await this.bank.ledger?.balances(key, open)) ?? [];
    if (account !== undefined) purse.see(account.real, account.bonus ?? 0n, false);
  }
}
