import type { Command } from 'commander';
import { createOperatorHandler, type OperatorHandler } from '../../operator/http/handler';
import { systemClock } from '../../platform';
import { prepareAdmin } from '../admin/prepare';
import { readCredentials } from '../terminal/credentials';
import { CommandFailure } from '../terminal/failure';
import {
  chooseStore,
  checkKeepFlags,
  consumersOf,
  type KeptMoney,
  keepMoneyIn,
} from './keep-money';
import { addServeFlags, type ServeFlags } from './flags';
import { readHandlerFlags } from './handler-flags';
import type { HttpService } from '../terminal/http-service';
import { createWalletService } from './wallet-service';
import { createLog, EarlyLog, type ServiceLog } from '../terminal/log';
import { connectionsWithin, openFilesLimit, type OpenedTracer, openTracer } from './open-files';
import { keptAccounts, type OpenedStore, openStore } from '../stores/open-store';
import { openPlayers, readPlayers } from './players';
import { catchStopSignals } from '../terminal/stop-signals';

const dayMs = 24 * 3600 * 1000;

/** The least time for closing, however short the grace for calls is. */
const minToCloseMs = 2000;

/** Adds `rgs-wallet serve`. */
export function addServe(program: Command): void {
  const command = program
    .command('serve')
    .summary('run a standalone wallet service')
    .description(
      'Runs a wallet service over HTTP: POST /doTransactions, GET /getBalance, and for probes GET /healthz and /readyz. Put TLS in front of it. Logs JSON to stdout; the first line has the port.',
    );
  addServeFlags(command)
    .addHelpText(
      'after',
      '\nOPERATOR_ID and OPERATOR_SECRET in the environment name a single operator.\nWithout --store it starts only at a terminal, and never with NODE_ENV=production: it keeps money in memory only on request.\nSIGTERM and SIGINT stop it: calls in flight are finished, then it exits with 0.',
    )
    .action((flags: ServeFlags) => serve(flags));
}

async function serve(flags: ServeFlags): Promise<void> {
  const signals = catchStopSignals();
  const handlerOptions = readHandlerFlags(flags);
  const operators = readCredentials(flags);
  const admin = prepareAdmin(flags);
  const players = flags.players === undefined ? [] : readPlayers(flags.players);
  const basePath = checkBasePath(flags.basePath ?? '');
  const keep = { ...flags, ...consumersOf(flags), store: chooseStore(flags.store) };
  checkKeepFlags(keep);
  const maxConnections = maxConnectionsOf(flags);
  const log = createLog(flags.logLevel);
  logCrashes(log);
  const early = new EarlyLog();
  const { retentionDays } = flags;
  const retention = retentionDays === undefined ? {} : { retentionMs: retentionDays * dayMs };
  const tracer = await openTracer(flags.tracer);
  const opened = await openStore({ ...keep, ...retention, serves: true }, early);
  if (flags.players !== undefined)
    await keptAccounts(opened, 'open the players of --players there');
  const operatorIds = operators.map(({ operatorId }) => operatorId);
  const watched = { logger: log, ...admin.metrics, ...tracer.option };
  const money = await keepMoneyIn(opened, keep, { operatorIds, watched });
  const { store } = money;
  let patience: Promise<unknown> = signals.second;
  try {
    const observers = { ...watched, ...admin.calls };
    const handler = createOperatorHandler({ store, operators, ...observers, ...handlerOptions });
    const parts = { handler, store: handler, basePath, maxConnections, log };
    const service = createWalletService(parts);
    const counts = await openPlayers(opened.accounts, operators, players, flags.players ?? '');
    const { creditTo = 'real' } = handlerOptions;
    await admin.listen({ store, operators: operatorIds, creditTo, log });
    const port = await service.listen(flags.port, flags.host);
    logStart(log, flags, opened, { port, maxConnections });
    admin.announce(log);
    if (flags.players !== undefined) log.info({ ...counts }, 'players opened');
    early.release(log);
    const signal = await signals.first;
    log.info({ signal }, 'stopping: finishing calls in flight');
    patience = Promise.race([
      systemClock.pause(flags.graceMs, undefined, 'background'),
      signals.second,
    ]);
    await stop(service, handler, patience, log);
  } finally {
    await admin.close();
    const closing = { close: () => closeAll(money, tracer) };
    await release(closing, Promise.race([patienceToClose(patience), signals.second]), log);
  }
  log.info({}, 'stopped');
}

/** Closes the service first, so that no call reaches a closed handler; then the store. */
async function stop(
  service: HttpService,
  handler: OperatorHandler,
  patience: Promise<unknown>,
  log: ServiceLog,
): Promise<void> {
  const answered = await service.close(patience);
  const settled = await Promise.race([
    handler.close().then(() => true),
    patience.then(() => false),
  ]);
  if (!answered || !settled) {
    log.warn({}, 'shut down with calls in flight; the RGS will void or resend them');
  }
}

/** The tracer last: what the others do while they close is traced too. */
async function closeAll(money: KeptMoney, tracer: OpenedTracer): Promise<void> {
  await money.close();
  await tracer.close();
}

/** The ledger is the user's own code: a pool in it may wait for ever for a query without an answer. */
async function release(
  money: Pick<KeptMoney, 'close'>,
  patience: Promise<unknown>,
  log: ServiceLog,
): Promise<void> {
  const isClosed = await Promise.race([money.close().then(() => true), patience.then(() => false)]);
  if (!isClosed) log.warn({}, 'the store, the ledger or the tracer did not close in time');
}

/** Closing takes a moment, even if calls get no grace. */
async function patienceToClose(patience: Promise<unknown>): Promise<void> {
  await Promise.all([patience, systemClock.pause(minToCloseMs, undefined, 'background')]);
}

function logStart(
  log: ServiceLog,
  { host, basePath = '', ledger }: ServeFlags,
  { kind, address, accounts }: OpenedStore,
  { port, maxConnections }: { readonly port: number; readonly maxConnections: number | null },
): void {
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`;
  const ownTables = accounts === null ? { money: 'own tables' } : {};
  const keeping = ledger === undefined ? ownTables : { ledger };
  const where = { port, host, url, store: kind, storeAddress: address, ...keeping };
  log.info({ ...where, maxConnections }, 'listening');
  if (kind === 'memory') {
    const kept = ledger === undefined ? 'money and rounds' : 'rounds';
    log.warn({}, `the memory store forgets all ${kept} when this process ends`);
  }
}

/** If callers used up all descriptors, the store could not reconnect. */
function maxConnectionsOf({ maxConnections }: ServeFlags): number | null {
  const openFiles = openFilesLimit();
  const most = connectionsWithin(openFiles);
  if (maxConnections === undefined || most === null) return maxConnections ?? most;
  if (maxConnections <= most) return maxConnections;
  throw new CommandFailure(
    `--max-connections must be at most ${most}: this process may have ${openFiles} files open, and the store needs some of them`,
  );
}

function checkBasePath(path: string): string {
  if (path !== '' && !/^(?:\/[\w.~-]+)+$/.test(path)) {
    throw new CommandFailure(
      '--base-path must begin with a slash and not end with one, such as /wallet',
    );
  }
  return path;
}

/** After an uncaught exception the state of the process is unknown. */
function logCrashes(log: ServiceLog): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception: exiting');
    process.exit(1);
  });
}
