import { createMemoryStore } from '../../operator/stores/memory';
import type { OwnTablesStore } from '../../operator/stores/postgres';
import {
  type FullStore,
  OtherMoneyError,
  OtherTermsError,
  type RoundJournal,
  type RoundKey,
  StoreUnsafeError,
  type WalletStore,
} from '../../operator/wallet';
import type { MixedOptions } from '../../operator/stores/companions';
import type { LineageOptions } from '../../operator/stores/lineage';
import { leastRetentionMs, type StoreOptions } from '../../operator/stores/store-options';
import { systemClock } from '../../platform';
import { CommandFailure, failing, messageOf, plainLine, withoutLogin } from '../terminal/failure';
import { callDecimals, type StoreFlags } from '../terminal/flags';
import { EarlyLog } from '../terminal/log';
import { createPostgres, postgresForm } from './postgres';
import { createRedis, redisForm } from './redis';
import { defined } from '../../platform/validation/defined';

/** Which store, and its options; unlike in LineageOptions, `serves` unset means that the process does not serve. */
export interface StoreChoice extends StoreFlags, StoreOptions, LineageOptions, MixedOptions {
  /** The ledger that has the money: the store has rounds alone. */
  readonly ledger?: string;
  /** For a command that only reads: a store of rounds alone is opened without the ledger too. */
  readonly readsJournals?: true;
}

/** A store that is ready. */
export interface OpenedStore {
  readonly store: FullStore | OwnTablesStore;
  /** The same, if it keeps the money; null over tables of the platform's own, and if a ledger has it. */
  readonly accounts: FullStore | null;
  /** The same, if it can keep the rounds of a ledger; null over tables of the platform's own. */
  readonly journal: RoundJournal | null;
  /** The scheme of its address: `memory`, `redis`, `redis+cluster`, `postgres`. */
  readonly kind: string;
  /** Its address, without user name and password. */
  readonly address: string;
}

/** What a store says of a cluster that is not complete, and how long a command waits for it. */
const clusterForms = {
  sign: /no master is known yet|CLUSTERDOWN/,
  withinMs: 30_000,
  pauseMs: 250,
} as const;

/** Flags of one kind of store only, and whether they are given. */
const ownFlags: readonly (readonly [
  string,
  'Redis' | 'PostgreSQL',
  (flags: StoreChoice) => boolean,
])[] = [
  ['--namespace', 'Redis', ({ namespace }) => namespace !== undefined],
  ['--wait-replicas', 'Redis', ({ waitReplicas }) => waitReplicas !== undefined],
  ['--assume-durable', 'Redis', ({ assumeDurable }) => assumeDurable === true],
  ['--schema', 'PostgreSQL', ({ schema }) => schema !== undefined],
  ['--migrate', 'PostgreSQL', ({ migrate }) => migrate === true],
  ['--own-tables', 'PostgreSQL', ({ ownTables }) => ownTables === true],
  ['--no-session-timeouts', 'PostgreSQL', ({ sessionTimeouts }) => !sessionTimeouts],
];

/** Flags that a store in memory has no use for. */
const serverFlags = [
  ['--init', 'init'],
  ['--accept-older-data', 'acceptOlderData'],
  ['--accept-mixed', 'acceptMixed'],
] as const;

/**
 * Opens the store of an address and waits until the server check has passed. The data say how many decimals and which
 * unit they have, unless a flag does, and whether their money is in tables of the platform's own, or in a ledger.
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
    await readyOrFormed(store, address);
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
  if (error instanceof OtherMoneyError && choice.ledger === undefined) {
    if (error.found === 'own') return { ...choice, ownTables: true };
    if (error.found === 'ledger' && choice.readsJournals) return { ...choice, ledger: '' };
  }
  return error instanceof OtherTermsError ? error.complete(choice) : null;
}

/**
 * Waits for the server check, and for a cluster that is still forming: a service and its cluster start together.
 * @throws StoreUnsafeError, StoreUnavailableError.
 */
async function readyOrFormed(store: WalletStore, address: string): Promise<void> {
  const deadline = systemClock.monotonicMs() + clusterForms.withinMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await store.ready();
    } catch (error) {
      const isLate = systemClock.monotonicMs() >= deadline;
      if (isLate || !clusterForms.sign.test(messageOf(error))) throw error;
    }
    if (isFirst) {
      process.stderr.write(
        `The cluster ${address} has no master yet: waiting for it, ${clusterForms.withinMs / 1000} s at most.\n`,
      );
    }
    await systemClock.pause(clusterForms.pauseMs);
  }
}

