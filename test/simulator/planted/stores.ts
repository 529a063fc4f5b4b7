import type { Movement, RoundChange } from '../../../lib/operator/gameround';
import type { AccountStore, Players, Rounds } from '../../../lib/operator/wallet';
import type { Planted } from '../parties/planted';
import { everyNth, over, overRounds, type Plant } from './over';

type Change = (change: RoundChange) => RoundChange;

/** A store that writes another change than it was given. */
function writes(change: Change): () => Planted {
  return () => ({
    store: (store) =>
      overRounds(store, {
        commit: (round, given) => store.rounds.commit(round, change(given)),
      }),
  });
}

function moves(movement: (one: Movement) => readonly Movement[]): () => Planted {
  return writes((change) => ({ ...change, movements: change.movements.flatMap(movement) }));
}

/** A store that does the n-th command otherwise. */
function now(n: number, methods: (store: AccountStore) => Partial<Rounds>): () => Planted {
  const isTime = everyNth(n);
  return () => ({
    store(store) {
      const other = methods(store);
      const commit: Rounds['commit'] = (round, change) => {
        return (isTime() && other.commit?.(round, change)) || store.rounds.commit(round, change);
      };
      return overRounds(store, { ...other, commit });
    },
  });
}

function overPlayers(store: AccountStore, methods: Partial<Players>): AccountStore {
  return { ...store, players: over(store.players, methods) };
}

/** The same change, with each stake taken from the real balance, whatever it holds. */
function overdrawn(change: RoundChange): RoundChange {
  const taken = new Map<string, bigint>();
  const movements = change.movements.map((one): Movement => {
    if (one.kind !== 'take') return one;
    const { hash, currency, amount } = one;
    taken.set(hash, amount);
    return { kind: 'give', hash, currency, purse: { real: -amount, bonus: 0n } };
  });
  const records = change.records.map((item) => {
    const real = taken.get(item.hash) ?? 0n;
    if (item.record.type !== 'debit') return item;
    return { ...item, record: { ...item.record, purse: { real, bonus: 0n } } };
  });
  return { ...change, movements, records };
}

const memory = { store: 'memory', isObservable: true } as const;

