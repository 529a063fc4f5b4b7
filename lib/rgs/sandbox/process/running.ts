import { createSeededRandom } from '../../../platform';
import { createMovableClock, type MovableClock } from '../../../platform/movable-clock';
import { TimeUpError, within } from '../../../platform/within';
import { readBaseUrl } from '../../../protocol/client/connection';
import { Secret } from '../../../protocol/signature';
import { createProviderLine } from '../../client/provider-line';
import type { Party } from '../../client/settings';
import { createWalletLine } from '../../client/wallet-line';
import type { Journal } from '../../journal/port';
import type { ProviderLine, WalletLine } from '../../ports';
import type { Round } from '../../rounds/round';
import { createRgsService, type RgsService } from '../../service/calls';
import type { RgsServiceOptions, ServiceFinding } from '../../service/core/options';
import { FaultPlan } from '../lines/faults';
import { createOutbound } from '../lines/outbound';
import { Lines } from '../lines/pass';
import type { OfAccount } from '../view/books';
import type { WireCall } from '../view/wire';
import { type WhenEnded, Wire } from '../wire/record';
import { Accounts, balanceIn, movingCall } from './accounts';
import { CallTracker } from './call-tracker';
import { EventLog, Forgotten } from './events';
import { Findings, type Noticed, serviceFindings } from './findings';
import { Lifetime, processClock, processJournal, processProvider, processWallet } from './lifetime';
import type { SandboxSettings } from './options';
import { Places } from './party';
import { defined } from '../../../platform/validation/defined';

const dead = 'the service is dead, and starts again';
/** What was waited for ended with the process. */
class DeadError extends Error {}
/** An advance waits for what a timer started at most this long, in real time. */
const longestSettlingMs = 60_000;

/** The service of one process. */
interface Process {
  readonly service: RgsService;
  readonly lifetime: Lifetime;
  readonly journal: Journal;
}

/** A service at work with its lines, which can be killed and starts again. */
export class Running {
  readonly findings: Findings;
  readonly faults: FaultPlan;
  readonly wire: Wire;
  readonly lines: Lines;
  readonly accounts: Accounts;
  readonly events: EventLog;
  readonly wallet: WalletLine;
  readonly provider: ProviderLine;
  /** The service's clock (E1.3). */
  readonly clock: MovableClock;
  readonly #calls: CallTracker;
  readonly #forgotten: Forgotten;
  readonly #atKill: (() => void)[] = [];
  #current: Process | null = null;

