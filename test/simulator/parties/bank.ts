import {
  createLedgerStore,
  type LedgerStore,
  startSweeper,
  type Sweeper,
} from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { AccountStore, Ledger, WalletStore } from '../../../lib/operator/wallet';
import { createSeededRandom } from '../../../lib/platform';
import {
  createMemoryLedger,
  type MemoryLedger,
} from '../../../lib/proof/contracts/ledger/in-memory';
import { ActBook } from '../oracles/events/act-book';
import { LimitWatch } from '../oracles/limits/limit-watch';
import { Purse } from '../oracles/purse';
import { Purses } from '../oracles/purses';
import { farPages, nextPage, type ReadPage } from '../ports/events';
import {
  farCommands,
  type Host,
  type HostConnection,
  nearCommands,
  type OpenHost,
} from '../ports/host';
import { farLedger } from '../ports/ledger';
import { farStore, type Look, type PurseOf } from '../ports/store';
import { consumersOf } from '../plan/consumers';
import { currency as usual, operatorId } from '../plan/names';
import type { Act, Plan, PlayerPlan } from '../plan/types';
import type { Lifetime } from '../world/lifetime';
import type { World } from '../world/scheduler';
import type { Planted } from './planted';

/** Where the rounds and the money are, behind all processes: what outlives them. */
export interface Bank {
  /** By the place of the player in the plan. */
  readonly purses: readonly Purses[];
  readonly store: AccountStore;
  /** Whether a list of rounds costs little; over a model of Redis it takes a thousand commands. */
  readonly listsRounds: boolean;
  /** Null where the store keeps the money itself. */
  readonly ledger: MemoryLedger | null;
  readonly purseOf: PurseOf;
  /** What was done to players outside the rounds. */
  readonly acts: ActBook;
  /** Holds limits and blocks that end; null in a world without them. */
  readonly limits: LimitWatch | null;
  /** The store as a new process of the wallet has it. */
  open(lifetime: Lifetime): WalletStore;
  /** The events as a process of a consumer reads them. */
  pages(lifetime: Lifetime): ReadPage;
  /** Finishes what a process left pending; 0 rounds are left where nothing is. */
  finish(): Promise<number>;
  close(): Promise<void>;
}

const units = (amount: number) => ({ units: BigInt(amount) });

