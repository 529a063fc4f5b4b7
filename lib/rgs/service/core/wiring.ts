import { type Logger, safeLogger, systemClock, systemRandom } from '../../../platform';
import { type Ages, type Batching, defaultAges } from '../../rounds/delivery';
import { defaultSessionTimes } from '../../session-tokens';
import { createSettingsBook } from '../../settings';
import { Delivery } from '../delivery';
import { Janitor } from '../janitor';
import { Committer } from '../state/committer';
import { State } from '../state/everything';
import { LatestBalances } from './balances';
import { Configurations } from './configurations';
import { DemoWallet } from './demo-wallet';
import { Findings } from './findings';
import { Lanes } from './lanes';
import { Notices } from './notices';
import { type RgsServiceOptions, roundSettingsOf } from './options';
import type { Core } from './parts';
import { Surroundings } from './surroundings';

/** The parts of a service, put together; nothing runs yet. */
export interface Wired {
  readonly core: Core;
  readonly janitor: Janitor;
  readonly balances: LatestBalances;
  readonly background: Background;
}

/** Work that no call waits for. */
class Background {
  readonly #atWork = new Set<Promise<unknown>>();

  constructor(private readonly logger: Logger) {}

  /** Keeps track of work; an error of it is logged. */
  add(work: Promise<unknown>): void {
    const ended = work
      .catch((error: unknown) => this.report(error))
      .finally(() => this.#atWork.delete(ended));
    this.#atWork.add(ended);
  }

  /** Logs an error that no caller gets. */
  report(error: unknown): void {
    this.logger.error({ err: error }, 'work in the background failed');
  }

  /** Resolves once no work is left. */
  async idle(): Promise<void> {
    while (this.#atWork.size > 0) await Promise.allSettled(this.#atWork);
  }
}

/** What the parts share. */
interface Shared
  extends Pick<Core, 'state' | 'committer' | 'clock' | 'realClock' | 'random' | 'settingsBook'> {
  readonly options: RgsServiceOptions;
  readonly ages: Ages;
  readonly balances: LatestBalances;
  readonly demo: DemoWallet;
  readonly findings: Findings;
  readonly background: Background;
}

/**
 * Puts the parts of a service together.
 * @throws TypeError naming an option that is wrong
 */
export function wire(options: RgsServiceOptions): Wired {
  const { clock = systemClock, realClock = systemClock, random = systemRandom } = options;
  const { onFinding = () => {} } = options;
  const logger = safeLogger(options.logger);
  const { MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS: maxLifetimeInDemoSeconds } = options;
  const state = new State(
    { ...defaultSessionTimes, ...options.sessionTimes },
    maxLifetimeInDemoSeconds === undefined ? {} : { maxLifetimeInDemoSeconds },
    options.statistics,
  );
  const committer = new Committer(options.journal, state, (error) => {
    logger.error({ err: error }, 'journal write failed: money calls are refused until restart');
  });
  const shared: Shared = {
    options,
    clock,
    realClock,
    random,
    state,
    committer,
    ages: { ...defaultAges, ...options.ages },
    balances: new LatestBalances(),
    demo: new DemoWallet(state.demoPurses, options.demoBalance ?? 100_000n, clock),
    findings: new Findings(clock, onFinding),
    background: new Background(logger),
    settingsBook: createSettingsBook(options.operators, options.multipliers),
  };
  const delivery = deliveryOf(shared);
  const janitor = new Janitor({
    ...shared,
    delivery,
    provider: options.provider,
    retentionMs: options.retentionMs ?? 30 * 86_400_000,
    onUnexpected: (error) => shared.background.report(error),
  });
  const core = coreOf(shared, delivery, janitor);
  return { core, janitor, balances: shared.balances, background: shared.background };
}

function deliveryOf(shared: Shared): Delivery {
  const { options, balances, demo, findings, clock } = shared;
  return new Delivery({
    ...shared,
    ask: async (call) =>
      call.owner.mode === 'DEMO' ? demo.doTransactions(call) : options.wallet.doTransactions(call),
    batching: batchingBy(options, options.chance ?? shared.random),
    onAnswer: (owner, { balance }) => {
      if (balance !== null) balances.keepMoney(owner, balance, clock.now());
    },
    onFindings: (round, found) => findings.ofWallet(round, found),
  });
}

function coreOf(shared: Shared, delivery: Delivery, janitor: Janitor): Core {
  const { options, state, clock, realClock, random, findings, background } = shared;
  const { committer, settingsBook } = shared;
  return {
    cause: null,
    state,
    committer,
    delivery,
    lanes: new Lanes(realClock, options.replyWithinMs ?? 8_000),
    surroundings: new Surroundings({
      ...shared,
      wallet: options.wallet,
      configurations: new Configurations(options.provider, clock),
      freePlays: state.freePlays,
      applyDiscounts: options.applyDiscounts ?? true,
      inBackground: (work) => background.add(work),
    }),
    clock,
    realClock,
    random,
    draws: options.draws ?? random,
    omitRngRequestId: options.omitRngRequestId ?? false,
    settings: roundSettingsOf(options),
    spendQueriedIds: options.spendQueriedIds ?? true,
    engineUrl: options.engineUrl,
    games: new Map(options.games.map((game) => [game.gameCode, game])),
    operatorIds: new Set(options.operators.map(({ operatorId }) => operatorId)),
    settingsBook,
    registered: new Notices(clock),
    realityChecks: new Notices(clock),
    euroRates: new Map(Object.entries(options.euroRates ?? {})),
    onRoundCalled: (id, gameRound, kind) => janitor.noteCall(id, gameRound, kind),
    onFinding: (finding) => findings.other(finding),
    onFindings: (by, round, codes) => findings.ofCall(by, round, codes),
  };
}

/** How the next call is put together (W7); `mixed` is random. */
function batchingBy(
  { batching = 'combined' }: RgsServiceOptions,
  chance: { next(): number },
): () => Batching {
  if (batching !== 'mixed') return () => batching;
  return () => (chance.next() < 0.5 ? 'combined' : 'separate');
}
