import { silentLogger, systemClock, systemRandom } from '../../../platform';
import { type Batching, defaultAges } from '../../rounds';
import { defaultSessionTimes } from '../../sessions';
import { createSettingsBook } from '../../settings';
import type { Core } from '../core/parts';
import { createCommitter } from '../state/committer';
import { createDelivery, type DeliveryParts } from '../delivery';
import { createJanitor, type Janitor } from '../janitor';
import { createLanes } from '../core/lanes';
import { Notices } from '../core/notices';
import { checkOptions, type RgsServiceOptions, roundSettingsOf } from '../core/options';
import { createState } from '../state/everything';
import { cachedConfigurations } from '../surroundings/configurations';
import { createDemoWallet } from '../core/demo-wallet';
import { createLatestBalances, type LatestBalances } from '../surroundings/balances';
import { createSurroundings } from '../surroundings/composed';
import { createBackground, type Background } from './background';
import { createFindings } from '../core/findings';

/** The parts of a service, put together; nothing runs yet. */
export interface Wired {
  readonly core: Core;
  readonly janitor: Janitor;
  readonly balances: LatestBalances;
  readonly background: Background;
  readonly janitorEveryMs: number;
}

/**
 * Puts the parts of a service together.
 * @throws TypeError naming an option that is wrong
 */
export function wire(options: RgsServiceOptions): Wired {
  checkOptions(options);
  const { journal, wallet, provider, logger = silentLogger } = options;
  const { clock = systemClock, realClock = systemClock, random = systemRandom } = options;
  const ages = { ...defaultAges, ...options.ages };
  const findings = createFindings(clock, options.onFinding ?? (() => {}));
  const background = createBackground(logger);
  const { MAXLIFETIME_PLAYERDATA_INDEMOGAMES_SECONDS: maxLifetimeInDemoSeconds } = options;
  const state = createState(
    { ...defaultSessionTimes, ...options.sessionTimes },
    maxLifetimeInDemoSeconds === undefined ? {} : { maxLifetimeInDemoSeconds },
  );
  const balances = createLatestBalances();
  const configurations = cachedConfigurations(provider, clock);
  const settingsBook = createSettingsBook(options.operators, options.multipliers);
  const demoBalance = options.demoBalance ?? 100_000n;
  const demo = createDemoWallet(state.demoPurses, demoBalance, () => clock.now());
  const committer = createCommitter(journal, state, (error) => {
    logger.error({ err: error }, 'journal failed: no money call is taken until the next start');
  });
  const onAnswer: DeliveryParts['onAnswer'] = (owner, { balance }) => {
    if (balance !== null) balances.keepMoney(owner, balance, clock.now());
  };
  const delivery = createDelivery({
    state,
    committer,
    ask: async (call) =>
      call.owner.mode === 'DEMO' ? demo.doTransactions(call) : wallet.doTransactions(call),
    batching: batchingBy(options, options.chance ?? random),
    ages,
    clock,
    realClock,
    onAnswer,
    onFindings: (round, found) => findings.ofWallet(round, found),
  });
  const janitor = createJanitor({
    state,
    committer,
    delivery,
    provider,
    clock,
    ages,
    retentionMs: options.retentionMs ?? 30 * 86_400_000,
    onUnexpected: (error) => background.report(error),
  });
  const core: Core = {
    cause: null,
    state,
    committer,
    delivery,
    lanes: createLanes(realClock, options.replyWithinMs ?? 8_000),
    surroundings: createSurroundings({
      wallet,
      demo,
      balances,
      configurations,
      freePlays: state.freePlays,
      settingsBook,
      clock,
      realClock,
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
  return {
    core,
    janitor,
    balances,
    background,
    janitorEveryMs: options.janitorEveryMs ?? 3_600_000,
  };
}

/** How the next call is put together (W7); `mixed` is a matter of chance. */
function batchingBy(
  { batching = 'combined' }: RgsServiceOptions,
  chance: { next(): number },
): () => Batching {
  if (batching !== 'mixed') return () => batching;
  return () => (chance.next() < 0.5 ? 'combined' : 'separate');
}
