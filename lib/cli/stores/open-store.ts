import { createMemoryStore } from '../../operator/stores/memory';
import {
  type AccountStore,
  type EventSource,
  OtherDecimalsError,
  type RoundKey,
  StoreUnsafeError,
  type WalletStore,
} from '../../operator/wallet';
import { CommandFailure, messageOf, plainLine, withoutLogin } from '../terminal/failure';
import type { StoreFlags } from '../terminal/flags';
import { EarlyLog } from '../terminal/log';
import { createOwnTables, createPostgres, isOfOwnTables, postgresForm } from './postgres';
import { createRedis, redisForm } from './redis';

/** Which store, and its options. */
export interface StoreChoice extends StoreFlags {
  /** See StoreOptions. */
  readonly retentionMs?: number;
  /** See StoreOptions. */
  readonly events?: readonly string[];
  /** See StoreOptions. */
  readonly eventsLimit?: number;
  /** See StoreOptions. */
  readonly history?: true;
  /** See LineageOptions; unlike there, unset means that the process does not serve. */
  readonly serves?: true;
  /** See LineageOptions. */
  readonly acceptOlderData?: true;
}

/** A store that is ready. */
export interface OpenedStore {
  readonly store: WalletStore & EventSource;
  /** The same, if it keeps the money; null over tables of the platform's own. */
  readonly accounts: (AccountStore & EventSource) | null;
  /** The scheme of its address: `memory`, `redis`, `redis+cluster`, `postgres`. */
  readonly kind: string;
  /** Its address, without user name and password. */
  readonly address: string;
}

/** Flags of one kind of store only, and whether they are given. */
const ownFlags: readonly (readonly [
  string,
  'Redis' | 'PostgreSQL',
  (flags: StoreChoice) => boolean,
])[] = [
  ['--namespace', 'Redis', ({ namespace }) => namespace !== undefined],
  ['--wait-replicas', 'Redis', ({ waitReplicas }) => waitReplicas !== undefined],
  ['--assume-durable', 'Redis', ({ assumeDurable }) => assumeDurable === true],
  ['--accept-older-data', 'Redis', ({ acceptOlderData }) => acceptOlderData === true],
  ['--schema', 'PostgreSQL', ({ schema }) => schema !== undefined],
  ['--migrate', 'PostgreSQL', ({ migrate }) => migrate === true],
  ['--own-tables', 'PostgreSQL', ({ ownTables }) => ownTables === true],
  ['--no-session-timeouts', 'PostgreSQL', ({ sessionTimeouts }) => !sessionTimeouts],
];

/**
 * Opens the store of an address and waits until the server check has passed. The store says how many decimals it
 * keeps, unless a flag does, and in PostgreSQL whether its money is in tables of the platform's own.
 * @throws CommandFailure for an invalid address, a store that is unreachable or not safe, and a missing
 * package. The address may hold a password, so it is never repeated whole.
 */
export async function openStore(choice: StoreChoice, log: EarlyLog): Promise<OpenedStore> {
  const address = withoutLogin(choice.store);
  const kind = address.split(':', 1)[0] ?? '';
  const attempt = new EarlyLog();
  const made = createStore(choice, attempt);
  const { store } = made;
  try {
    await store.ready();
  } catch (error) {
    await store.close();
    const said = choiceSaidBy(error, choice);
    if (said !== null) return openStore(said, log);
    throw new CommandFailure(`The store ${address} cannot be used: ${reasonOf(error, attempt)}`);
  }
  attempt.release(log);
  return { ...made, kind, address };
}

/** The choice with what the store says of itself where no flag does; null if that is not what failed. */
function choiceSaidBy(error: unknown, choice: StoreChoice): StoreChoice | null {
  if (isOfOwnTables(error)) return { ...choice, ownTables: true };
  if (error instanceof OtherDecimalsError && choice.decimals === undefined) {
    return { ...choice, decimals: error.found };
  }
  return null;
}

/**
 * The store of an opened one that keeps the money itself.
 * @throws CommandFailure over tables of the platform's own; the store is closed then.
 */
export async function keptAccounts(
  { store, accounts, address }: OpenedStore,
  what: string,
): Promise<AccountStore & EventSource> {
  if (accounts !== null) return accounts;
  await store.close();
  throw new CommandFailure(
    `The money of the store ${address} is in tables of the platform's own: ${what}.`,
  );
}

/**
 * Opens a store as {@link openStore} does, with the consumers of events that are declared in it and the
 * history that it keeps, so that its commits write both. For commands that commit rounds; `round` is the one
 * to commit: in PostgreSQL a history is kept if that has balances.
 * @throws CommandFailure, also if the consumers or the history cannot be read.
 */
