import { join } from 'node:path';
import { createOperatorHandler } from '../../lib/operator/http/handler';
import { createServer } from '../../lib/operator/express/create-server';
import { createOperatorRouter } from '../../lib/operator/express/router';
import { startTotals } from '../../lib/operator/reconciliation/totals';
import { createRedisStore, type RedisStoreOptions } from '../../lib/operator/stores/redis';
import { createMetrics } from '../../lib/operator/telemetry';
import { totalsConsumer } from '../../lib/operator/wallet';
import type { Contestant } from './contestant';
import { operatorId, patience } from '../terms';
import { createApp } from './express-app';
import {
  balancesInStore,
  limitInStore,
  openInStore,
  operators,
  withoutFollowUps,
} from './kit-accounts';

const main = join(__dirname, '../../dist/cli/main.js');

const inRedis = {
  server: 'redis',
  prepare: (url, players) =>
    openInStore(createRedisStore({ init: true, url, ...patience }), players),
  balances: (url, players) =>
    balancesInStore(createRedisStore({ url, serves: false, ...patience }), players),
} satisfies Partial<Contestant>;

async function readyStore(
  url: string,
  options: Pick<RedisStoreOptions, 'events' | 'history'> = {},
) {
  const store = createRedisStore({ url, ...options });
  await store.ready();
  return store;
}

/** The kit's handler on node:http. */
export const handlerRedis: Contestant = {
  ...inRedis,
  title: 'kit: handler on node:http, Redis',
  start: async (url) => createOperatorHandler({ store: await readyStore(url), operators }).handle,
};

/** The same, for players with three limits. */
export const limitedRedis: Contestant = {
  ...handlerRedis,
  title: 'kit: handler on node:http, Redis, players with three limits',
  prepare: async (url, players) => {
    await inRedis.prepare(url, players);
    await limitInStore(createRedisStore({ url, ...patience }), players);
  },
};

/** The same without limits, with a consumer of events: each commit writes one. */
export const tellingRedis: Contestant = {
  ...inRedis,
  title: 'kit: handler on node:http, Redis, one consumer of events',
  start: async (url) => {
    const store = await readyStore(url, { events: ['bench'] });
    return createOperatorHandler({ store, operators }).handle;
  },
};

/** The same with the totals as the one consumer, which this process counts meanwhile. */
export const totallingRedis: Contestant = {
  ...inRedis,
  title: 'kit: handler on node:http, Redis, totals',
  start: async (url) => {
    const store = await readyStore(url, { events: [totalsConsumer] });
    startTotals({ store, operatorIds: [operatorId] });
    return createOperatorHandler({ store, operators }).handle;
  },
};

/** The same without a consumer, and with a history of each player's rounds. */
export const listingRedis: Contestant = {
  ...inRedis,
  title: 'kit: handler on node:http, Redis, history',
  start: async (url) => {
    const store = await readyStore(url, { history: true });
    return createOperatorHandler({ store, operators }).handle;
  },
};

/** The same with all that remembers: for the series of resident memory. */
export const rememberingRedis: Contestant = {
  ...inRedis,
  title: 'kit: handler on node:http, Redis, history, one consumer of events, metrics',
  start: async (url) => {
    const store = await readyStore(url, { events: ['bench'], history: true });
    return createOperatorHandler({ store, operators, metrics: createMetrics() }).handle;
  },
};

/** The same, where a call that goes on with a round loads it first. */
export const loadingRedis: Contestant = {
  ...inRedis,
  title: 'kit: handler on node:http, Redis, without follow-ups',
  start: async (url) => {
    const store = withoutFollowUps(await readyStore(url));
    return createOperatorHandler({ store, operators }).handle;
  },
};

/** The kit's router in an Express 5 app, on the server that the kit makes for one. */
export const routerRedis: Contestant = {
  ...inRedis,
  title: 'kit: router in Express 5, createServer, Redis',
  start: async (url) => createServer(await createRouterApp(url)),
};

/** The same app on a server that is nothing but node:http's, as `app.listen` makes one. */
export const routerListenRedis: Contestant = {
  ...inRedis,
  title: 'kit: router in Express 5, app.listen, Redis',
  start: createRouterApp,
};

async function createRouterApp(url: string) {
  return createApp().use(createOperatorRouter({ store: await readyStore(url), operators }));
}

/** The kit's program as it is run without further options: it logs a line for each call. */
export const serveRedis: Contestant = {
  ...inRedis,
  title: 'kit: rgs-wallet serve, Redis',
  start: {
    command: (url, port) => [main, 'serve', '--store', url, '--port', String(port)],
  },
};

/** The same with all that remembers, and the port of the metrics. */
export const serveRemembering: Contestant = {
  ...inRedis,
  title: 'kit: rgs-wallet serve, Redis, history, one consumer of events, metrics',
  start: {
    command: (url, port) => {
      const remembers = ['--history', '--events', 'bench', '--admin-port', '0', '--admin-open'];
      return [main, 'serve', '--store', url, '--port', String(port), ...remembers];
    },
  },
};
