import express from 'express';

import { createRgsClient, type RgsClientOptions } from '../../../lib/operator/client';
import { createOperatorHandler, type OperatorOptions } from '../../../lib';
import { createServer } from '../../../lib/operator/express/create-server';
import { createOperatorRouter } from '../../../lib/operator/express/router';
import {
  createLedgerStore,
  type LedgerStoreOptions,
  startSweeper,
  type SweeperOptions,
} from '../../../lib/operator/ledger';
import {
  type CallWatchOptions,
  createCallWatch,
  type MinutesOptions,
  createOperationsHandler,
  createOperationsRouter,
  type OperationsOptions,
  startMinutes,
} from '../../../lib/operator/operations';
import { createMemoryStore, type MemoryStoreOptions } from '../../../lib/operator/stores/memory';
import {
  createOwnTablesStore,
  createPostgresStore,
  migratePostgres,
  type MigratePostgresOptions,
  type PostgresStoreOptions,
} from '../../../lib/operator/stores/postgres';
import {
  createRedisStore,
  initRedis,
  type RedisStoreOptions,
} from '../../../lib/operator/stores/redis';
import { createMetrics, type MetricsOptions } from '../../../lib/operator/telemetry';
import {
  createMemoryLedger,
  createRequestSigner,
  type RequestSignerOptions,
} from '../../../lib/proof';
import {
  createGameEngineClient,
  createGameProviderHandler,
  createGameProviderRouter,
  type GameEngineClientOptions,
  type GameProviderOptions,
} from '../../../lib/provider';
import {
  createFileJournal,
  createMemoryJournal,
  createSandbox,
  type FileJournalOptions,
  type SandboxOptions,
} from '../../../lib/rgs/sandbox';

/** A value of each type. No option takes those of the first row. */
export const samples = {
  symbol: Symbol('hush'),
  nothing: null,
  bigint: 10n,
  notANumber: Number.NaN,
  bare: Object.create(null) as unknown,
  text: 'hush',
  number: 7,
  flag: true,
  list: [] as unknown,
  object: {} as unknown,
  function: (): void => {},
};
export type Kind = keyof typeof samples;

/** What each option takes, of {@link samples}; the compiler reports a missing option. */
type Takes<T> = { readonly [name in keyof T]-?: readonly Kind[] };

export interface Factory {
  readonly make: (options: object) => unknown;
  readonly good: object;
  readonly takes: Readonly<Record<string, readonly Kind[]>>;
}

function factory<T>(make: (options: never) => unknown, good: object, takes: Takes<T>): Factory {
  return { make: make as Factory['make'], good, takes };
}

const secret = 's'.repeat(16);
const operators = [{ operatorId: 'casino', secrets: [secret] }];
const store = createMemoryStore();
const ledger = createMemoryLedger();
const text: readonly Kind[] = ['text'];
const number: readonly Kind[] = ['number'];
const flag: readonly Kind[] = ['flag'];
const code: readonly Kind[] = ['function'];
/** No sample fits: a part with methods, a list with content, one of a few words. */
const own: readonly Kind[] = [];

