import { StoreUnsafeError } from '../../../wallet';
import type { Random } from '../../../../platform';
import { bucketCount } from '../codec/keys';
import type { RedisClient } from '../client/port';
import { scripts } from '../commands/scripts';

/** What the settings of the data are held against. */
export interface DataSettingsOptions {
  /** The key that holds them. */
  readonly key: string;
  readonly decimals: number;
  /** Make a store where there is none. */
  readonly init: boolean;
  /** Where the id of a new store comes from. */
  readonly random: Random;
}

/** The store that was found. */
interface FoundStore {
  /** Empty for one that was made before stores had ids. */
  readonly id: string;
  /** How often a process has begun to use it. */
  readonly openings: number;
}

/** The version of how the data are written. */
const format = '2';

/**
 * What the data were written with, and which store they are of: a key that is written once, when the
 * store is made. Where it is missing Redis has lost its data, or never had any: both look alike, so an
 * empty Redis is taken for a new wallet only where that was asked for, and never by a process that
 * knew the store. How often it was opened only grows: a Redis that comes back with less has lost what
 * was acknowledged since, as a former master does that is started as a master again.
 */
export class DataSettings {
  /** The store as it was seen last. */
  #known: FoundStore | null = null;
  #wasMade = false;

  constructor(
    private readonly client: RedisClient,
    private readonly options: DataSettingsOptions,
  ) {}

  /** Whether this process made the store. */
  get wasMade(): boolean {
    return this.#wasMade;
  }

  /**
   * Reads alone, so that a Redis which takes no writes can be checked; writes where a store is made.
   * @throws StoreUnsafeError where there is no store, or another or an older one than this process knew.
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
   * Notes that a process begins to use the store. It counts for this process once it was read again, by
   * when replicas have it too. A Redis that takes no writes goes without.
   */
  async noteOpening(): Promise<void> {
    await this.client.call('hincrby', this.options.key, 'openings', 1).catch(() => {});
  }

  /** The store; null where there is none. */
  private async read(): Promise<FoundStore | null> {
    const { key, decimals } = this.options;
    const expected = { format, decimals: String(decimals), buckets: String(bucketCount) };
    const names = [...Object.keys(expected), 'id', 'openings'];
    const { source } = scripts.readSettings;
    const reply = await this.client.call('eval', source, 1, key, ...names);
    const stored = reply as (string | null)[];
    if (stored.every((value) => value === null)) return null;
    for (const [index, [name, value]] of Object.entries(expected).entries()) {
      if (stored[index] === value) continue;
      throw new StoreUnsafeError(
        `The data under ${key} has ${name} ${String(stored[index])}; this store is set to ${value}.`,
      );
    }
    const [id, openings] = stored.slice(-2);
    return { id: id ?? '', openings: Number(openings ?? 0) };
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
