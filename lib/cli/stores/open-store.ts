import { StoreUnsafeError } from '../../operator/wallet';
import { createMemoryStore } from '../../operator/stores/memory';
import type { AccountStore } from '../../operator/wallet';
import { CommandFailure, messageOf, plainLine, withoutLogin } from '../terminal/failure';
import type { StoreFlags } from '../terminal/flags';
import type { EarlyLog } from '../terminal/log';
import { createPostgres, postgresForm } from './postgres';
import { createRedis, redisForm } from './redis';

/** Which store, and its options. */
export interface StoreChoice extends StoreFlags {
  /** See StoreOptions. */
  readonly retentionMs?: number;
}

/** A store that is ready. */
export interface OpenedStore {
  readonly store: AccountStore;
  /** The scheme of its address: `memory`, `redis`, `redis+cluster`, `postgres`. */
  readonly kind: string;
  /** Its address, without user name and password. */
  readonly address: string;
}

/** Flags of one kind of store only, and whether they are given. */
const ownFlags: readonly (readonly [
  string,
  'Redis' | 'PostgreSQL',
  (flags: StoreFlags) => boolean,
])[] = [
  ['--namespace', 'Redis', ({ namespace }) => namespace !== undefined],
  ['--wait-replicas', 'Redis', ({ waitReplicas }) => waitReplicas !== undefined],
  ['--assume-durable', 'Redis', ({ assumeDurable }) => assumeDurable === true],
  ['--init', 'Redis', ({ init }) => init === true],
  ['--schema', 'PostgreSQL', ({ schema }) => schema !== undefined],
  ['--migrate', 'PostgreSQL', ({ migrate }) => migrate === true],
  ['--no-session-timeouts', 'PostgreSQL', ({ sessionTimeouts }) => !sessionTimeouts],
];

/**
 * Opens the store of an address and waits until the server check has passed.
 * @throws CommandFailure for an invalid address, a store that is unreachable or not safe, and a missing
 * package. The address may hold a password, so it is never repeated whole.
 */
export async function openStore(choice: StoreChoice, log: EarlyLog): Promise<OpenedStore> {
  const address = withoutLogin(choice.store);
  const kind = address.split(':', 1)[0] ?? '';
  const store = createStore(choice, log);
  try {
    await store.ready();
  } catch (error) {
    await store.close();
    throw new CommandFailure(`The store ${address} cannot be used: ${reasonOf(error, log)}`);
  }
  return { store, kind, address };
}

function createStore(choice: StoreChoice, log: EarlyLog): AccountStore {
  const { store, decimals, retentionMs } = choice;
  const options = {
    ...(decimals === undefined ? {} : { decimals }),
    ...(retentionMs === undefined ? {} : { retentionMs }),
  };
  if (redisForm.test(store)) {
    checkOwnFlags(choice, 'Redis');
    return createRedis(choice, options, log);
  }
  if (postgresForm.test(store)) {
    checkOwnFlags(choice, 'PostgreSQL');
    return createPostgres(choice, options, log);
  }
  if (store !== 'memory:') {
    throw new CommandFailure(
      '--store must be memory: or begin with postgres://, redis://, rediss://, redis+sentinel:// or redis+cluster://',
    );
  }
  checkOwnFlags(choice, 'memory');
  return createMemoryStore(options);
}

/** A flag without effect was meant for another store. */
function checkOwnFlags(flags: StoreFlags, kind: 'Redis' | 'PostgreSQL' | 'memory'): void {
  for (const [name, owner, isGiven] of ownFlags) {
    if (owner !== kind && isGiven(flags)) {
      throw new CommandFailure(`${name} is for a store in ${owner}`);
    }
  }
}

/** Which flag helps, by the store's message. */
const cures: readonly (readonly [RegExp, string])[] = [
  [/must be|cannot be checked/, 'For development, --accept-loss uses it anyway.'],
  [/holds no store/, 'The flag --init creates one.'],
  [/does not exist: run `rgs-wallet migrate`/, 'The flag --migrate creates it.'],
];

function reasonOf(error: unknown, log: EarlyLog): string {
  const message = messageOf(error);
  if (error instanceof StoreUnsafeError) {
    const [, cure] = cures.find(([pattern]) => pattern.test(message)) ?? [];
    return cure === undefined ? message : `${message} ${cure}`;
  }
  const reason = log.reasons.at(-1);
  return reason === undefined || message.includes(reason)
    ? message
    : `${message} ${plainLine(reason)}`;
}