const storeTakes = {
  decimals: number,
  retentionMs: number,
  events: ['list'],
  eventsLimit: number,
  history: flag,
  limitsFrom: own,
  unit: own,
} as const;
const client: Takes<Omit<RgsClientOptions, 'operatorId'>> = {
  baseUrl: own,
  allowHttp: flag,
  secret: own,
  attemptTimeoutMs: number,
  timeoutMs: number,
  attempts: number,
  maxReplyBytes: number,
  onAttempt: code,
  logger: own,
  tracer: own,
  clock: own,
  random: own,
  fetch: code,
};
const redis: Takes<Omit<RedisStoreOptions, 'init'>> = {
  ...storeTakes,
  url: text,
  tls: ['object', 'bare'],
  client: own,
  namespace: text,
  commandTimeoutMs: number,
  connectTimeoutMs: number,
  waitReplicas: number,
  acceptLoss: flag,
  assumeDurable: flag,
  serves: flag,
  acceptOlderData: flag,
  acceptMixed: flag,
  logger: own,
  clock: own,
  random: own,
};
const postgres: Takes<PostgresStoreOptions> = {
  ...storeTakes,
  url: text,
  tls: ['object', 'bare'],
  pool: own,
  schema: text,
  migrate: flag,
  init: flag,
  serves: flag,
  acceptOlderData: flag,
  acceptMixed: flag,
  poolSize: number,
  commandTimeoutMs: number,
  lockTimeoutMs: number,
  connectTimeoutMs: number,
  sessionTimeouts: flag,
  preparedStatements: flag,
  acceptLoss: flag,
  logger: own,
  clock: own,
  random: own,
};
const router: Takes<OperatorOptions> = {
  store: own,
  operators: own,
  clockToleranceMs: number,
  rememberedSignatures: number,
  maxBodyBytes: number,
  maxTransactions: number,
  maxInFlight: number,
  shed: text,
  turnBudgetMs: number,
  turnSpikeMs: number,
  turnWindowMs: number,
  deadlineMs: number,
  useBonusFirst: flag,
  creditTo: own,
  debitCheck: code,
  debitCheckMs: number,
  debitCheckSilence: own,
  expiredDebits: own,
  errors: ['object', 'bare'],
  logger: own,
  logTransactions: flag,
  metrics: own,
  calls: own,
  tracer: own,
  spanParent: own,
  clock: own,
  random: own,
  onOutcome: code,
  session: code,
  freePlays: code,
  discountCheck: code,
};
const operations: Takes<OperationsOptions> = {
  store: own,
  operators: own,
  authorize: code,
  publicOrigin: own,
  signOut: own,
  fourEyes: own,
  creditTo: own,
  openHours: number,
  timeZone: own,
  booksZone: own,
  archiveCheck: code,
  calls: own,
  logger: own,
  clock: own,
};
const provider: Takes<GameProviderOptions> = {
  providers: own,
  getGameConfiguration: code,
  doAutoClose: code,
  getGameResult: code,
  health: code,
  certifiedFiles: code,
  verifyHealth: flag,
  clockToleranceMs: number,
  deadlineMs: number,
  maxBodyBytes: number,
  rememberedSignatures: number,
  signedFields: ['object', 'bare'],
  errors: ['object', 'bare'],
  logger: own,
  clock: own,
  random: own,
  onCall: code,
};
const goodProvider = {
  providers: [{ gameProviderId: 'studio', secrets: [secret] }],
  health: () => ({}),
};
const sandbox = {
  operators: [{ operatorId: 'casino', secrets: [secret], wallet: 'http://127.0.0.1:1' }],
  providers: [
    {
      gameProviderId: 'studio',
      secrets: ['p'.repeat(16)],
      router: 'http://127.0.0.1:1',
      games: [{ gameCode: 'bells', name: 'Bells', launchUrl: 'http://127.0.0.1:1' }],
    },
  ],
};