  constructor(private readonly settings: SandboxSettings) {
    const { clock: realClock, random, seed } = settings;
    this.clock = createMovableClock(realClock, () => this.#settled());
    this.findings = new Findings(this.clock, settings.onFinding);
    this.faults = new FaultPlan(createSeededRandom(seed));
    const parties = [...settings.operators, ...settings.providers];
    this.wire = new Wire({
      clock: realClock,
      keep: settings.keepCalls,
      secrets: parties.flatMap(({ secrets }) => secrets.map((secret) => new Secret(secret))),
    });
    this.lines = new Lines({ plan: this.faults, wire: this.wire, clock: realClock, random });
    this.accounts = new Accounts((player) => this.#roundsOf(player));
    const now = (): number => this.clock.now();
    this.events = new EventLog({ now, call: () => this.wire.latest });
    this.#forgotten = new Forgotten((gameProviderId, gameRound) => {
      const round = this.#current?.service.round(gameProviderId, gameRound) ?? null;
      if (round?.owner.mode === 'REAL') this.accounts.forget(round);
    });
    this.wire.onFault((call) => this.#track(call));
    if (settings.onCall !== null) this.wire.onEnd(settings.onCall);
    this.#calls = new CallTracker(this.lines, this.findings);
    const { wallet, provider } = linesOut(settings, this.lines, this.#calls);
    this.wallet = this.accounts.follow(wallet);
    this.provider = provider;
  }

  /** Ids of rounds that have left the service by their age. */
  get forgotten(): ReadonlySet<string> {
    return this.#forgotten.ids;
  }

  /** The service as it is now; another one after a kill. @throws Error while it is dead. */
  service(): RgsService {
    if (this.#current === null) throw new Error(dead);
    return this.#current.service;
  }

  /** What the service makes of a call. Rejects if it is dead, or dies meanwhile. */
  readonly whileAlive = <T>(work: (service: RgsService) => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (this.#current === null) return reject(new DeadError(dead));
      const release = this.#current.lifetime.onEnd(() => reject(new DeadError(dead)));
      work(this.#current.service).then(resolve, reject).finally(release);
    });

  /** Starts a process of the service from its journal (B4). */
  async start(journal: Journal): Promise<void> {
    const lifetime = new Lifetime();
    const starting: Promise<void> = createRgsService(
      this.#serviceOptions(journal, lifetime, () => starting),
    ).then((service) => {
      this.#current = { service, lifetime, journal };
    });
    await starting;
  }

  /** The process dies at once, and starts again from its journal (B4). */
  async kill(): Promise<void> {
    if (this.#current === null) return;
    const { lifetime, journal } = this.#current;
    this.#current = null;
    for (const work of this.#atKill) work();
    lifetime.end();
    this.accounts.abandon();
    await this.start(await this.settings.reopenJournal(journal));
  }

  /** Called when the process dies. */
  onKill(work: () => void): void {
    this.#atKill.push(work);
  }

  async close(): Promise<void> {
    await this.#current?.service.close();
  }

  #serviceOptions(
    journal: Journal,
    lifetime: Lifetime,
    starting: () => Promise<void>,
  ): RgsServiceOptions {
    const { settings, clock } = this;
    const { clock: realClock, random, seed, logger } = settings;
    return {
      ...settings.service,
      operators: settings.operators.map(({ operatorId, settings: own, profiles }) => ({
        operatorId,
        ...defined({ settings: own, profiles }),
      })),
      games: settings.games,
      engineUrl: () => `${settings.url()}/gameapi/v2`,
      journal: processJournal(this.#forgotten.follow(this.events.follow(journal)), lifetime),
      wallet: processWallet(this.wallet, lifetime, starting),
      provider: processProvider(this.provider, lifetime),
      clock: processClock(clock, lifetime),
      realClock: processClock(realClock, lifetime),
      random,
      chance: createSeededRandom(seed + 1),
      ...(settings.isSeedGiven ? { draws: createSeededRandom(seed + 2) } : {}),
      ...defined({ logger }),
      onFinding: (finding) => this.#report(finding),
    };
  }

  #report({ code, rule, call, gameRound, gameProviderId, cause }: ServiceFinding): void {
    const text = serviceFindings[code]?.text ?? code;
    const finding: Noticed = { id: code, rule, call, round: gameRound, text };
    if (call === 'doTransactions') this.#calls.ofWallet(finding, gameProviderId ?? '');
    else this.findings.add(finding, cause);
  }

  /** A reply that had a fault may not reach the service, and yet reports what the wallet did. */
  #track(call: WireCall): WhenEnded {
    const moving = movingCall(call);
    if (moving === null) return () => {};
    const { player, gameRound } = moving;
    const endTracking = this.accounts.track(player, gameRound);
    return (ended) => endTracking(ended === null ? null : balanceIn(ended, player.currency));
  }

  #roundsOf({ operatorId, playerId, currency }: OfAccount): readonly Round[] {
    const rounds = this.#current?.service.roundsOf(operatorId, playerId) ?? [];
    return rounds.filter(({ owner }) => owner.currency === currency);
  }

  async #settled(): Promise<void> {
    const idling = this.whileAlive((service) => service.idle());
    const { clock } = this.settings;
    await within(clock, longestSettlingMs, idling).catch((error: unknown) => {
      if (!(error instanceof TimeUpError || error instanceof DeadError)) throw error;
    });
  }
}

/** The lines to wallets and providers, with every call on the wire. */
function linesOut(
  settings: SandboxSettings,
  lines: Lines,
  calls: CallTracker,
): { readonly wallet: WalletLine; readonly provider: ProviderLine } {
  const { clock, random } = settings;
  const places = new Places();
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
    wallets: settings.operators.map(({ operatorId, secrets, wallet: place }, at) =>
      partyOf(operatorId, secrets, `operators/${at}/wallet`, places.urlOf('wallet', place)),
    ),
    ...defined({ walletTimeoutMs, voidSpelling }),
  });
  const provider = createProviderLine({
    ...ports('rgs-provider'),
    routers: settings.providers.map(({ gameProviderId, secrets, router }, at) =>
      partyOf(gameProviderId, secrets, `providers/${at}/router`, places.urlOf('provider', router)),
    ),
  });
  return { wallet: calls.followWallet(wallet), provider: calls.follow(provider) };
}

/** @throws TypeError that names the option of a wrong address. */
function partyOf(
  authId: string,
  [secret = '']: readonly string[],
  option: string,
  url: string,
): Party {
  const baseUrl = readBaseUrl(`createSandbox: ${option}`, url, false);
  return { authId, baseUrl, secret: new Secret(secret) };
}
