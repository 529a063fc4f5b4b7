import { type Clock, createSeededRandom, type Logger, type Random } from '../../platform';
import {
  createGameBells,
  createProviderBook,
  type GameBells,
  type ProviderBook,
} from '../../proof/demo/game-bells';
import {
  type Player,
  playScenario,
  type ScenarioContextOptions,
  scenarios,
} from '../../proof/demo/scenarios';
import {
  createFileJournal,
  createSandbox,
  JournalError,
  type Sandbox,
  type SandboxScenario,
} from '../../rgs/sandbox';
import type { FindingView, WireCall } from '../../rgs/sandbox/view/wire';
import type { StatisticsCounting } from '../../rgs/statistics';
import { type FilePlayer, readPlayers } from '../serve/players';
import { defined } from '../../platform/validation/defined';
import { CommandFailure, messageOf } from '../terminal/failure';
import type { PartyFlags } from './flags';
import { type Identity, type FileSettings, readSettings } from './identity';
import {
  hostsOf,
  type OpenPort,
  openPort,
  defaultPlayers,
  type OwnWallet,
  startWallet,
} from './listen';
import { bookedRounds, earlierRounds, checkReachable } from './reach';

/** What the three sides are started with. */
export interface PartyOptions extends PartyFlags {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  /** How getStats counts; as E24.3 unless set. */
  readonly statistics?: Partial<StatisticsCounting>;
  readonly operator: Identity;
  readonly gameProvider: Identity;
  readonly seedUsed: number;
  /** Whether all rounds are played here, also with another provider: then the book of the scenarios is its book. */
  readonly playsAlone: boolean;
  /** W1; the service's own unless set. */
  readonly walletTimeoutMs?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly onCall: (call: WireCall) => void;
  readonly onFinding: (finding: FindingView) => void;
  /** Prints the lines of a scenario that the page plays. */
  readonly print: (line: string) => void;
}

/** The three sides at work. */
export interface Parties {
  readonly url: string;
  readonly walletUrl: string;
  readonly providerUrl: string;
  readonly ownWallet: OwnWallet | null;
  /** The built-in provider; null where another one plays. */
  readonly game: GameBells | null;
  readonly players: readonly Player[];
  readonly sandbox: Sandbox;
  /** What scenarios play on. */
  readonly scenario: ScenarioContextOptions;
  close(): Promise<void>;
}

/**
 * Starts the wallet, the RGS and the game provider, each unless a URL replaces it.
 * @throws CommandFailure where a side cannot be reached, a port or a file not used.
 */
export async function startParties(options: PartyOptions): Promise<Parties> {
  const { operator, gameProvider, clock, random, host, port } = options;
  const { players: file, wallet, provider } = options;
  const settings = readSettings(options.settings);
  if (wallet !== undefined) await checkReachable(clock, '--wallet', wallet);
  if (provider !== undefined) await checkReachable(clock, '--provider', provider);
  const filePlayers = file === undefined ? defaultPlayers : readPlayers(file);
  if (wallet === undefined && file !== undefined) checkMinorUnits(filePlayers, file);
  const open: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(one: T): T => {
    open.unshift(one);
    return one;
  };
  const close = async (): Promise<void> => {
    for (const one of open.splice(0)) await one.close();
  };
  try {
    const ownWallet =
      wallet === undefined
        ? keep(await startWallet(operator, filePlayers, file ?? 'players'))
        : null;
    const rgsPort = keep(await openPort(port, host));
    const gamePort = provider === undefined ? keep(await openPort(0, host)) : null;
    const engineUrl = `${rgsPort.url}/gameapi/v2`;
    const game = gamePort === null ? null : keep(startGame(options, gamePort, engineUrl));
    const book = game?.book ?? createProviderBook();
    const walletUrl = wallet ?? ownWallet?.url ?? '';
    const providerUrl = provider ?? `${gamePort?.url}/rgs`;
    const players = filePlayers.map(({ playerId, currency }) => ({ playerId, currency }));
    const scenario: ScenarioContextOptions = {
      url: rgsPort.url,
      operator: { operatorId: operator.id, secret: operator.secret },
      provider: { gameProviderId: gameProvider.id, secret: gameProvider.secret },
      gameCode: options.game,
      newPlayer:
        ownWallet === null || file !== undefined ? inTurn(players) : () => ownWallet.newPlayer(),
      book,
      clock,
      random,
      seed: options.seedUsed,
      print: options.print,
    };
    const sandbox = keep(
      await startRgs(options, {
        rgsPort,
        walletUrl,
        providerUrl,
        book,
        scenario,
        game,
        players,
        own: settings,
      }),
    );
    rgsPort.serve(sandbox.handle);
    return {
      url: rgsPort.url,
      walletUrl,
      providerUrl,
      ownWallet,
      game,
      players,
      sandbox,
      scenario,
      close,
    };
  } catch (error) {
    await close();
    if (error instanceof JournalError) throw new CommandFailure(messageOf(error));
    throw error;
  }
}