/** Bugs of a store that keeps the money. */
export const storePlants: readonly Plant[] = [
  {
    ...memory,
    name: 'a commit does not compare the version',
    breaks: 'a repeated commit moves its money again (property 3)',
    plant: () => ({
      store: (store) =>
        overRounds(store, {
          async commit(round, change) {
            const loaded = await store.rounds.load(round, []);
            if (loaded.kind === 'unknown') return loaded;
            return store.rounds.commit(round, { ...change, before: loaded.snapshot.head });
          },
        }),
    }),
  },
  {
    ...memory,
    name: 'a commit is acknowledged and lost',
    breaks: 'O1, O3: nothing is acknowledged that is not durable',
    plant: now(60, (store) => ({
      async commit(round) {
        const known = await store.rounds.accounts(round);
        if (known.kind === 'unknown') return known;
        return { kind: 'committed', accounts: known.accounts };
      },
    })),
  },
  {
    ...memory,
    name: 'a commit writes its records and moves nothing',
    breaks: 'O1, O3',
    plant: now(60, (store) => ({
      commit: (round, change) => store.rounds.commit(round, { ...change, movements: [] }),
    })),
  },
  {
    ...memory,
    name: 'a commit moves its money and loses its records',
    breaks: 'O2: a resend counts again',
    plant: now(20, (store) => ({
      commit: (round, change) => store.rounds.commit(round, { ...change, records: [] }),
    })),
  },
  {
    ...memory,
    name: 'a void gives nothing back',
    breaks: 'O4',
    plant: moves((one) => (one.kind === 'reverse' ? [] : [one])),
  },
  {
    ...memory,
    name: 'a void gives all of it back to the real balance',
    breaks: 'D5: a void gives back to each balance what it took; the sum is right',
    plant: moves((one) => {
      if (one.kind !== 'reverse') return [one];
      const { real, bonus } = one.purse;
      return [{ ...one, purse: { real: real + bonus, bonus: 0n } }];
    }),
  },
  {
    ...memory,
    name: 'a void is applied twice',
    breaks: 'O4',
    plant: moves((one) => (one.kind === 'reverse' ? [one, one] : [one])),
  },
  {
    ...memory,
    name: 'a void that is there before its debit is forgotten',
    breaks: 'D5.5: the debit is taken when it comes',
    plant: writes((change) => ({
      ...change,
      records: change.records.filter(({ record }) => record.type !== 'void'),
      after:
        change.movements.length === 0
          ? { ...change.after, state: change.before.state }
          : change.after,
    })),
  },
  {
    ...memory,
    name: 'a credit pays one unit more',
    breaks: 'O1',
    plant: moves((one) =>
      one.kind === 'give'
        ? [{ ...one, purse: { ...one.purse, real: one.purse.real + 1n } }]
        : [one],
    ),
  },
  {
    ...memory,
    name: 'a debit of more than 1,000 units is cut to it',
    breaks: 'O1',
    plant: moves((one) =>
      one.kind === 'take' && one.amount > 1000n ? [{ ...one, amount: 1000n }] : [one],
    ),
  },
  {
    ...memory,
    name: 'funds are not looked at',
    breaks: 'property 4: a balance below zero',
    plant: () => ({
      store: (store) =>
        overRounds(store, {
          async commit(round, change) {
            const result = await store.rounds.commit(round, change);
            if (result.kind !== 'refused' || result.reason !== 'tooLow') return result;
            return store.rounds.commit(round, overdrawn(change));
          },
        }),
    }),
  },
  {
    ...memory,
    name: 'a debit of half the funds is refused',
    breaks: 'no refusal without a reason',
    plant: () => ({
      store: (store) =>
        overRounds(store, {
          async commit(round, change) {
            const known = await store.rounds.accounts(round);
            const [account] = (known.kind === 'known' ? known.accounts : null) ?? [];
            const half = ((account?.real ?? 0n) + (account?.bonus ?? 0n)) / 2n;
            const large = change.movements.find((one) => one.kind === 'take' && one.amount > half);
            if (large === undefined) return store.rounds.commit(round, change);
            return { kind: 'refused', hash: large.hash, reason: 'tooLow' };
          },
        }),
    }),
  },
  {
    ...memory,
    name: 'the record of a credit expires early',
    breaks: 'O2: a resent credit is paid again (D10)',
    plant: () => ({
      store: (store) =>
        overRounds(store, {
          async load(round, hashes) {
            return store.rounds.load(
              round,
              hashes.filter((hash) => !hash.startsWith('c')),
            );
          },
        }),
    }),
  },
  {
    ...memory,
    name: 'a voided round stays cancelled',
    breaks: 'O9',
    plant: writes((change) =>
      change.after.state === 'voided'
        ? { ...change, after: { ...change.after, state: 'cancelled' } }
        : change,
    ),
  },
  {
    ...memory,
    name: 'a credit of a blocked player is refused',
    breaks: 'D4.9',
    plant: () => ({
      store: (store) =>
        overRounds(store, {
          async commit(round, change) {
            const known = await store.players.readPlayer(round);
            const given = change.movements.find(({ kind }) => kind === 'give');
            const isBlocked = known.kind === 'known' && known.blocked;
            if (!isBlocked || given === undefined) return store.rounds.commit(round, change);
            return { kind: 'refused', hash: given.hash, reason: 'blocked' };
          },
        }),
    }),
  },
  {
    ...memory,
    name: 'a deposit is not kept by its reference',
    breaks: 'a repeated order moves cash again',
    plant: () => {
      let times = 0;
      return {
        store: (store) =>
          overPlayers(store, {
            deposit: (order) =>
              store.players.deposit({ ...order, reference: `${order.reference} ${++times}` }),
          }),
      };
    },
  },
  {
    ...memory,
    name: 'a block is not kept',
    breaks: 'a blocked player takes no debit',
    plant: () => ({
      store: (store) => overPlayers(store, { setBlocked: async () => ({ kind: 'done' as const }) }),
    }),
  },
];
