import {
  type MoneyPlace,
  notedTerms,
  OtherMoneyError,
  OtherTermsError,
  StoreUnsafeError,
} from '../../../wallet';
import type { Clock, Random } from '../../../../platform';
import type { AmountTerms } from '../../../../protocol/money/amount';
import { keptTokens, type Lineage } from '../../lineage';
import { bucketCount } from '../codec/keys';
import type { RedisArgument, RedisClient } from '../client/port';
import { scripts } from '../commands/scripts';

/** What the settings of the data are compared with. */
interface DataSettingsOptions extends AmountTerms {
  /** The key that holds them. */
  readonly key: string;
  /** Create a store if there is none. */
  readonly init: boolean;
  /** Source of the id of a new store. */
  readonly random: Random;
  readonly clock: Pick<Clock, 'now'>;
  /** What the process knows of the past of the store; null if it does not serve. */
  readonly lineage: Lineage | null;
  /** Replicas that must have a renewal before it counts. */
  readonly waitReplicas: number;
  /** How long a renewal waits for them, in milliseconds. */
  readonly waitMs: number;
}

/** The store that was found. */
interface FoundStore {
  /** Empty for a store that is older than ids. */
  readonly id: string;
  /** When this process last renewed its token, as the data have it; 0 if they lack it. */
  readonly renewedAt: number;
  /** Whether some process keeps a history. */
  readonly hasHistory: boolean;
  /** Where the money is; null as long as there was neither an account nor a ledger. */
  readonly money: MoneyPlace | null;
  /** From when on the acts of people are listed, in milliseconds since 1970; null before it is noted. */
  readonly actsSince: number | null;
}

/** The version of the data format. */
const format = '3';

/**
 * The settings of the data, and the identity of their store: one key, written when the store is created.
 * If it is missing, Redis has lost its data or never had any. Both look alike, so an empty Redis counts as
 * a new wallet only on request, and never for a process that knew the store. A process that serves also
 * keeps a token there: a Redis without its latest renewal has lost acknowledged calls, as a former master
 * has that starts as a master again.
 */
export class DataSettings {
  /** The store as last seen. */
  #known: FoundStore | null = null;
  #money: MoneyPlace = 'accounts';
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

  /** From when on the acts of people are listed; null before it is noted. */
  get actsSince(): number | null {
    return this.#known?.actsSince ?? null;
  }

  /** Whether this process created the store. */
  get wasMade(): boolean {
    return this.#wasMade;
  }

