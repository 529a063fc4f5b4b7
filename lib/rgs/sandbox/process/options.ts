import { type Clock, type Logger, type Random, systemClock, systemRandom } from '../../../platform';
import { longestTimerMs } from '../../../platform/clock';
import { wholeBelow } from '../../../platform/random';
import {
  checkMethods,
  checkOptionNames,
  checkPorts,
  type OptionNames,
} from '../../../platform/validation';
import { checkDistinctSecrets } from '../../../protocol/authentication/credentials';
import { readSecret } from '../../../protocol/signature/secret';
import type { VoidSpelling } from '../../client/transactions';
import { createMemoryJournal } from '../../journal/memory';
import type { Journal } from '../../journal/port';
import {
  checkRules,
  type Game,
  serviceRuleNames,
  type ServiceRules,
} from '../../service/core/options';
import type { OperatorSettings } from '../../settings';
import type { ProviderRound } from '../books/compare';
import type { FindingView, WireCall } from '../view/wire';
import type { LaunchablePlayer, PlayedView } from '../view/state';
import type { Place } from './party';
import { withoutTrailing } from '../../../platform/trailing';

/** An operator: its wallet, and what it sets about games. */
export interface SandboxOperator extends OperatorSettings {
  /** The first signs the calls to the wallet; every one is accepted of the operator's own calls. */
  readonly secrets: readonly string[];
  /** The wallet: its URL, or what answers its requests. */
  readonly wallet: Place;
}

/** A game provider: its router, and its games. */
export interface SandboxProvider {
  readonly gameProviderId: string;
  /** The first signs the calls to the router; every one is accepted of the provider's calls. */
  readonly secrets: readonly string[];
  /** The router: its URL, or what answers its requests. */
  readonly router: Place;
  readonly games: readonly Omit<Game, 'gameProviderId'>[];
  /** The provider's own book, for the comparison; none unless given. */
  readonly book?: () => readonly ProviderRound[] | Promise<readonly ProviderRound[]>;
}

/** A scenario that the page can play. */
export interface SandboxScenario {
  readonly name: string;
  readonly shows: string;
  play(): Promise<PlayedView>;
}

/** Options of `createSandbox`. */
export interface SandboxOptions {
  readonly operators: readonly SandboxOperator[];
  readonly providers: readonly SandboxProvider[];
  /** Where browsers and providers reach it; `http://127.0.0.1:8090` unless given. */
  readonly url?: string | (() => string);
  /** What keeps its events; a journal in memory unless given. A function can open it again after a kill. */
  readonly journal?: Journal | (() => Journal | Promise<Journal>);
  /** Faults, batching and spelling go by it, and getRandomResult if it is given; any number unless given. */
  readonly seed?: number;
  /** Calls that the wire keeps; 10,000 unless given. */
  readonly keepCalls?: number;
  /** Rules and limits of the service; the specification's unless given. */
  readonly service?: ServiceRules;
  /** Time limit of one attempt at the wallet; 5,000 ms unless given (W1). */
  readonly walletTimeoutMs?: number;
  /** How a void is spelled; `lower` unless given (W6). */
  readonly voidSpelling?: VoidSpelling;
  /** Whether X-Request-Id is required; true unless given (E2.5). */
  readonly requireRequestId?: boolean;
  /** The fields that getGameURL signs (E24.2). */
  readonly gameUrlSignedFields?: readonly string[];
  /** Hosts that may see the page besides loopback; none unless given. */
  readonly allowedHosts?: readonly string[];
  readonly scenarios?: readonly SandboxScenario[];
  /** Players that the page offers to launch, besides those with a wallet call; none unless given. */
  readonly players?: readonly LaunchablePlayer[];
  /** Called with each finding (E1.5). */
  readonly onFinding?: (finding: FindingView) => void;
  /** Called with each call on the wire once it has ended. */
  readonly onCall?: (call: WireCall) => void;
  /** Real time; the service's clock is this one moved on (E1.3). The machine's unless given. */
  readonly clock?: Clock;
  /** For tokens and ids; the machine's unless given. */
  readonly random?: Random;
  readonly logger?: Logger;
}

