import type { ConnectionOptions } from 'node:tls';
import { eventsTo } from '../../events';
import type { FullStore } from '../../wallet';
import { type Clock, type Logger, type Random, systemClock, systemRandom } from '../../../platform';
import { checkOptionNames, type OptionNames } from '../../../platform/validation/known-names';
import { checkObject, checkSwitches, checkText } from '../../../platform/validation/option-values';
import {
  checkStoreOptions,
  checkStoreParts,
  storeOptionNames,
  type StoreOptions,
} from '../store-options';
import { Companions, mixedOptionNames, type MixedOptions } from '../companions';
import { Lineage, lineageOptionNames, type LineageOptions } from '../lineage';
import { connect, type ConnectTimes } from './client/connect';
import { Acknowledged } from './connection/acknowledged';
import { commandsOfScripts } from './commands/rights';
import { DataSettings } from './connection/data-settings';
import { Executor } from './connection/executor';
import { Gate } from './connection/gate';
import { Keys } from './codec/keys';
import {
  checkClientOptions,
  isCluster,
  missesFailovers,
  reasonOf,
  type RedisClient,
} from './client/port';
import { servingNotes } from './connection/serving-notes';
import { type RedisStoreParts, storeOf } from './store';

/** Options of {@link createRedisStore}: either `url` or `client`. */
export interface RedisStoreOptions extends StoreOptions, LineageOptions, MixedOptions {
  /**
   * Address of the server; the store creates the client, with settings safe for money, and closes it.
   * `redis://`, `rediss://`, `redis+sentinel://host:port,.../name`, `redis+cluster://host:port,...`.
   */
  readonly url?: string;
  /**
   * Options of node:tls, such as `{ ca }` for your own authority; with `url`, and only for its forms with
   * TLS.
   */
  readonly tls?: ConnectionOptions;
  /**
   * Your own ioredis client, `Redis` or `Cluster`; the store does not close it. Give it a `socketTimeout`:
   * without one, a silent connection is kept until the system drops it, which takes minutes. A client with
   * `keyPrefix` or `stringNumbers` is refused.
   */
  readonly client?: RedisClient;
  /** Prefix of every key; `rgs` unless set. Letters, digits, `-`, `_` and `.`. */
  readonly namespace?: string;
  /** Time limit of a command, in milliseconds; 1000 unless set. */
  readonly commandTimeoutMs?: number;
  /** Time limit of the first connection and its check, in milliseconds; 5000 unless set. */
  readonly connectTimeoutMs?: number;
  /** Replicas that must acknowledge a write before the store does (WAIT); 0 unless set. */
  readonly waitReplicas?: number;
  /**
   * Create a store if Redis holds none under this namespace, and change nothing if there is one;
   * `rgs-wallet init` and {@link initRedis} do the same. Unless set, an empty Redis is refused: it may
   * have lost its data. Do not set it in your daily start command.
   */
  readonly init?: boolean;
  /**
   * Accept a server whose settings lose acknowledged money in a crash or when it is full. For development.
   * The dangers are logged.
   */
  readonly acceptLoss?: boolean;
  /**
   * Accept a server that does not permit CONFIG GET, as managed services do not: you know that the service
   * has every acknowledged write on disk. Version, role and eviction are still checked, by INFO; if CONFIG
   * GET is permitted, everything is checked. The log says that durability was not checked.
   */
  readonly assumeDurable?: boolean;
  /** Logger for connection trouble; silent unless set. */
  readonly logger?: Logger;
  /** The clock of deadlines and of the times of cash; the machine's own unless set. */
  readonly clock?: Clock;
  /** Source of the id of a new store; the machine's own unless set. */
  readonly random?: Random;
}

const optionNames: OptionNames<RedisStoreOptions> = {
  url: true,
  tls: true,
  client: true,
  namespace: true,
  commandTimeoutMs: true,
  connectTimeoutMs: true,
  waitReplicas: true,
  init: true,
  acceptLoss: true,
  assumeDurable: true,
  logger: true,
  clock: true,
  random: true,
  ...storeOptionNames,
  ...lineageOptionNames,
  ...mixedOptionNames,
};

/** How long the renewal of a token waits for replicas at most: its connection holds up all commands meanwhile. */
const longestWaitMs = 250;

/**
 * A store in Redis 7.0 or later: one server, a master that Sentinel watches, or a cluster. It starts to
 * connect at once; `ready()` resolves once the server check has passed and the store was found.
 * @throws TypeError for wrong options.
 */
export function createRedisStore(options: RedisStoreOptions): FullStore {
  checkOptionNames('createRedisStore', options, optionNames);
  return storeOf(partsOf(options));
}

/** The result of {@link initRedis}. */
export interface RedisInitReport {
  /** False if a store existed: nothing was changed. */
  readonly made: boolean;
}

/**
 * Creates a store if Redis holds none under the namespace, and changes nothing if there is one. Run it
 * once for each wallet: from then on an empty Redis counts as lost data and is refused.
 * @throws TypeError for wrong options, StoreUnsafeError, StoreUnavailableError.
 */