  /**
   * Only reads, so that a Redis which refuses writes can be checked; writes only to create a store, and in one of an earlier
   * version from when on acts are listed.
   * @throws StoreUnsafeError if there is no store, or another or an older one than this process knew.
   */
  async check(): Promise<void> {
    const { lineage } = this.options;
    const counted = lineage?.counted;
    const found = (await this.read()) ?? (await this.make());
    const { key } = this.options;
    if (this.#known !== null && found.id !== this.#known.id) {
      throw new StoreUnsafeError(
        `Redis holds another store under ${key} than before: its data was lost or replaced. Restore it, or restart to use the other store.`,
      );
    }
    lineage?.check(found.renewedAt, counted);
    this.checkMoney(found.money);
    this.#known = found;
    if (found.money === null && this.#money === 'ledger') await this.noteMoney().catch(() => {});
    if (found.actsSince === null) await this.noteActs().catch(() => {}); // the next check repeats it
  }

  /** A ledger has the money of the rounds: data of another kind are refused from now on. */
  keepForLedger(): void {
    this.#money = 'ledger';
  }

  /**
   * Notes where the money is, before the first account is opened or a ledger's round is written.
   * @throws OtherMoneyError if it is elsewhere
   */
  async noteMoney(): Promise<void> {
    if (this.#known?.money === this.#money) return;
    await this.client.call('hsetnx', this.options.key, 'money', this.#money);
    const found = await this.read();
    if (found === null) return;
    this.checkMoney(found.money);
    this.#known = found;
  }

  private async noteActs(): Promise<void> {
    const call = { settings: this.options.key, at: this.options.clock.now() };
    await this.client.call('eval', ...scripts.noteActs.evaluated(call));
    this.#known = (await this.read()) ?? this.#known;
  }

  private checkMoney(found: MoneyPlace | null): void {
    if (found === null || found === this.#money) return;
    const namespace = this.options.key.replace(/:settings$/, '');
    throw new OtherMoneyError('namespace', namespace, this.#money, found);
  }

  /**
   * Renews the token of a process that serves. It counts once as many replicas have it as must have a call.
   * @throws StoreUnsafeError if the data are older; another error if Redis refuses writes.
   */
  async renew(): Promise<void> {
    const { key, lineage } = this.options;
    if (lineage === null) return;
    const { at, least } = lineage.renewal();
    const call = { settings: key, name: tokenField(lineage), at, least, kept: keptTokens };
    const { answer, isConfirmed } = await this.write(scripts.renewToken.evaluated(call));
    if (answer !== 1) lineage.check(0);
    else if (isConfirmed) lineage.count(at);
  }

  private async write(
    args: readonly RedisArgument[],
  ): Promise<{ readonly answer: unknown; readonly isConfirmed: boolean }> {
    const { waitReplicas, waitMs } = this.options;
    if (waitReplicas === 0) {
      return { answer: await this.client.call('eval', ...args), isConfirmed: true };
    }
    const pipeline = this.client.pipeline();
    pipeline.call('eval', ...args);
    pipeline.call('wait', waitReplicas, waitMs);
    const [written, confirmed] = (await pipeline.exec()) ?? [];
    if (written?.[0]) throw written[0];
    return { answer: written?.[1], isConfirmed: Number(confirmed?.[1] ?? 0) >= waitReplicas };
  }

  /** The store; null if there is none. */
  private async read(): Promise<FoundStore | null> {
    const { key, lineage } = this.options;
    const expected = { format, decimals: notedTerms(this.options), buckets: String(bucketCount) };
    const token = lineage === null ? 'token' : tokenField(lineage);
    const names = [...Object.keys(expected), 'id', token, 'history', 'money', 'acts'];
    const sent = scripts.readSettings.evaluated({ settings: key, names });
    const reply = await this.client.call('eval', ...sent);
    const stored = reply as (string | null)[];
    if (stored.every((value) => value === null)) return null;
    for (const [index, [name, value]] of Object.entries(expected).entries()) {
      if (stored[index] === value) continue;
      if (name === 'decimals') {
        throw new OtherTermsError(`under ${key}`, String(stored[index]), this.options);
      }
      throw new StoreUnsafeError(
        `The data under ${key} has ${name} ${String(stored[index])}; this store is set to ${value}.`,
      );
    }
    const [id, renewedAt, history, money, acts] = stored.slice(-5);
    return {
      id: id ?? '',
      renewedAt: Number(renewedAt ?? 0),
      hasHistory: history === '1',
      money: (money ?? null) as MoneyPlace | null,
      actsSince: acts === null || acts === undefined ? null : Number(acts),
    };
  }

  private async make(): Promise<FoundStore> {
    const { key, init, random, clock } = this.options;
    const decimals = notedTerms(this.options);
    if (this.#known !== null) {
      throw new StoreUnsafeError(`Redis has lost the store under ${key}: restore its data.`);
    }
    if (!init) {
      throw new StoreUnsafeError(
        `Redis holds no store under ${key}: restore its data, or create a new store with \`rgs-wallet init\` or the option init.`,
      );
    }
    const id = random.bytes(12).toString('base64url');
    const kept = ['format', format, 'decimals', decimals, 'buckets', bucketCount, 'id', id];
    const fields = [...kept, 'acts', clock.now()];
    const sent = scripts.makeStore.evaluated({ settings: key, fields });
    const made = await this.client.call('eval', ...sent);
    this.#wasMade ||= made === 1;
    const found = await this.read();
    if (found === null) throw new Error('the store was deleted right after it was created');
    return found;
  }
}

/** The field of a process's token. */
function tokenField({ token }: Lineage): string {
  return `token ${token}`;
}
