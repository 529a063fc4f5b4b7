import type { AccountStore } from '../../../lib/operator/wallet';
import type { Difference } from '../../rgs/load/book';
import { type ServiceFigures, type ServiceLoad, startServiceLoad } from '../../rgs/load/run';
import { openPlayers } from '../../rgs/load/scene';
import { Cleanup } from '../../servers/cleanup';
import { Applications, noteSigner, operatorId } from './applications';
import { applicationFaults } from './faults/application';
import { type Course, letHappen, type Recoveries } from './let-happen';
import { type LossReport, type LossScene, playLosses, wrongsOf } from './losses/play';
import { decimals, type Field } from './stores/field';
import { type StoreName, stores } from './stores/list';

/** What is played. */
export interface ChaosOptions
  extends Pick<Course, 'seconds' | 'seed'>,
    Partial<Pick<Course, 'isStopped' | 'onFault'>> {
  readonly store: StoreName;
  /** The kinds of faults; null for all of the store. */
  readonly faults?: readonly string[] | null;
  /** Told the figures, which change while it plays. */
  readonly onStart?: (figures: Readonly<ServiceFigures>) => void;
  /** Called when all is settled, before the books are compared: for a test of the comparison. */
  readonly beforeBooks?: (field: Field) => Promise<void>;
}

/** What came of it. */
export interface ChaosReport {
  readonly store: StoreName;
  readonly seed: number;
  /** As long as it was played. */
  readonly seconds: number;
  readonly figures: Readonly<ServiceFigures>;
  readonly recoveries: Recoveries;
  /** Where the books of the service and the store differ. */
  readonly differences: readonly Difference[];
  /** Rounds that wait for a void, though all is settled. */
  readonly waiting: readonly string[];
  /** What was answered against the protocol, and processes that ended by themselves. */
  readonly violations: readonly string[];
  readonly losses: readonly LossReport[];
}

/** Plays rounds against two real processes over real servers, with one fault after the other. */
export async function playChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { store: name, seed, onStart, isStopped = () => false, onFault = () => {} } = options;
  const cleanup = new Cleanup();
  try {
    const field = await stores[name].start(cleanup);
    const starts = await withStore(field, (store) => openPlayers(store, operatorId, 8));
    const opened = await Applications.open(field.storeFlags);
    const applications = cleanup.after(opened, (started) => started.stop());
    const players = [...starts.keys()];
    const load = cleanup.after(play(applications, players, seed), (begun) => begun.abandon());
    onStart?.(load.figures);
    const all = { ...applicationFaults(applications, field.server), ...field.faults };
    const faults = chosen(all, options.faults ?? null);
    const began = performance.now();
    const course = { seconds: options.seconds, seed, isStopped, onFault };
    const recoveries = await letHappen(faults, load.figures, course);
    onFault('the end');
    await load.stop();
    const seconds = Math.round((performance.now() - began) / 1000);
    await options.beforeBooks?.(field);
    const compared = await withStore(field, async (store) => ({
      differences: await load.book.compare(store, operatorId, starts),
      waiting: await cancelled(store),
    }));
    const violations = [...load.violations, ...applications.crashes];
    await applications.stop();
    const scene: LossScene = {
      players,
      start: async (flags) => {
        const started = await Applications.open([...field.storeFlags, ...flags]);
        return cleanup.after(started, (running) => running.stop());
      },
      play: (wallets) => cleanup.after(play(wallets, players, seed), (begun) => begun.abandon()),
      withStore: (work) => withStore(field, work),
    };
    const losses = await playLosses(
      chosen(field.losses ?? {}, options.faults ?? null),
      scene,
      course,
    );
    return {
      store: name,
      seed,
      seconds,
      figures: load.figures,
      recoveries,
      ...compared,
      violations,
      losses,
    };
  } finally {
    await cleanup.run();
  }
}

/** How many things are wrong. */
export function wrongsIn({ differences, waiting, violations, losses }: ChaosReport): number {
  const lost = losses.flatMap(wrongsOf);
  return differences.length + waiting.length + violations.length + lost.length;
}

function play(applications: Applications, players: readonly string[], seed: number): ServiceLoad {
  return startServiceLoad({
    origins: applications.origins,
    signer: noteSigner(),
    players,
    currency: 'EUR',
    decimals,
    connections: 12,
    seed,
    lostReplyShare: 0.01,
  });
}

async function withStore<T>(field: Field, work: (store: AccountStore) => Promise<T>): Promise<T> {
  const store = field.openStore();
  try {
    await store.ready();
    return await work(store);
  } finally {
    await store.close();
  }
}

function chosen<T extends object>(
  all: Readonly<Record<string, T>>,
  kinds: readonly string[] | null,
): Readonly<Record<string, T>> {
  if (kinds === null) return all;
  const own = Object.entries(all).filter(([kind]) => kinds.includes(kind));
  return Object.fromEntries(own);
}

/** Stranded and crashed rounds are as the book has them; none may wait for a void. */
async function cancelled(store: AccountStore): Promise<string[]> {
  const left: string[] = [];
  for await (const { state, gameRound } of store.lists.attention(operatorId)) {
    if (state === 'cancelled') left.push(`${gameRound} is cancelled, and all is settled`);
  }
  return left;
}