/**
 * The wallet in memory counts in minor units: `"100.00"` would be 1.00 there. Another wallet decides its own
 * balances.
 */
function checkMinorUnits(players: readonly FilePlayer[], file: string): void {
  for (const [at, { balances }] of players.entries()) {
    for (const [purse, amount] of Object.entries(balances)) {
      if (/^\d+$/.test(String(amount))) continue;
      throw new CommandFailure(
        `${file}: ${at}/balances/${purse} must be whole minor units: "10000" is 100.00`,
      );
    }
  }
}

function startGame(options: PartyOptions, gamePort: OpenPort, engineUrl: string): GameBells {
  const { gameProvider, clock, random, seedUsed } = options;
  const game = createGameBells({
    engineUrl,
    gameProviderId: gameProvider.id,
    secret: gameProvider.secret,
    clock,
    random,
    draws: createSeededRandom(seedUsed),
  });
  gamePort.serve(game.listener);
  return game;
}

/** The other two sides, as the RGS needs them. */
interface Surroundings {
  readonly rgsPort: OpenPort;
  readonly walletUrl: string;
  readonly providerUrl: string;
  readonly book: ProviderBook;
  readonly scenario: ScenarioContextOptions;
  readonly game: GameBells | null;
  readonly players: readonly Player[];
  /** What a settings file says. */
  readonly own: FileSettings;
}

async function startRgs(options: PartyOptions, around: Surroundings): Promise<Sandbox> {
  const { operator, gameProvider, data, multiplier, statistics, walletTimeoutMs } = options;
  const { rgsPort, walletUrl, providerUrl, book, scenario, game, players, own } = around;
  const launchUrl = new URL('/game', providerUrl).href;
  let earlier: ReturnType<typeof earlierRounds> = new Map();
  const sandbox = await createSandbox({
    url: rgsPort.url,
    operators: [
      { operatorId: operator.id, secrets: [operator.secret], wallet: walletUrl, ...own.operator },
    ],
    providers: [
      {
        gameProviderId: gameProvider.id,
        secrets: [gameProvider.secret],
        router: providerUrl,
        games: [{ gameCode: options.game, name: options.game, launchUrl }],
        ...(game === null && !options.playsAlone
          ? {}
          : { book: () => bookedRounds(book, earlier) }),
      },
    ],
    ...(data === undefined ? {} : { journal: () => createFileJournal({ path: data }) }),
    seed: options.seedUsed,
    service: { ...own.service, ...defined({ multipliers: multiplier, statistics }) },
    ...(walletTimeoutMs === undefined ? {} : { walletTimeoutMs }),
    allowedHosts: hostsOf(options.host, rgsPort.port),
    scenarios: playable(scenario),
    players: players.map((player) => ({ operatorId: operator.id, ...player })),
    onCall: options.onCall,
    onFinding: options.onFinding,
    clock: options.clock,
    random: options.random,
    logger: options.logger,
  });
  if (data !== undefined) earlier = earlierRounds(await sandbox.books());
  return sandbox;
}

/** The scenarios for the page. One plays after the other: they share the clock and the faults. */
function playable(options: ScenarioContextOptions): SandboxScenario[] {
  let turn: Promise<unknown> = Promise.resolve();
  return scenarios.map((scenario) => ({
    name: scenario.name,
    shows: scenario.shows,
    play: () => {
      const played = turn.then(() => playScenario(scenario, options));
      turn = played.catch(() => {});
      return played;
    },
  }));
}

/** The players of another wallet or of a file, one after the other. */
function inTurn(players: readonly Player[]): () => Promise<Player> {
  let at = 0;
  return async () => {
    const player = players[at++ % players.length];
    if (player === undefined) throw new CommandFailure('--players names no player');
    return player;
  };
}