/** The options, checked and complete. */
export interface SandboxSettings
  extends Omit<SandboxOptions, 'url' | 'journal' | 'onCall' | Completed>,
    Required<Pick<SandboxOptions, Completed>> {
  readonly games: readonly Game[];
  readonly url: () => string;
  readonly openJournal: () => Promise<Journal>;
  /** The journal after the process that wrote it was killed. @throws Error if it cannot be opened again. */
  readonly reopenJournal: (written: Journal) => Promise<Journal>;
  readonly isSeedGiven: boolean;
  readonly onCall: ((call: WireCall) => void) | null;
}

/** Options with a default. */
type Completed =
  | 'seed'
  | 'keepCalls'
  | 'service'
  | 'allowedHosts'
  | 'scenarios'
  | 'players'
  | 'onFinding'
  | 'clock'
  | 'random';

const maker = 'createSandbox';
const optionNames: OptionNames<SandboxOptions> = {
  operators: true,
  providers: true,
  url: true,
  journal: true,
  seed: true,
  keepCalls: true,
  service: true,
  walletTimeoutMs: true,
  voidSpelling: true,
  requireRequestId: true,
  gameUrlSignedFields: true,
  allowedHosts: true,
  scenarios: true,
  players: true,
  onFinding: true,
  onCall: true,
  clock: true,
  random: true,
  logger: true,
};

/**
 * Checks the options, and fills in defaults.
 * @throws TypeError that names the wrong option; no value is repeated, because it may be a secret.
 */
export function readOptions(options: SandboxOptions): SandboxSettings {
  checkNames(options);
  checkParts(options);
  const { operators, providers, url = 'http://127.0.0.1:8090', keepCalls = 10_000 } = options;
  const { random = systemRandom, seed = wholeBelow(random, 2 ** 31) } = options;
  check(isList(operators), 'operators', 'a list of at least one operator');
  check(isList(providers), 'providers', 'a list of at least one provider');
  operators.forEach(({ operatorId, wallet, secrets }, at) => {
    checkParty(operatorId, secrets, `operators/${at}`, 'operatorId');
    checkPlace(wallet, `operators/${at}/wallet`);
  });
  providers.forEach(({ gameProviderId, router, secrets, games, book }, at) => {
    checkParty(gameProviderId, secrets, `providers/${at}`, 'gameProviderId');
    checkPlace(router, `providers/${at}/router`);
    check(Array.isArray(games), `providers/${at}/games`, 'a list');
    games.forEach((game, nth) => checkGame(game, `providers/${at}/games/${nth}`));
    check(book === undefined || typeof book === 'function', `providers/${at}/book`, 'a function');
  });
  checkDistinctSecrets(
    { credentials: operators, list: `${maker}: operators` },
    { credentials: providers, list: `${maker}: providers` },
  );
  check(Number.isSafeInteger(seed), 'seed', 'a whole number');
  check(Number.isSafeInteger(keepCalls) && keepCalls > 0, 'keepCalls', 'a whole number above 0');
  check(typeof url === 'string' || typeof url === 'function', 'url', 'a URL or a function');
  return {
    ...options,
    games: gamesOf(providers),
    url: () => withoutTrailing(typeof url === 'string' ? url : url(), '/'),
    ...journalOf(options.journal),
    seed,
    isSeedGiven: options.seed !== undefined,
    keepCalls,
    service: options.service ?? {},
    allowedHosts: options.allowedHosts ?? [],
    scenarios: options.scenarios ?? [],
    players: readPlayers(options),
    onFinding: options.onFinding ?? (() => {}),
    onCall: options.onCall ?? null,
    clock: options.clock ?? systemClock,
    random,
  };
}

/** Each as a request of POST /sandbox/launch names it, in the order of its members. */
function readPlayers({ players = [] }: SandboxOptions): readonly LaunchablePlayer[] {
  check(Array.isArray(players), 'players', 'a list');
  return players.map((player, at) => {
    check(typeof player === 'object' && player !== null, `players/${at}`, 'an object');
    const { operatorId, playerId, currency } = player;
    for (const [name, value] of Object.entries({ operatorId, playerId, currency })) {
      check(typeof value === 'string' && value !== '', `players/${at}/${name}`, 'a text');
    }
    return { operatorId, playerId, currency };
  });
}