export const factories: Readonly<Record<string, Factory>> = {
  createOperatorRouter: factory<OperatorOptions>(
    createOperatorRouter,
    { store, operators },
    router,
  ),
  createOperatorHandler: factory<OperatorOptions>(
    createOperatorHandler,
    { store, operators },
    router,
  ),
  createMemoryStore: factory<MemoryStoreOptions>(
    createMemoryStore,
    {},
    { ...storeTakes, clock: own },
  ),
  createRedisStore: factory<RedisStoreOptions>(
    createRedisStore,
    { url: 'rediss://127.0.0.1:1' },
    { ...redis, init: flag },
  ),
  initRedis: factory<Omit<RedisStoreOptions, 'init'>>(
    initRedis,
    { url: 'rediss://127.0.0.1:1' },
    redis,
  ),
  createPostgresStore: factory<PostgresStoreOptions>(
    createPostgresStore,
    { url: 'postgres://127.0.0.1:1/none' },
    postgres,
  ),
  createOwnTablesStore: factory<PostgresStoreOptions>(
    createOwnTablesStore,
    { url: 'postgres://127.0.0.1:1/none' },
    postgres,
  ),
  migratePostgres: factory<MigratePostgresOptions>(
    migratePostgres,
    { url: 'postgres://127.0.0.1:1/none' },
    {
      url: text,
      pool: own,
      schema: text,
      decimals: number,
      unit: own,
      logger: own,
      retryForMs: number,
    },
  ),
  createLedgerStore: factory<LedgerStoreOptions>(
    createLedgerStore,
    { ledger, journal: store },
    {
      ledger: own,
      journal: own,
      attemptTimeoutMs: number,
      attempts: number,
      deadlineMs: number,
      breakAfter: number,
      breakMs: number,
      logger: own,
      metrics: own,
      tracer: own,
      clock: own,
      random: own,
    },
  ),
  startSweeper: factory<SweeperOptions>(
    startSweeper,
    { store: createLedgerStore({ ledger, journal: store }), operatorIds: ['casino'] },
    {
      store: own,
      operatorIds: own,
      intervalMs: number,
      graceMs: number,
      giveUpAfterMs: number,
      roundsAtOnce: number,
      roundTimeoutMs: number,
      logger: own,
      metrics: own,
      clock: own,
      random: own,
    },
  ),
  createCallWatch: factory<CallWatchOptions>(createCallWatch, {}, { clock: own, random: own }),
  startMinutes: factory<MinutesOptions>(
    startMinutes,
    { store, calls: createCallWatch() },
    { store: own, calls: own, logger: own, clock: own, random: own },
  ),
  createOperationsRouter: factory<OperationsOptions>(
    createOperationsRouter,
    { store, operators: ['casino'], authorize: () => null },
    operations,
  ),
  createOperationsHandler: factory<OperationsOptions>(
    createOperationsHandler,
    { store, operators: ['casino'], authorize: () => null },
    operations,
  ),
  createRgsClient: factory<RgsClientOptions>(
    createRgsClient,
    { baseUrl: 'https://rgs.example', operatorId: 'casino', secret },
    { ...client, operatorId: text },
  ),
  createMetrics: factory<MetricsOptions>(createMetrics, {}, { attention: flag, clock: own }),
  createGameEngineClient: factory<GameEngineClientOptions>(
    createGameEngineClient,
    { baseUrl: 'https://rgs.example', gameProviderId: 'studio', secret },
    { ...client, gameProviderId: text, emptyBodyAs: own, newId: code },
  ),
  createGameProviderHandler: factory<GameProviderOptions>(
    createGameProviderHandler,
    goodProvider,
    provider,
  ),
  createGameProviderRouter: factory<GameProviderOptions>(
    createGameProviderRouter,
    goodProvider,
    provider,
  ),
  createFileJournal: factory<FileJournalOptions>(
    createFileJournal,
    { path: '/dev/null/journal' },
    { path: text, compactAboveBytes: number, logger: own },
  ),
  createMemoryJournal: factory<object>(createMemoryJournal, {}, {}),
  createSandbox: factory<SandboxOptions>(createSandbox, sandbox, {
    operators: own,
    providers: own,
    url: ['text', 'function'],
    journal: ['function'],
    seed: number,
    keepCalls: number,
    service: ['object', 'bare'],
    walletTimeoutMs: number,
    voidSpelling: own,
    requireRequestId: flag,
    gameUrlSignedFields: ['list'],
    allowedHosts: ['list'],
    scenarios: ['list'],
    players: ['list'],
    onFinding: code,
    onCall: code,
    clock: own,
    random: own,
    logger: own,
  }),
  createMemoryLedger: factory<object>(createMemoryLedger, {}, {}),
  createRequestSigner: factory<RequestSignerOptions>(
    createRequestSigner,
    { operatorId: 'casino', secret },
    { operatorId: text, secret: own, now: code },
  ),
  createServer: factory<{ tls: unknown }>(
    (options: object) => createServer(express(), options),
    {},
    { tls: ['object', 'bare'] },
  ),
};