export async function openToCommit(
  choice: StoreFlags,
  log: EarlyLog,
  round?: RoundKey,
): Promise<OpenedStore> {
  const opened = await openStore(choice, log);
  const events = await consumersOf(opened);
  const keepsHistory = redisForm.test(choice.store)
    ? await keepsHistoryIn(opened)
    : round !== undefined && (await hasBalances(opened, round));
  if (events.length === 0 && !keepsHistory) return opened;
  await opened.store.close();
  return openStore({ ...choice, events, ...(keepsHistory ? { history: true } : {}) }, log);
}

async function keepsHistoryIn({ store, address }: OpenedStore): Promise<boolean> {
  const anyone = { operatorId: 'probe', playerId: 'probe' };
  const page = (await store.rounds?.(anyone, { limit: 1 })) ?? { kind: 'off' };
  if (page.kind !== 'unknown') return page.kind === 'known';
  await store.close();
  throw new CommandFailure(
    `Whether the store ${address} keeps a history cannot be read: ${messageOf(page.cause)}`,
  );
}

async function hasBalances({ store, address }: OpenedStore, round: RoundKey): Promise<boolean> {
  try {
    return (await store.readRound(round))?.balances !== undefined;
  } catch (error) {
    await store.close();
    throw new CommandFailure(
      `The round of the store ${address} cannot be read: ${messageOf(error)}`,
    );
  }
}

async function consumersOf({ store, address }: OpenedStore): Promise<readonly string[]> {
  try {
    return await store.declaredConsumers();
  } catch (error) {
    await store.close();
    throw new CommandFailure(
      `The consumers of events of the store ${address} cannot be read: ${messageOf(error)}`,
    );
  }
}

function createStore(choice: StoreChoice, log: EarlyLog): Pick<OpenedStore, 'store' | 'accounts'> {
  const { store, decimals, retentionMs, events, eventsLimit, history } = choice;
  checkEventsLimit(choice);
  const options = {
    ...(decimals === undefined ? {} : { decimals }),
    ...(retentionMs === undefined ? {} : { retentionMs }),
    ...(events === undefined ? {} : { events }),
    ...(eventsLimit === undefined ? {} : { eventsLimit }),
    ...(history === true ? { history } : {}),
  };
  if (redisForm.test(store)) {
    checkOwnFlags(choice, 'Redis');
    const serves = choice.serves === true;
    const acceptOlderData = choice.acceptOlderData === true;
    return keeping(createRedis(choice, { ...options, serves, acceptOlderData }, log));
  }
  if (postgresForm.test(store)) {
    checkOwnFlags(choice, 'PostgreSQL');
    if (choice.ownTables !== true) return keeping(createPostgres(choice, options, log));
    return { store: createOwnTables(choice, options, log), accounts: null };
  }
  if (store !== 'memory:') {
    throw new CommandFailure(
      '--store must be memory: or begin with postgres://, redis://, rediss://, redis+sentinel:// or redis+cluster://',
    );
  }
  checkOwnFlags(choice, 'memory');
  if (choice.init === true)
    throw new CommandFailure('--init is for a store in Redis or PostgreSQL');
  return keeping(createMemoryStore(options));
}

function keeping(accounts: AccountStore & EventSource): Pick<OpenedStore, 'store' | 'accounts'> {
  return { store: accounts, accounts };
}

/** A flag without effect was meant for another store. */
function checkOwnFlags(flags: StoreChoice, kind: 'Redis' | 'PostgreSQL' | 'memory'): void {
  for (const [name, owner, isGiven] of ownFlags) {
    if (owner !== kind && isGiven(flags)) {
      throw new CommandFailure(`${name} is for a store in ${owner}`);
    }
  }
}

function checkEventsLimit({ store, events, eventsLimit }: StoreChoice): void {
  if (eventsLimit === undefined) return;
  if (events === undefined) throw new CommandFailure('--events-limit needs --events');
  if (store === 'memory:') {
    throw new CommandFailure('--events-limit is for a store in Redis or PostgreSQL');
  }
}

/** Which flag helps, by the store's message. */
const cures: readonly (readonly [RegExp, string])[] = [
  [/must be|cannot be checked/, 'For development, --accept-loss uses it anyway.'],
  [/holds no store/, 'If it has another prefix, set --namespace. The flag --init creates one.'],
  [/does not exist: restore/, 'If it has another name, set --schema. The flag --init creates one.'],
];

function reasonOf(error: unknown, log: EarlyLog): string {
  const message = messageOf(error);
  if (error instanceof StoreUnsafeError) {
    const [, cure] = cures.find(([pattern]) => pattern.test(message)) ?? [];
    return cure === undefined ? message : `${message} ${cure}`;
  }
  const reason = plainLine(log.reasons.at(-1) ?? '');
  return message.includes(reason) ? message : `${message}; ${reason}`;
}
