import { setTimeout as delay } from 'node:timers/promises';

import { createPostgresStore } from '../../../lib/operator/stores/postgres';
import { createRedisStore } from '../../../lib/operator/stores/redis';
import type { AccountStore } from '../../../lib/operator/wallet';
import { startTcpProxy } from '../../network/tcp-proxy';
import { seededRandom } from '../../platform/seeded-random';
import { type ServiceFigures, startServiceLoad } from '../../rgs/load/run';
import { openPlayers } from '../../rgs/load/scene';
import { Cleanup } from '../../servers/cleanup';
import { startPostgres } from '../../servers/postgres/server';
import { startRedis } from '../../servers/redis/server';
import { until } from '../../servers/until';
import { patience } from '../../support/patience';
import { Applications, createSigner, operatorId } from './applications';
import { type ChaosServer, faults, type Field } from './faults';

/** What keeps the money. */
export type ChaosStore = 'redis' | 'postgres';

/** What is played. */
export interface ChaosOptions {
  readonly store: ChaosStore;
  readonly seconds: number;
  /** Of the order of the faults, and of the rounds. */
  readonly seed: number;
}

/** What came of it. */
export interface ChaosReport {
  readonly store: ChaosStore;
  readonly seconds: number;
  readonly figures: Readonly<ServiceFigures>;
  /** How often each kind of fault came. */
  readonly faults: ReadonlyMap<string, number>;
  /** Milliseconds from the end of each fault to the next call that was processed, in order of size. */
  readonly recoveries: readonly number[];
  /** Where the books of the service and the store differ, and what was answered against the protocol. */
  readonly wrong: readonly string[];
}

const decimals = 2;
/** Longer than the deadline of a call at times. */
const longestMs = 2500;

/** Plays rounds against two real processes over a real server, with one fault after the other. */
export async function playChaos({
  store: name,
  seconds,
  seed,
}: ChaosOptions): Promise<ChaosReport> {
  const cleanup = new Cleanup();
  try {
    const { server, url } = await startServer(name, cleanup);
    const store = cleanup.after(openStore(name, url), (opened) => opened.close());
    await store.ready();
    const starts = await openPlayers(store, operatorId, 8);
    const there = new URL(url);
    const line = await startTcpProxy({ host: there.hostname, port: Number(there.port) });
    cleanup.after(line, (started) => started.close());
    there.port = String(line.port);
    const applications = await Applications.open(there.href);
    cleanup.after(applications, (started) => started.stop());
    const load = startServiceLoad({
      origins: applications.origins,
      signer: createSigner(),
      players: [...starts.keys()],
      currency: 'EUR',
      decimals,
      connections: 12,
      seed,
      lostReplyShare: 0.01,
    });
    cleanup.after(load, (started) => started.abandon());
    const happened = await letHappen({ server, line, applications }, load.figures, seconds, seed);
    await load.stop();
    const differences = await load.book.differences(store, operatorId, starts);
    const left = await cancelled(store);
    const wrong = [...load.violations, ...differences, ...left, ...applications.crashes];
    return { store: name, seconds, figures: load.figures, ...happened, wrong };
  } finally {
    await cleanup.run();
  }
}

/** One fault after the other, each after some calls were processed. */
async function letHappen(
  field: Field,
  figures: Readonly<ServiceFigures>,
  seconds: number,
  seed: number,
): Promise<Pick<ChaosReport, 'faults' | 'recoveries'>> {
  const random = seededRandom(seed);
  const kinds = Object.keys(faults);
  const counts = new Map<string, number>();
  const recoveries: number[] = [];
  const end = performance.now() + seconds * 1000;
  let left: string[] = [];
  while (performance.now() < end) {
    // Each kind comes as often as the others.
    if (left.length === 0) left = [...kinds];
    const [kind = ''] = left.splice(Math.floor(random() * left.length), 1);
    const { processed } = figures;
    await until('calls to be processed', () => figures.processed >= processed + 20);
    await faults[kind]?.(field, Math.floor(random() ** 2 * longestMs));
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const [over, then] = [performance.now(), figures.processed];
    await until('a call to be processed', () => figures.processed > then);
    recoveries.push(Math.round(performance.now() - over));
    await delay(Math.floor(random() * 200));
  }
  return { faults: counts, recoveries: recoveries.toSorted((one, other) => one - other) };
}

async function startServer(
  name: ChaosStore,
  cleanup: Cleanup,
): Promise<{ readonly server: ChaosServer; readonly url: string }> {
  if (name === 'redis') {
    const server = cleanup.after(await startRedis(), (started) => started.stop());
    return { server, url: server.url };
  }
  const server = cleanup.after(await startPostgres(), (started) => started.stop());
  return { server, url: await server.createDatabase() };
}

function openStore(name: ChaosStore, url: string): AccountStore {
  return name === 'redis'
    ? createRedisStore({ ...patience, url, decimals, init: true })
    : createPostgresStore({ ...patience, url, decimals, migrate: true });
}

/** Stranded and crashed rounds are as the book has them; none may wait for a void. */
async function cancelled(store: AccountStore): Promise<string[]> {
  const left: string[] = [];
  for await (const { state, gameRound } of store.attention(operatorId)) {
    if (state === 'cancelled') left.push(`${gameRound} is cancelled, and all is settled`);
  }
  return left;
}
