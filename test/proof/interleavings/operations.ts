import { unsignedDelivery } from '../../../lib/operator/gameround';
import { approveRepair, rejectRepair } from '../../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../../lib/operator/operations/repairs/propose';
import {
  cancelRound,
  doTransactions,
  type PlayerKey,
  type RoundKey,
  type Unknown,
  type WalletStore,
} from '../../../lib/operator/wallet';
import { createSeededRandom } from '../../../lib/platform';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { clock, type Database, type Session, template } from './database';
import { hasBonus, type Variant } from './variants';

/** Which of two sessions does it: their deliveries, and their people, are not the same. */
export type Role = 'A' | 'B';

/** What a session does to a player, in one statement. */
export interface Act {
  (session: Session, player: PlayerKey): Promise<unknown>;
  /** What it may answer instead, where it may leave what it does to a next statement. */
  readonly instead?: Act;
}

/** An operation of the store, as each of two sessions does it. */
export interface Operation {
  readonly name: string;
  readonly acts: Readonly<Record<Role, Act>>;
}

const debit = (hash: string, amount: bigint, first = false): Transaction => {
  return {
    type: 'debit',
    hash,
    currency: 'EUR',
    amount,
    discount: 0n,
    isFirstDebit: first,
    serial: null,
  };
};
const credit = (hash: string, amount: bigint, currency = 'EUR'): Transaction => {
  return { type: 'credit', hash, currency, amount, serial: null };
};
const end: Transaction = { type: 'end', hash: 'e' };
const takeBack = (hash: string): Transaction => ({
  type: 'void',
  hash,
  amount: null,
  currency: null,
});

const writes: readonly (readonly [string, string, readonly Transaction[]])[] = [
  ['a new round', 'r1', [debit('r1', 10n, true)]],
  ['another new round', 'r2', [debit('r2', 10n, true)]],
  ['a round in one call', 'r3', [debit('r3', 10n, true), credit('c', 5n), end]],
  ['a follow-up debit', 'old', [debit('d2', 7n)]],
  ['a follow-up debit, its credit and the end', 'old', [debit('d3', 5n), credit('c3', 9n), end]],
  ['a credit and the end', 'old', [credit('c2', 7n), end]],
  ['an end', 'old', [end]],
  ['the void of a first debit', 'old', [takeBack('old')]],
  ['the void of a debit to come', 'r1', [takeBack('r1')]],
  ['a first call again', 'old', [debit('old', 10n, true)]],
  ['a new round in the place of an expired one', 'gone', [debit('gone', 2n, true)]],
  ['the void of a round with money in two currencies', 'paid', [takeBack('paid')]],
];

const cash = { currency: 'EUR', reference: 'c1' } as const;

/** Operations on cash, players and reads, where the store keeps the accounts. */
const ofAccounts: readonly (readonly [string, Act])[] = [
  ['a deposit', (s, p) => s.accounts!.players.deposit({ ...p, ...cash, amount: { units: 5n } })],
  [
    'a deposit with the reference of another',
    (s, p) =>
      s.accounts!.players.deposit({ ...p, ...cash, currency: 'USD', amount: { units: 5n } }),
  ],
  [
    'a withdrawal',
    (s, p) =>
      s.accounts!.players.withdraw({ ...p, ...cash, reference: 'w1', amount: { units: 10n } }),
  ],
  ['a block', (s, p) => s.accounts!.players.setBlocked(p, true)],
  [
    'a new account',
    (s, p) =>
      s.accounts!.players.openPlayer({ ...p, currency: 'SEK', balances: { real: { units: 1n } } }),
  ],
  [
    'the books',
    async (s, { operatorId }) => {
      const books: unknown[] = [];
      for await (const one of s.accounts!.players.books!({ operatorId })) books.push(one);
      return books;
    },
  ],
];

/** A platform repeats what PostgreSQL ended as a deadlock (docs/own-tables.md). */
async function blockInOwnTables(session: Session, player: PlayerKey): Promise<void> {
  try {
    await session.platform!.setBlocked(player, true);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== '40P01') throw error;
    await blockInOwnTables(session, player);
  }
}

/** The same where the platform does them in its own tables. */
const ofPlatform: readonly (readonly [string, Act])[] = [
  ['a deposit', (s, p) => s.platform!.deposit({ ...p, ...cash, amount: { units: 5n } })],
  ['a withdrawal', (s, p) => s.platform!.withdraw({ ...p, ...cash, amount: { units: 10n } })],
  ['a block', blockInOwnTables],
];

/** A round that another has in hand is left for the next time. */
const clean: Act = Object.assign(
  ({ ask }: Session) => ask('SELECT line[1] FROM rgs_wallet.forget_expired(100, NULL) AS line'),
  { instead: async () => [['0']] },
);

const ofBoth: readonly (readonly [string, Act])[] = [
  ['the retention cleaner', clean],
  [
    'a load',
    (s, p) => s.store.rounds.load({ ...p, gameRound: 'old' }, ['old', 'd2', 'd3', 'c2', 'e']),
  ],
];

