import { createMovableClock, type MovableClock } from '../../../platform/movable-clock';
import { createSeededRandom } from '../../../platform';
import { TimeUpError, within } from '../../../platform/within';
import { createProviderLine } from '../../client/provider-line';
import { createWalletLine } from '../../client/wallet-line';
import type { Journal } from '../../journal';
import { createRgsService, type RgsService } from '../../service/calls';
import type { ProviderLine, WalletLine } from '../../ports';
import { createFaultPlan, type FaultPlan } from '../lines/faults';
import { createFindingStore, type Findings, type Noticed, serviceFindings } from './findings';
import { createLines, type Lines } from '../lines/pass';
import { createOutbound } from '../lines/outbound';
import { createWire, type Wire } from '../wire/record';
import { Secret } from '../../../protocol/signature';
import { type Accounts, balanceIn, createAccounts, movingCall } from './accounts';
import { type CallTracker, createCallTracker } from './call-tracker';
import { createEventLog, createForgotten, type EventLog } from './events';
import {
  createLifetime,
  type Lifetime,
  processClock,
  processJournal,
  processProvider,
  processWallet,
} from './lifetime';
import type { SandboxSettings } from './options';
import { createPlaces } from './party';

/** A service at work with its lines, which can be killed and starts again. */
export interface Running {
  /** The service as it is now; another one after a kill. @throws Error while it is dead. */
  service(): RgsService;
  /** What the service makes of a call. Rejects if it is dead, or dies meanwhile. */
  readonly whileAlive: <T>(work: (service: RgsService) => Promise<T>) => Promise<T>;
  readonly wallet: WalletLine;
  readonly provider: ProviderLine;
  /** The service's clock (E1.3). */
  readonly clock: MovableClock;
  readonly wire: Wire;
  readonly lines: Lines;
  readonly faults: FaultPlan;
  readonly findings: Findings;
  readonly accounts: Accounts;
  readonly events: EventLog;
  /** Ids of rounds that have left the service by their age. */
  readonly forgotten: ReadonlySet<string>;
  /** The process dies at once, and starts again from its journal (B4). */
  kill(): Promise<void>;
  /** Called when the process dies. */
  onKill(work: () => void): void;
  close(): Promise<void>;
}

const dead = 'the service is dead, and starts again';
/** What was waited for ended with the process. */
class DeadError extends Error {}
/** An advance waits for what a timer started at most this long, in real time. */
const longestSettlingMs = 60_000;

/**
 * Starts the service of a sandbox.
 * @throws TypeError naming an option that is wrong; JournalError for the journal
 */