/** Opens the store of a world, with the accounts of all players. */
export async function openBank(
  world: World,
  plan: Plan,
  planted: Planted,
  openHost: OpenHost | null = null,
): Promise<Bank> {
  const host = await hostOf(plan, world, openHost);
  const near = host?.connect({
    clock: world.clock,
    random: createSeededRandom(plan.seed),
    carry: nearCommands,
    ...keepingOf(plan),
  });
  await near?.ready();
  const memory = near ?? createMemoryStore({ clock: world.clock, decimals: 0, ...keepingOf(plan) });
  const store = planted.store?.(memory, world) ?? memory;
  const ledger = plan.store === 'ledger' ? createMemoryLedger() : null;
  const purses = plan.players.map((player, at) => {
    const list = accountsOf(player).map(({ currency, real, bonus }) => {
      return new Purse(world, `p${at}`, currency, { real, bonus: bonus ?? 0 });
    });
    return new Purses(`p${at}`, list);
  });
  const byId = new Map(purses.map((purse) => [purse.playerId, purse]));
  // A player of another operator has a purse of its own, which nobody watches.
  const purseOf: PurseOf = (player) =>
    player.operatorId === operatorId ? (byId.get(player.playerId) ?? null) : null;
  const acts = await openAccounts(plan, { memory, ledger, purses });
  const limited = purses.filter((_, at) => plan.acts.some((act) => isLimiting(act, at)));
  const limits = limited.length > 0 ? new LimitWatch(world, store, limited, host === null) : null;
  const look: Look = async (round) => limits?.round(round);
  const sweepers = new Set<Sweeper>();
  const ledgerStore = (lifetime: Lifetime, far: Ledger): LedgerStore =>
    createLedgerStore({
      ledger: far,
      journal: farStore(store, lifetime, null),
      clock: lifetime.clock,
      random: createSeededRandom(plan.seed),
    });
  const asked = ledger === null ? null : (planted.ledger?.(ledger, world) ?? ledger);
  return {
    purses,
    store,
    listsRounds: host === null || host.listsRounds === true,
    ledger,
    purseOf,
    acts,
    limits,
    pages(lifetime) {
      const carry = farCommands(lifetime, store, purseOf);
      const random = createSeededRandom(plan.seed);
      const ports = { clock: lifetime.clock, random, carry };
      const { events } = host?.connect({ ...ports, ...keepingOf(plan) }) ?? store;
      if (events === undefined) throw new Error('the store has no events');
      if (host === null) return farPages(events, lifetime);
      return (request) => nextPage(events, request);
    },
    open(lifetime) {
      if (host !== null) {
        const carry = farCommands(lifetime, store, purseOf, look);
        const random = createSeededRandom(plan.seed);
        return host.connect({ clock: lifetime.clock, random, carry, ...keepingOf(plan) });
      }
      if (asked === null) return farStore(store, lifetime, purseOf, look);
      const own = ledgerStore(lifetime, farLedger(asked, lifetime, purseOf));
      const random = createSeededRandom(plan.seed);
      const operatorIds = [operatorId];
      const sweeper = startSweeper({ store: own, operatorIds, clock: lifetime.clock, random });
      sweepers.add(sweeper);
      lifetime.onEnd(() => sweepers.delete(sweeper));
      return own;
    },
    async finish() {
      // Nothing is ever pending there.
      if (host !== null) return 0;
      for (const sweeper of sweepers) await sweeper.sweep();
      let left = 0;
      for await (const _ of store.lists.unfinished(operatorId)) left += 1;
      return left;
    },
    async close() {
      for (const sweeper of sweepers) await sweeper.stop();
      await host?.close();
    },
  };
}

/** Opens the accounts of all players. */
async function openAccounts(
  plan: Plan,
  bank: {
    readonly memory: AccountStore;
    readonly ledger: MemoryLedger | null;
    readonly purses: readonly Purses[];
  },
): Promise<ActBook> {
  const { memory, ledger, purses } = bank;
  const acts = new ActBook();
  for (const [at, player] of plan.players.entries()) {
    const playerId = `p${at}`;
    for (const { currency, real, bonus } of accountsOf(player)) {
      const balances = { real: units(real), ...(bonus === null ? {} : { bonus: units(bonus) }) };
      const by = at % 2 === 0 ? { id: 'olga', name: 'Olga' } : null;
      const who = by === null ? {} : { by, reason: `a new player ${at}` };
      await (ledger ?? memory.players).openPlayer({
        operatorId,
        playerId,
        currency,
        balances,
        ...who,
      });
      const opening = {
        kind: 'opening',
        reference: null,
        currency,
        real,
        bonus: bonus ?? 0,
      } as const;
      acts.cash(playerId, { ...opening, by, reason: who.reason ?? null });
      purses[at]?.in(currency)?.see(BigInt(real), BigInt(bonus ?? 0), false);
    }
  }
  return acts;
}

/** Whether an act sets a limit of this player, or a block that ends (D13). */
function isLimiting(act: Act, player: number): boolean {
  const isOne = act.do === 'limit' || (act.do === 'block' && act.forMs !== undefined);
  return isOne && act.player === player;
}

function accountsOf({ real, bonus, second }: PlayerPlan) {
  return [{ currency: usual, real, bonus }, ...(second === undefined ? [] : [second])];
}

function keepingOf(plan: Plan): Pick<HostConnection, 'retentionMs' | 'events'> {
  const { retentionMs } = plan;
  return { events: consumersOf(plan), ...(retentionMs === undefined ? {} : { retentionMs }) };
}

function hostOf({ store }: Plan, { clock }: World, open: OpenHost | null): Promise<Host> | null {
  if (store === 'memory' || store === 'ledger') return null;
  if (open === null) throw new TypeError(`the store ${store} needs the option openHost`);
  return open(clock);
}
