import { type Command, type CommanderError, InvalidArgumentError, Option } from 'commander';
import { scenarios } from '../../proof/demo/scenarios';
import type { StatisticsCounting } from '../../rgs/statistics';
import { CommandFailure, shellWord } from '../terminal/failure';
import { addFlags, knownZone, wholeNumber } from '../terminal/flags';

/** Flags that say who plays: of `sandbox` and of `sandbox play`. */
export interface PartyFlags {
  readonly wallet?: string;
  readonly provider?: string;
  readonly game: string;
  readonly players?: string;
  readonly settings?: string;
  readonly seed?: number;
  /** Decimal texts by currency. */
  readonly multiplier?: Readonly<Record<string, string>>;
  readonly verbose?: true;
  readonly json?: true;
}

/** Flags of `rgs-wallet sandbox`. */
export interface SandboxFlags extends PartyFlags {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  readonly statsBy?: StatisticsCounting['by'];
  readonly statsZone?: string;
  readonly statsVoids?: StatisticsCounting['voids'];
  readonly script?: string;
  readonly exit?: true;
}

/** Adds {@link SandboxFlags}. */
export function addSandboxFlags(command: Command): Command {
  command
    .exitOverride((error) => {
      throw hintAtPlay(command, error);
    })
    .hook('preAction', (_, action) => {
      const { script, provider } = action.opts<SandboxFlags>();
      if (action === command && script !== undefined && provider !== undefined) {
        throw new CommandFailure('--script plays the built-in game: leave out --provider');
      }
    });
  addFlags(command, [
    [
      '--port <n>',
      'port of the RGS and its page; 0 picks a free one',
      { env: 'PORT', usual: 8090, parse: wholeNumber(0, 65_535) },
    ],
    ['--host <host>', 'address to listen on', { env: 'HOST', usual: '127.0.0.1' }],
  ]);
  addPartyFlags(command).addOption(
    new Option(
      '--data <file>',
      'file that keeps the rounds of the RGS; without it they are in memory',
    ).env('SANDBOX_DATA'),
  );
  return addStatisticsFlags(command)
    .option('--script <file>', 'JSON {"steps": [...]} to play at the start (see below)')
    .option(
      '--exit',
      'play the script, or all scenarios without one, compare the books, and exit with 0 or 1',
    );
}

function addStatisticsFlags(command: Command): Command {
  const by = new Option(
    '--stats-by <time>',
    'getStats: the time of a round that says on which day it counts (default: "start")',
  );
  const voids = new Option(
    '--stats-voids <day>',
    'getStats: restated: a void counts on the day of its round; dated: on its own (default: "restated")',
  );
  return command
    .addOption(by.choices(['start', 'end']))
    .option(
      '--stats-zone <name>',
      'getStats: time zone of the days, such as Europe/Malta (default: "UTC")',
      knownZone,
    )
    .addOption(voids.choices(['restated', 'dated']));
}

/** `rgs-wallet sandbox spin` means `rgs-wallet sandbox play spin`. */
function hintAtPlay({ args }: Command, error: CommanderError): Error {
  const [given] = args;
  if (error.code !== 'commander.excessArguments' || given === 'play') return error;
  const name = scenarios.find((one) => one.name === given)?.name ?? '--list';
  return new CommandFailure(
    `sandbox takes no argument; for scenarios there is rgs-wallet sandbox play ${name}`,
  );
}

/** Adds {@link PartyFlags}. */
export function addPartyFlags(command: Command): Command {
  return addFlags(command, [
    ['--wallet <url>', "the operator's wallet; one in memory unless given", { env: 'WALLET_URL' }],
    [
      '--provider <url>',
      "the game provider's router; the built-in game unless given. Its launch page is /game of the same host",
      { env: 'PROVIDER_URL' },
    ],
    [
      '--game <code>',
      'code of the game that is launched',
      { env: 'GAME_CODE', usual: 'game-bells' },
    ],
    [
      '--players <file>',
      'JSON [{"playerId": "...", "currency": "EUR", "balances": {"real": "100000"}}] in minor units; ann and bob have 1000.00 EUR without it',
      { env: 'PLAYERS_FILE' },
    ],
    [
      '--settings <file>',
      'JSON {"settings": {"minStake": 20, "rcEnabled": true}} that the operator sets about games; amounts in minor units',
      { env: 'SETTINGS_FILE' },
    ],
    ['--seed <n>', 'seed of the faults and the reels', { parse: wholeNumber(0, 2 ** 31 - 1) }],
    [
      '--multiplier <currency=factor>',
      "a currency's multiplier, such as SEK=10; repeat it for others",
      { parse: readMultiplier },
    ],
    ['--verbose', 'print headers, bodies and signed strings as well'],
    [
      '--json',
      'print lines of JSON, each with its kind: start, call, finding, scenario, books, end. No secret is in them: set OPERATOR_SECRET and PROVIDER_SECRET',
    ],
  ]);
}

function readMultiplier(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, currency = '', factor = ''] =
    /^([A-Z]{3})=((?:0|[1-9]\d{0,6})(?:\.\d{1,6})?)$/.exec(text) ?? [];
  if (currency === '' || Number(factor) === 0) {
    throw new InvalidArgumentError('It must be a currency and a factor above 0, such as SEK=10.');
  }
  return { ...previous, [currency]: factor };
}

/** Defaults, which are left out. */
const usual = { port: 8090, host: '127.0.0.1' };

/**
 * The command that repeats a run: its flags, and the seed. The environment is not in it, and neither is --data: with
 * the rounds of this run it would be another run.
 * @param scenario For `sandbox play`.
 */
export function repeatOf(
  flags: PartyFlags & Partial<SandboxFlags>,
  seed: number,
  scenario?: string,
): string {
  const { wallet, provider, game, players, settings, multiplier = {}, data, script } = flags;
  const { port = usual.port, host = usual.host, exit, verbose, json } = flags;
  const { statsBy, statsZone, statsVoids } = flags;
  const statistics = { 'stats-by': statsBy, 'stats-zone': statsZone, 'stats-voids': statsVoids };
  const values = { wallet, provider, players, settings, ...statistics, script };
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`],
  );
  const factors = Object.entries(multiplier).map(
    ([code, factor]) => `--multiplier ${code}=${factor}`,
  );
  return [
    'rgs-wallet sandbox',
    ...(scenario === undefined ? [] : [`play ${scenario}`]),
    `--seed ${seed}`,
    ...given,
    ...(game === 'game-bells' ? [] : [`--game ${quoted(game)}`]),
    ...factors,
    ...(port === usual.port ? [] : [`--port ${port}`]),
    ...(host === usual.host ? [] : [`--host ${quoted(host)}`]),
    ...(exit === true ? ['--exit'] : []),
    ...(verbose === true ? ['--verbose'] : []),
    ...(json === true ? ['--json'] : []),
    ...(data === undefined ? [] : ['# without --data: the file has the rounds of this run']),
  ].join(' ');
}

function quoted(text: string): string {
  return /^[\w.:/@%+=,-]+$/.test(text) ? text : shellWord(text);
}