export async function startService(settings: SandboxSettings): Promise<Running> {
  const { clock: realClock, random, seed } = settings;
  let current: { service: RgsService; lifetime: Lifetime; journal: Journal } | null = null;
  const whileAlive: Running['whileAlive'] = (work) =>
    new Promise((resolve, reject) => {
      if (current === null) return reject(new DeadError(dead));
      const release = current.lifetime.onEnd(() => reject(new DeadError(dead)));
      work(current.service).then(resolve, reject).finally(release);
    });
  const idle = async (): Promise<void> => {
    const idling = whileAlive((service) => service.idle());
    await within(realClock, longestSettlingMs, idling).catch((error: unknown) => {
      if (!(error instanceof TimeUpError || error instanceof DeadError)) throw error;
    });
  };
  const clock = createMovableClock(realClock, idle);
  const findings = createFindingStore(clock, settings.onFinding);
  const faults = createFaultPlan(createSeededRandom(seed));
  const wire = createWire({
    clock: realClock,
    keep: settings.keepCalls,
    secrets: [...settings.operators, ...settings.providers].flatMap(({ secrets }) =>
      secrets.map((secret) => new Secret(secret)),
    ),
  });
  const lines = createLines({ plan: faults, wire, clock: realClock, random });
  const accounts = createAccounts(({ operatorId, playerId, currency }) =>
    (current?.service.roundsOf(operatorId, playerId) ?? []).filter(
      ({ owner }) => owner.currency === currency,
    ),
  );
  const events = createEventLog(
    () => clock.now(),
    () => wire.latest,
  );
  const forgotten = createForgotten((gameProviderId, gameRound) => {
    const round = current?.service.round(gameProviderId, gameRound) ?? null;
    if (round?.owner.mode === 'REAL') accounts.forget(round);
  });
  wire.onFault((call) => {
    // A reply that had a fault may not come to the service, and is a report of the wallet nevertheless.
    const moving = movingCall(call);
    if (moving === null) return () => {};
    const { player, gameRound } = moving;
    const endTracking = accounts.track(player, gameRound);
    return (ended) => endTracking(ended === null ? null : balanceIn(ended, player.currency));
  });
  if (settings.onCall !== null) wire.onEnd(settings.onCall);
  const calls = createCallTracker(lines, findings);
  const { wallet, provider } = linesOut(settings, lines, calls);
  const followed = accounts.follow(wallet);
  const atKill: (() => void)[] = [];

  const start = async (journal: Journal): Promise<void> => {
    const lifetime = createLifetime();
    const starting: Promise<void> = createRgsService({
      ...settings.service,
      operators: settings.operators.map(({ operatorId, settings: own, profiles }) => ({
        operatorId,
        ...(own === undefined ? {} : { settings: own }),
        ...(profiles === undefined ? {} : { profiles }),
      })),
      games: settings.games,
      engineUrl: () => `${settings.url()}/gameapi/v2`,
      journal: processJournal(forgotten.follow(events.follow(journal)), lifetime),
      wallet: processWallet(
        onceStarted(followed, () => starting),
        lifetime,
      ),
      provider: processProvider(provider, lifetime),
      clock: processClock(clock, lifetime),
      realClock: processClock(realClock, lifetime),
      random,
      chance: createSeededRandom(seed + 1),
      ...(settings.isSeedGiven ? { draws: createSeededRandom(seed + 2) } : {}),
      ...(settings.logger === undefined ? {} : { logger: settings.logger }),
      onFinding: ({ code, rule, call, gameRound, gameProviderId, cause }) => {
        const text = serviceFindings[code]?.text ?? code;
        const finding: Noticed = { id: code, rule, call, round: gameRound, text };
        if (call === 'doTransactions') calls.ofWallet(finding, gameProviderId ?? '');
        else findings.add(finding, cause);
      },
    }).then((service) => {
      current = { service, lifetime, journal };
    });
    await starting;
  };
  await start(await settings.openJournal());

  const running: Running = {
    service() {
      if (current === null) throw new Error(dead);
      return current.service;
    },
    whileAlive,
    wallet: followed,
    provider,
    clock,
    wire,
    lines,
    faults,
    findings,
    accounts,
    events,
    forgotten: forgotten.ids,
    async kill() {
      if (current === null) return;
      const { lifetime, journal } = current;
      current = null;
      for (const work of atKill) work();
      lifetime.end();
      accounts.abandon();
      await start(await settings.reopenJournal(journal));
    },
    onKill: (work) => void atKill.push(work),
    async close() {
      await current?.service.close();
    },
  };
  return running;
}

/** A line that waits: the accounts of what a service sends as it starts need its rounds from before. */
function onceStarted(line: WalletLine, starting: () => Promise<void>): WalletLine {
  return {
    doTransactions: (call) => starting().then(() => line.doTransactions(call)),
    getBalance: (question) => starting().then(() => line.getBalance(question)),
  };
}

/** The lines to wallets and providers, with every call on the wire. */
function linesOut(
  settings: SandboxSettings,
  lines: Lines,
  calls: CallTracker,
): { readonly wallet: WalletLine; readonly provider: ProviderLine } {
  const { clock, random } = settings;
  const places = createPlaces();
  const ports = (line: 'rgs-wallet' | 'rgs-provider') => ({
    clock,
    random,
    fetch: createOutbound(line, lines.pass, { send: places.send, clock }),
    onFinding: (finding: Noticed, about: object | null) => calls.reported(finding, about),
    hold: lines.hold,
  });
  const { walletTimeoutMs, voidSpelling } = settings;
  const wallet = createWalletLine({
    ...ports('rgs-wallet'),
    operators: settings.operators.map(({ operatorId, secrets, wallet: place }) => ({
      operatorId,
      url: places.urlOf('wallet', place),
      secret: secrets[0] ?? '',
    })),
    ...(walletTimeoutMs === undefined ? {} : { walletTimeoutMs }),
    ...(voidSpelling === undefined ? {} : { voidSpelling }),
  });
  const provider = createProviderLine({
    ...ports('rgs-provider'),
    providers: settings.providers.map(({ gameProviderId, secrets, router }) => ({
      gameProviderId,
      url: places.urlOf('provider', router),
      secret: secrets[0] ?? '',
    })),
  });
  return { wallet: calls.followWallet(wallet), provider: calls.follow(provider) };
}
