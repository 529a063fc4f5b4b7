import { OtherDecimalsError, StoreUnsafeError } from '../../../wallet';
import type { Random } from '../../../../platform';
import { bucketCount } from '../codec/keys';
import type { RedisClient } from '../client/port';
import { scripts } from '../commands/scripts';

/** What the settings of the data are compared with. */
export interface DataSettingsOptions {
  /** The key that holds them. */
  readonly key: string;
  readonly decimals: number;
  /** Create a store if there is none. */
  readonly init: boolean;
  /** Source of the id of a new store. */
  readonly random: Random;
}

/** The store that was found. */
interface FoundStore {
  /** Empty for a store that is older than ids. */
  readonly id: string;
  /** How many connections have passed the server check. */
  readonly openings: number;
  /** Whether some process keeps a history. */
  readonly hasHistory: boolean;
}

/** The version of the data format. */
const format = '2';

/**
 * The settings of the data, and the identity of their store: one key, written when the store is created.
 * If it is missing, Redis has lost its data or never had any. Both look alike, so an empty Redis counts as
 * a new wallet only on request, and never for a process that knew the store. The number of openings only
 * grows: a Redis with a smaller number has lost acknowledged calls, as a former master has that starts as
 * a master again.
 */
export class DataSettings {
  /** The store as last seen. */
  #known: FoundStore | null = null;
  #wasMade = false;

  constructor(
    private readonly client: RedisClient,
    private readonly options: DataSettingsOptions,
  ) {}

  /** The id of the store; empty before it was found, and for a store that is older than ids. */
  get id(): string {
    return this.#known?.id ?? '';
  }

  /** Whether the store has a history, as of the last check. */
  get hasHistory(): boolean {
    return this.#known?.hasHistory === true;
  }

  /** Whether this process created the store. */
  get wasMade(): boolean {
    return this.#wasMade;
  }

  /**
   * Only reads, so that a Redis which refuses writes can be checked; writes only to create a store.
   * @throws StoreUnsafeError if there is no store, or another or an older one than this process knew.
   */
  async check(): Promise<void> {
    const found = (await this.read()) ?? (await this.make());
    const { key } = this.options;
    if (this.#known !== null && found.id !== this.#known.id) {
      throw new StoreUnsafeError(
        `Redis holds another store under ${key} than before: its data was lost or replaced. Restore it, or restart to use the other store.`,
      );
    }
    if (this.#known !== null && found.openings < this.#known.openings) {
      throw new StoreUnsafeError(
        `Redis holds older data under ${key} than before: acknowledged calls are lost. Restore the newer data, or restart to continue without it.`,
      );
    }
    this.#known = found;
  }

  /**
   * Records that a process begins to use the store. The number counts for this process once it was read
   * again, when replicas have it too. Skipped for a Redis that refuses writes.
   */
  async noteOpening(): Promise<void> {
    await this.client.call('hincrby', this.options.key, 'openings', 1).catch(() => {});
  }

  /** The store; null if there is none. */
  private async read(): Promise<FoundStore | null> {
    const { key, decimals } = this.options;
    const expected = { format, decimals: String(decimals), buckets: String(bucketCount) };
    const names = [...Object.keys(expected), 'id', 'openings', 'history'];
    const { source } = scripts.readSettings;
    const reply = await this.client.call('eval', source, 1, key, ...names);
    const stored = reply as (string | null)[];
    if (stored.every((value) => value === null)) return null;
    for (const [index, [name, value]] of Object.entries(expected).entries()) {
      if (stored[index] === value) continue;
      if (name === 'decimals') {
        throw new OtherDecimalsError(`under ${key}`, Number(stored[index]), decimals);
      }
      throw new StoreUnsafeError(
        `The data under ${key} has ${name} ${String(stored[index])}; this store is set to ${value}.`,
      );
    }
    const [id, openings, history] = stored.slice(-3);
    return { id: id ?? '', openings: Number(openings ?? 0), hasHistory: history === '1' };
  }

  private async make(): Promise<FoundStore> {
    const { key, decimals, init, random } = this.options;
    if (this.#known !== null) {
      throw new StoreUnsafeError(`Redis has lost the store under ${key}: restore its data.`);
    }
    if (!init) {
      throw new StoreUnsafeError(
        `Redis holds no store under ${key}: restore its data, or create a new store with \`rgs-wallet init\` or the option init.`,
      );
    }
    const id = random.bytes(12).toString('base64url');
    const values = ['format', format, 'decimals', decimals, 'buckets', bucketCount, 'id', id];
    const made = await this.client.call('eval', scripts.makeStore.source, 1, key, ...values);
    this.#wasMade ||= made === 1;
    const found = await this.read();
    if (found === null) throw new Error('the store was deleted right after it was created');
    return found;
  }
}
