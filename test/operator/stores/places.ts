import { Pool } from 'pg';

import { createLedgerStore } from '../../../lib/operator/ledger';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { createOwnTablesStore, createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { StoreOptions } from '../../../lib/operator/stores/store-options';
import type { FullStore, WalletStore } from '../../../lib/operator/wallet';
import type { Clock } from '../../../lib/platform';
import { createMemoryLedger } from '../../../lib/proof';
import { Cleanup } from '../../servers/cleanup';
import { preparePlatform } from '../../servers/postgres/own-tables';
import { type PostgresServer, startPostgres } from '../../servers/postgres/server';
import { withRedis } from '../../servers/redis/client';
import { type RedisServer, startRedis } from '../../servers/redis/server';
import { patience } from '../../support/patience';

/** The player of every place; the example of own tables wants a UUID. */
export const player = {
  operatorId: 'casino',
  playerId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
} as const;
const opened = { ...player, currency: 'EUR', balances: { real: '100' } };

/** What a store of a place may be opened with. */
export interface PlaceOptions {
  readonly retentionMs?: number;
  readonly acceptMixed?: boolean;
  readonly unit?: NonNullable<StoreOptions['unit']>;
  readonly history?: boolean;
  readonly events?: readonly string[];
  readonly clock?: Clock;
}

/** Opens stores over the same data, as one process each. */
export interface Place<S = WalletStore> {
  readonly open: (options: PlaceOptions) => S;
  /** Gives the player 100 EUR; `store` is ready. */
  readonly fund: (store: WalletStore) => Promise<unknown>;
  /** The text that the data have of decimals and unit; null: none. `text` is written in its place. */
  readonly noted: (text?: string) => Promise<string | null>;
}

/** Every kind of store over real servers, each place of its own data. */
export class Places {
  readonly #cleanup = new Cleanup();
  #redis!: RedisServer;
  #postgres!: PostgresServer;
  #count = 0;

  readonly inRedis = async (): Promise<Place<FullStore>> => {
    const at = {
      ...patience,
      url: this.#redis.url,
      namespace: `place-${this.#count++}`,
      init: true,
    };
    return {
      open: (options) => this.#closed(createRedisStore({ ...at, ...options })),
      fund: async ({ players }) => players?.openPlayer(opened),
      noted: (text) =>
        withRedis(this.#redis, async (admin) => {
          const key = `${at.namespace}:settings`;
          if (text !== undefined) await admin.hset(key, 'decimals', text);
          return admin.hget(key, 'decimals');
        }),
    };
  };

  readonly inPostgres = async (): Promise<Place<FullStore>> => {
    const at = { ...patience, url: await this.#postgres.createDatabase(), init: true };
    return {
      open: (options) => this.#closed(createPostgresStore({ ...at, ...options })),
      fund: async ({ players }) => players?.openPlayer(opened),
      noted: (text) => notedIn(at.url, text),
    };
  };

  readonly inOwnTables = async (): Promise<Place> => {
    const url = await this.#postgres.createDatabase();
    const pool = this.#cleanup.after(new Pool({ connectionString: url }));
    await preparePlatform(pool);
    return {
      open: (options) => this.#closed(createOwnTablesStore({ ...patience, ...options, url })),
      fund: () =>
        pool.query(`INSERT INTO casino.wallets VALUES ($1, 'EUR', 100, NULL)`, [player.playerId]),
      noted: (text) => notedIn(url, text),
    };
  };

  /** In memory every store that is opened is the same one. */
  readonly inMemory = async (): Promise<Omit<Place<FullStore>, 'noted'>> => {
    const store = this.#closed(createMemoryStore());
    return { open: () => store, fund: async () => store.players.openPlayer(opened) };
  };

  /** All that keep their data on a server. */
  readonly kinds: readonly (readonly [string, () => Promise<Place>])[] = [
    ['Redis', this.inRedis],
    ['PostgreSQL', this.inPostgres],
    ['own tables', this.inOwnTables],
    ['a ledger with its journal in Redis', this.#overLedger(this.inRedis)],
    ['a ledger with its journal in PostgreSQL', this.#overLedger(this.inPostgres)],
  ];

  /** Starts the servers. */
  async start(): Promise<void> {
    [this.#redis, this.#postgres] = await Promise.all([startRedis(), startPostgres()]);
  }

  /** Closes all that was opened since the last time. */
  readonly tidy = (): Promise<void> => this.#cleanup.run();

  async stop(): Promise<void> {
    await Promise.all([this.#redis.stop(), this.#postgres.stop()]);
  }

  /** The money and its keys in a ledger, which forgets none of them. */
  #overLedger(placeOf: () => Promise<Place<FullStore>>): () => Promise<Place> {
    return async () => {
      const { open, noted } = await placeOf();
      const ledger = createMemoryLedger();
      return {
        open: (options) => createLedgerStore({ ledger, journal: open(options) }),
        fund: async () => {
          const real = { units: 1_000_000n, text: '100' };
          await ledger.openPlayer({ ...player, currency: 'EUR', balances: { real } });
        },
        noted,
      };
    };
  }

  #closed<S extends WalletStore>(store: S): S {
    return this.#cleanup.after(store);
  }
}

async function notedIn(url: string, text?: string): Promise<string | null> {
  const pool = new Pool({ connectionString: url });
  try {
    if (text !== undefined) {
      const written = "INSERT INTO rgs_wallet.settings (name, value) VALUES ('decimals', $1)";
      await pool.query(`${written} ON CONFLICT (name) DO UPDATE SET value = $1`, [text]);
    }
    const read = "SELECT value FROM rgs_wallet.settings WHERE name = 'decimals'";
    return (await pool.query<{ value: string }>(read)).rows[0]?.value ?? null;
  } finally {
    await pool.end();
  }
}