/**
 * The store of an opened one that keeps the money itself.
 * @throws CommandFailure over tables of the platform's own, and if a ledger has the money; the store is closed then.
 */
export async function keptAccounts(opened: OpenedStore, what: string): Promise<FullStore> {
  return opened.accounts ?? elsewhere(opened, what);
}

/**
 * The store of an opened one as the journal of a ledger.
 * @throws CommandFailure over tables of the platform's own; the store is closed then.
 */
export async function keptJournal(opened: OpenedStore): Promise<RoundJournal> {
  return opened.journal ?? elsewhere(opened, 'a ledger needs a schema or a store for rounds alone');
}

async function elsewhere({ store, journal, address }: OpenedStore, what: string): Promise<never> {
  await store.close();
  const place = journal === null ? "tables of the platform's own" : 'a ledger';
  throw new CommandFailure(`The money of the store ${address} is in ${place}: ${what}.`);
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
  const kept = await keptIn(opened, choice, round).catch(async (error: unknown) => {
    await opened.store.close();
    throw error;
  });
  if (kept.events.length === 0 && !kept.history) return opened;
  await opened.store.close();
  return openStore({ ...choice, ...kept }, log);
}

/** The declared consumers, and whether a history is kept. @throws CommandFailure if they cannot be read. */
async function keptIn({ store, address }: OpenedStore, choice: StoreFlags, round?: RoundKey) {
  const events = await store.events
    .declaredConsumers()
    .catch(failing(`The consumers of events of the store ${address} cannot be read`));
  if (!redisForm.test(choice.store)) {
    const report = round && store.rounds.readRound(round);
    const failed = failing(`The round of the store ${address} cannot be read`);
    return { events, history: (await report?.catch(failed))?.balances !== undefined };
  }
  const anyone = { operatorId: 'probe', playerId: 'probe' };
  const page = (await store.history?.rounds(anyone, { limit: 1 })) ?? { kind: 'off' };
  if (page.kind !== 'unknown') return { events, history: page.kind === 'known' };
  return failing(`Whether the store ${address} keeps a history cannot be read`)(page.cause);
}

type Created = Pick<OpenedStore, 'store' | 'accounts' | 'journal'>;

function createStore(choice: StoreChoice, log: EarlyLog): Created {
  const { store, decimals, unit, retentionMs, events, eventsLimit, history, limitsFrom } = choice;
  const options = defined({
    decimals,
    unit,
    retentionMs,
    events,
    eventsLimit,
    history,
    limitsFrom,
  });
  callDecimals(choice);
  checkLimitsFrom(choice);
  checkEventsLimit(choice);
  const served = {
    ...options,
    serves: choice.serves === true,
    acceptOlderData: choice.acceptOlderData === true,
    acceptMixed: choice.acceptMixed === true,
  };
  if (redisForm.test(store)) {
    checkOwnFlags(choice, 'Redis');
    return keeping(createRedis(choice, served, log), choice);
  }
  if (postgresForm.test(store)) {
    checkOwnFlags(choice, 'PostgreSQL');
    if (choice.ownTables !== true) {
      return keeping(createPostgres('createPostgresStore', choice, served, log), choice);
    }
    const own = createPostgres('createOwnTablesStore', choice, served, log);
    return { store: own, accounts: null, journal: null };
  }
  if (store !== 'memory:') {
    throw new CommandFailure(
      '--store must be memory: or begin with postgres://, redis://, rediss://, redis+sentinel:// or redis+cluster://',
    );
  }
  checkOwnFlags(choice, 'memory');
  for (const [name, isGiven] of serverFlags) {
    if (choice[isGiven] === true)
      throw new CommandFailure(`${name} is for a store in Redis or PostgreSQL`);
  }
  return keeping(createMemoryStore(options), choice);
}

function keeping(store: FullStore, { ledger }: StoreChoice): Created {
  if (ledger === undefined) return { store, accounts: store, journal: store };
  store.keepForLedger?.();
  return { store, accounts: null, journal: store };
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

function checkLimitsFrom({ limitsFrom, ledger, retentionMs = 0 }: StoreChoice): void {
  if (limitsFrom === undefined) return;
  if (ledger !== undefined) {
    throw new CommandFailure("--limits-from is not for a ledger: the limits are the platform's");
  }
  if (retentionMs < leastRetentionMs) {
    throw new CommandFailure('--limits-from history needs --retention-days of at least 32');
  }
}

/** Which flag helps, by the store's message. */
const cures: readonly (readonly [RegExp, string])[] = [
  [/must be|cannot be checked/, 'For development, --accept-loss uses it anyway.'],
  [/has rounds alone/, 'If it is the journal of a ledger, name that with --ledger.'],
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