/** What is given besides: a call would fail on it much later. */
function checkParts(options: SandboxOptions): void {
  const { journal, clock, random, logger, onFinding, onCall } = options;
  for (const name of ['gameUrlSignedFields', 'allowedHosts', 'scenarios'] as const) {
    const { [name]: value = [] } = options;
    check(Array.isArray(value), name, 'a list');
  }
  const { gameUrlSignedFields: fields = [], requireRequestId = true } = options;
  const isNames = fields.length <= 20 && new Set(fields).size === fields.length;
  check(isNames && fields.every(isId), 'gameUrlSignedFields', 'a list of at most 20 names');
  check(typeof requireRequestId === 'boolean', 'requireRequestId', 'true or false');
  const { walletTimeoutMs: ms = 1, voidSpelling = 'lower' } = options;
  const isTime = Number.isSafeInteger(ms) && ms >= 1 && ms <= longestTimerMs;
  check(isTime, 'walletTimeoutMs', `a whole number from 1 to ${longestTimerMs}`);
  check(spellings.includes(voidSpelling), 'voidSpelling', 'lower, upper or mixed');
  checkPorts(maker, { clock, random, logger, onFinding, onCall });
  if (journal === undefined || typeof journal === 'function') return;
  checkMethods(maker, 'journal', journal, ['replay', 'append', 'close']);
}

const spellings: readonly VoidSpelling[] = ['lower', 'upper', 'mixed'];

/** A rule of the service that is given outside `service` is named: it is a name of this library, not a secret. */
function checkNames(options: SandboxOptions): void {
  const given = Object.keys(options ?? {});
  const misplaced = given.find((name) => Object.hasOwn(serviceRuleNames, name));
  if (misplaced !== undefined) {
    throw new TypeError(`${maker}: unknown option; did you mean service.${misplaced}?`);
  }
  checkOptionNames(maker, options, optionNames);
  if (options.service === undefined) return;
  checkOptionNames(`${maker}: service`, options.service, serviceRuleNames);
  checkRules(options.service);
}

function checkGame({ gameCode, name, launchUrl }: Omit<Game, 'gameProviderId'>, at: string): void {
  for (const [member, value] of Object.entries({ gameCode, name })) {
    check(typeof value === 'string' && value !== '', `${at}/${member}`, 'a text');
  }
  check(URL.canParse(launchUrl), `${at}/launchUrl`, 'a URL');
}

function gamesOf(providers: readonly SandboxProvider[]): readonly Game[] {
  const games = providers.flatMap(({ gameProviderId, games: own }) =>
    own.map((game) => ({ ...game, gameProviderId })),
  );
  check(games.length > 0, 'providers', 'a list with a game');
  const codes = new Set(games.map(({ gameCode }) => gameCode));
  // E2.7: a game belongs to one provider.
  check(codes.size === games.length, 'providers', 'without a gameCode that is given twice');
  return games;
}

function journalOf(
  journal: SandboxOptions['journal'],
): Pick<SandboxSettings, 'openJournal' | 'reopenJournal'> {
  if (typeof journal === 'function') {
    const open = async (): Promise<Journal> => journal();
    return {
      openJournal: open,
      async reopenJournal(written) {
        await written.close();
        return open();
      },
    };
  }
  const first = journal ?? createMemoryJournal();
  return {
    openJournal: async () => first,
    async reopenJournal(written) {
      const { reopen } = written as { reopen?: () => Journal };
      if (typeof reopen === 'function') return reopen.call(written);
      throw new Error(`${maker}: give the journal as a function: a kill has to open it again`);
    },
  };
}

function checkParty(id: string, secrets: readonly string[], at: string, idName: string): void {
  check(isId(id), `${at}/${idName}`, 'a text of 1 to 128 characters');
  check(isList(secrets) && secrets.length <= 8, `${at}/secrets`, 'a list of 1 to 8 secrets');
  secrets.forEach((secret, nth) => void readSecret(`${maker}: ${at}/secrets/${nth}`, secret));
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 1 && value.length <= 128;
}

function checkPlace(place: unknown, option: string): void {
  check(typeof place === 'string' || typeof place === 'function', option, 'a URL or a listener');
}

function check(isRight: boolean, option: string, expected: string): void {
  if (!isRight) throw new TypeError(`${maker}: ${option} must be ${expected}`);
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