/** Writes the template's rows, and works out what each operation sends for a player with such rows. */
export async function prepare(database: Database, session: Session): Promise<readonly Operation[]> {
  const { variant } = database;
  const repair = await writeTemplate(session, variant);
  const operations: Operation[] = [];
  const add = async (name: string, make: (role: Role) => Promise<Act> | Act): Promise<void> => {
    operations.push({ name, acts: { A: await make('A'), B: await make('B') } });
  };
  for (const [name, gameRound, transactions] of writes) {
    await add(name, (role) => {
      return heard(session, gameRound, (store) =>
        play(store, variant, gameRound, transactions, role),
      );
    });
  }
  await add('the mark of a call without an answer', (role) =>
    heard(session, 'old', (store) => {
      const call = {
        ...template,
        gameCode: 'game',
        gameRound: 'old',
        transactions: [debit('d2', 7n)],
      };
      const signal = AbortSignal.abort();
      return cancelRound({ ...template, gameRound: 'old' }, call, unsignedDelivery(`dl_${role}`), {
        rounds: store.rounds,
        clock,
        signal,
      });
    }),
  );
  const round = { ...template, gameRound: 'sad' };
  await add('the approval of a repair', (role) =>
    heard(session, 'sad', (store) =>
      approveRepair(round, repair, person(`person ${role}`), repairOptions(store, variant)),
    ),
  );
  await add('the rejection of a repair', (role) =>
    heard(session, 'sad', (store) =>
      rejectRepair(
        round,
        repair,
        person(`person ${role}`),
        'it was a mistake',
        repairOptions(store, variant),
      ),
    ),
  );
  const others = variant.place === 'own' ? ofPlatform : ofAccounts;
  for (const [name, act] of [...others, ...ofBoth]) await add(name, () => act);
  return operations;
}

/** What a use case writes at last on the template's round, to be sent for another player. */
async function heard(
  { store }: Session,
  gameRound: string,
  work: (store: WalletStore) => Promise<unknown>,
): Promise<Act> {
  let act: Act | null = null;
  const hear = (one: Act): Promise<Unknown> => {
    act ??= one;
    return Promise.resolve({ kind: 'unknown', cause: new Error('heard'), giveUp: true });
  };
  const of = (player: PlayerKey): RoundKey => ({ ...player, gameRound });
  await work({
    decimals: store.decimals,
    unit: store.unit,
    ready: () => store.ready(),
    repairs: store.repairs,
    lists: store.lists,
    close: async () => undefined,
    rounds: {
      load: (round, hashes) => store.rounds.load(round, hashes),
      accounts: (player) => store.rounds.accounts(player),
      readRound: (round) => store.rounds.readRound(round),
      commit: (_, change, hashes) => {
        return hear((to, player) => to.store.rounds.commit(of(player), change, hashes));
      },
      follow: (_, followUp) => {
        // A round that has changed while it waited may be decided anew, on what is there then.
        const instead: Act = async (to, player) => {
          const loaded = await to.store.rounds.load(of(player), followUp.hashes);
          return loaded.kind === 'loaded' ? { kind: 'other', snapshot: loaded.snapshot } : loaded;
        };
        const follow: Act = (to, player) => to.store.rounds.follow!(of(player), followUp);
        return hear(Object.assign(follow, { instead }));
      },
    },
  });
  if (act === null) throw new Error(`nothing is written of ${gameRound}`);
  return act;
}

function play(
  store: WalletStore,
  { policy }: Variant,
  gameRound: string,
  transactions: readonly Transaction[],
  role: Role | 'T',
) {
  const call = { ...template, gameCode: 'game', gameRound, transactions };
  const ports = { rounds: store.rounds, clock, policy, deadlineMs: 60_000 };
  return doTransactions({ ...template, gameRound }, call, unsignedDelivery(`dl_${role}`), ports);
}

function person(id: string) {
  return { id, name: null };
}

const reason = 'the player has asked for it';
let seed = 0;

function repairOptions(store: WalletStore, { policy }: Variant) {
  const random = createSeededRandom(++seed);
  return { store, creditTo: policy.creditTo, deadlineMs: 60_000, clock, random };
}

/** 16 EUR and 24 USD, in three running and waiting rounds and one that is over; the id of the repair that waits. */
async function writeTemplate(session: Session, variant: Variant): Promise<string> {
  const { store } = session;
  await openPlayers(session, variant);
  const said = async (gameRound: string, ...transactions: Transaction[]): Promise<void> => {
    const { unknown } = await play(store, variant, gameRound, transactions, 'T');
    if (unknown !== null) throw unknown.cause;
  };
  await said('old', debit('old', 10n, true));
  await said('old', credit('c1', 7n));
  await said('gone', debit('gone', 3n, true), end);
  let waiting = '';
  for (const gameRound of ['paid', 'sad']) {
    await said(gameRound, debit(gameRound, 1n, true));
    await said(gameRound, credit('w', 4n, 'USD'));
    const round = { ...template, gameRound };
    const options = repairOptions(store, variant);
    const eve = person('eve');
    const proposed = await proposeRepair(round, { kind: 'pay', reason, hash: 'w' }, eve, options);
    if (proposed.kind !== 'proposed') throw new Error(`the repair is ${JSON.stringify(proposed)}`);
    waiting = proposed.repair.id;
    if (gameRound === 'sad') break;
    const made = await approveRepair(round, waiting, person('bob'), options);
    if (made.kind !== 'made') throw new Error(`the repair is ${made.kind}`);
  }
  return waiting;
}

async function openPlayers({ accounts, platform }: Session, variant: Variant): Promise<void> {
  const euro = hasBonus(variant)
    ? { real: { units: 14n }, bonus: { units: 10n } }
    : { real: { units: 24n } };
  for (const [currency, balances] of [
    ['EUR', euro],
    ['USD', { real: { units: 20n } }],
  ] as const) {
    const player = { ...template, currency, balances };
    await (accounts === null ? platform!.openPlayer(player) : accounts.players.openPlayer(player));
  }
}