export async function initRedis(
  options: Omit<RedisStoreOptions, 'init'>,
): Promise<RedisInitReport> {
  checkOptionNames('initRedis', options, optionNames);
  const parts = partsOf({ ...options, init: true }, false);
  try {
    await parts.gate.passed();
    return { made: parts.dataSettings.wasMade };
  } finally {
    parts.gate.close();
    await parts.release();
  }
}

function partsOf(options: RedisStoreOptions, serves = options.serves !== false): RedisStoreParts {
  const servesNames = ['serves', 'acceptOlderData', 'acceptMixed'];
  checkSwitches(options, ['init', 'acceptLoss', 'assumeDurable', ...servesNames]);
  checkStoreParts(options);
  const { decimals, unit, retentionMs, events: consumers, ...rest } = checkStoreOptions(options);
  const { eventsLimit, history, limitsFromHistory } = rest;
  if (limitsFromHistory && !history) {
    throw new TypeError(
      "limitsFrom: 'history' needs the option history: without it Redis has no list of a player's rounds",
    );
  }
  const { namespace = 'rgs', logger } = options;
  const { clock = systemClock, random = systemRandom } = options;
  if (typeof namespace !== 'string' || !/^[\w.-]{1,64}$/.test(namespace)) {
    throw new TypeError('namespace must be letters, digits, -, _ and .');
  }
  const { commandTimeoutMs = 1000, connectTimeoutMs = 5000, waitReplicas = 0 } = options;
  checkWhole('commandTimeoutMs', commandTimeoutMs, 1);
  checkWhole('connectTimeoutMs', connectTimeoutMs, 1);
  checkWhole('waitReplicas', waitReplicas, 0);
  const { client, release } = clientOf(options, { commandTimeoutMs, connectTimeoutMs, clock });
  const events = eventsTo(logger);
  if (missesFailovers(client)) events.emit({ kind: 'failoversUnseen' });
  const keys = new Keys(namespace);
  const init = options.init === true;
  const key = keys.settings();
  const lineageParts = {
    store: 'Redis',
    place: `under ${key}`,
    acceptOlderData: options.acceptOlderData === true,
    random,
    clock,
    events,
  } as const;
  const lineage = serves ? new Lineage(lineageParts) : null;
  const acknowledged =
    lineage === null
      ? null
      : new Acknowledged(client, {
          keys,
          lineage,
          keptMs: retentionMs - 2 * commandTimeoutMs,
          clock,
          events,
        });
  const waitMs = Math.min(longestWaitMs, Math.max(1, Math.floor(commandTimeoutMs / 2)));
  const confirming = { waitReplicas, waitMs };
  const settingsOptions = { key, decimals, unit, init, random, clock, lineage, ...confirming };
  const dataSettings = new DataSettings(client, settingsOptions);
  const rights = () => ({
    key,
    commands: commandsOfScripts({
      events: consumers.length > 0,
      history: history || dataSettings.hasHistory,
    }),
    waits: waitReplicas > 0,
  });
  const gate = new Gate(client, {
    dataSettings,
    acknowledged,
    acceptLoss: options.acceptLoss === true,
    assumeDurable: options.assumeDurable === true,
    rights: serves ? rights : null,
    waitReplicas,
    connectTimeoutMs,
    clock,
    events,
  });
  const executor = new Executor(client, gate, { clock, commandTimeoutMs, waitReplicas });
  const acceptMixed = options.acceptMixed === true;
  const notes = servingNotes(executor, keys);
  const watching = { store: 'Redis', notes, acceptMixed, clock, random, events, reasonOf } as const;
  const [bucketsPerScript, bucketsPerList] = isCluster(client) ? [1, 1] : [64, 128];
  return {
    companions: serves ? new Companions({ ...watching, retentionMs }) : null,
    refusesUnnamed: serves && !acceptMixed,
    consumers,
    keepsHistory: history,
    limitsFromHistory,
    eventsLimit,
    events,
    bucketsPerScript,
    bucketsPerList,
    gate,
    acknowledged,
    executor,
    keys,
    decimals,
    unit,
    retentionMs,
    clock,
    release,
    dataSettings,
  };
}

function clientOf(
  { url, client, tls }: RedisStoreOptions,
  times: ConnectTimes,
): { client: RedisClient; release: () => Promise<void> } {
  checkText('url', url);
  checkObject('tls', tls);
  if (client !== undefined && url === undefined) {
    if (typeof client?.call !== 'function' || typeof client.on !== 'function') {
      throw new TypeError('client must be an ioredis client');
    }
    if (tls !== undefined) throw new TypeError('tls needs url: a client has its own TLS settings');
    checkClientOptions(client);
    return { client, release: async () => {} };
  }
  if (url === undefined || client !== undefined) throw new TypeError('set either url or client');
  const owned = connect(url, times, tls);
  owned.client.on('error', () => {}); // the gate reports errors while there is one
  return { client: owned.client, release: async () => owned.release() };
}

function checkWhole(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new TypeError(`${name} must be a whole number of at least ${least}`);
  }
}
