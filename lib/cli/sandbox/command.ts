import type { Command } from 'commander';
import { systemClock, systemRandom } from '../../platform';
import { wholeBelow } from '../../platform/random';
import {
  createSandboxApi,
  playScenario,
  type Scenario,
  scenarios,
} from '../../proof/demo/scenarios';
import { catchStopSignals, type StopSignals } from '../terminal/stop-signals';
import { CommandFailure, exitCodes, print, printJson } from '../terminal/failure';
import { verdictOf } from './books';
import {
  addPartyFlags,
  addSandboxFlags,
  type PartyFlags,
  type SandboxFlags,
  repeatOf,
} from './flags';
import { readIdentity } from './identity';
import { jsonOutput, type SandboxOutput, textOutput } from './output';
import { type Parties, type PartyOptions, startParties } from './parties';
import { playScript, readScript, scriptHelp } from './script';
import { defined } from '../../platform/validation/defined';

/** The wallet in memory answers at once or not at all: how long the RGS waits for it, in milliseconds. */
const ownWalletTimeoutMs = 2000;

/** Adds `rgs-wallet sandbox`. */
export function addSandbox(program: Command): void {
  const command = program
    .command('sandbox')
    .summary('run a remote game server with faults on purpose, a wallet and a game')
    .description(
      'Starts a remote game server (RGS) on this machine: it serves the Game Engine API to game providers, and calls a wallet by the Operator API. Unless you name yours, a wallet in memory and a built-in game are used. Prints one line for each call. On its page you can set faults, advance the clock and compare the books of all three.',
    );
  addSandboxFlags(command)
    .addHelpText('after', `\n${variablesHelp}\n${scriptHelp}`)
    .action((flags: SandboxFlags) => runSandbox(flags));
  const play = command
    .command('play [name]')
    .summary('play a scenario on a new sandbox')
    .description(
      'Starts a sandbox on free ports, plays the scenario, prints the books, and exits with code 0 if the scenario is proved and the books agree, otherwise with 1. Ctrl-C prints the books so far and exits with 130.',
    )
    .option('--list', 'print the names of all scenarios, and what each shows');
  addPartyFlags(play)
    .addHelpText('after', `\nScenarios:\n${scenarioList()}`)
    .action((name: string | undefined, _own: object, self: Command) => {
      const useless = ofServer.find((flag) => command.getOptionValueSource(flag) === 'cli');
      return runPlay(name, self.optsWithGlobals<PartyFlags & { list?: true }>(), useless);
    });
}

/** Of a process that Ctrl-C or SIGTERM ends before its work is done. */
const stoppedCodes: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };
/** Flags of `sandbox` that a scenario of `play` has no use for. */
const ofServer = [
  'data',
  'script',
  'exit',
  'port',
  'host',
  'statsBy',
  'statsZone',
  'statsVoids',
] as const;
/** Its calls would fill the terminal: a line shows the progress. */
const quietScenario = 'storm';

const variablesHelp =
  'OPERATOR_ID, OPERATOR_SECRET, PROVIDER_ID and PROVIDER_SECRET name the operator and the game provider (casino and studio-1 without them); secrets that are not set are generated and printed once.\nA wallet in memory forgets its balances when the process ends, also with --data.\nCtrl-C prints the books and the command that repeats the run. Exit code 1: a scenario failed, the books differ, or no balance of the wallet is known. Differences that blind-retry causes on purpose are named but not counted; storm prints no calls without --verbose. Ctrl-C during --exit prints the books so far and exits with 130.';

function scenarioList(): string {
  return scenarios.map(({ name, shows }) => `  ${name.padEnd(17)}${shows}`).join('\n');
}

/** The names of all scenarios, and what each shows. */
function printList(isJson: boolean): void {
  if (isJson) printJson(scenarios.map(({ name, shows }) => ({ name, shows })));
  else print(scenarioList());
}

async function runSandbox(flags: SandboxFlags): Promise<void> {
  const signals = catchStopSignals();
  void signals.second.then(() => process.exit(exitCodes.wrong));
  const script = flags.script === undefined ? null : readScript(flags.script);
  const run = await start({
    ...flags,
    ...timeoutFor(flags),
    statistics: defined({ by: flags.statsBy, zone: flags.statsZone, voids: flags.statsVoids }),
    playsAlone: script === null && flags.exit === true,
  });
  const work = (): Promise<boolean> =>
    script === null ? playAll(run) : playScript(script, run.parties, run.print);
  await playThrough(run, repeatOf(flags, run.options.seedUsed), true, async () => {
    if (flags.exit === true) return unlessStopped(run, signals, work());
    const isOk = script === null || (await work());
    await signals.first;
    return isOk;
  });
}

async function runPlay(
  name: string | undefined,
  flags: PartyFlags & { readonly list?: true },
  useless?: string,
): Promise<void> {
  if (flags.list === true) return printList(flags.json === true);
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) {
    const names = scenarios.map((one) => one.name).join(', ');
    const what = name === undefined ? 'a scenario is missing' : 'there is no scenario of this name';
    throw new CommandFailure(`sandbox play: ${what}; choose one of ${names}`);
  }
  if (useless !== undefined) {
    throw new CommandFailure(
      `--${useless.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)} is of \`rgs-wallet sandbox\` alone; a scenario of \`play\` keeps nothing, and listens on a free port of this machine`,
    );
  }
  const signals = catchStopSignals();
  void signals.second.then(() => process.exit(exitCodes.wrong));
  // The flags of `sandbox` are accepted after `play` too, except those that store or place a sandbox.
  const { wallet, provider, game, players, settings, seed, multiplier, verbose, json } = flags;
  const own = defined({ wallet, provider, players, settings, seed, multiplier, verbose, json });
  const place = {
    port: 0,
    host: '127.0.0.1',
    playsAlone: true,
    ...timeoutFor(flags),
  };
  const run = await start({ ...own, game, ...place });
  const again = repeatOf({ ...own, game }, run.options.seedUsed, scenario.name);
  await playThrough(run, again, false, () => unlessStopped(run, signals, playOne(scenario, run)));
}

/**
 * Prints what was opened, does the work, prints the books and the command that repeats it, closes all and sets the exit code.
 * @param stays Whether others may use the sandbox.
 */
async function playThrough(
  run: Run,
  again: string,
  stays: boolean,
  work: () => Promise<boolean>,
): Promise<void> {
  const { parties, options, output } = run;
  let proved = false;
  try {
    output.opened(parties, options, stays);
    const isOk = await work();
    proved = (await printBooks(run)) && isOk;
    output.ended({ seed: options.seedUsed, again, proved });
  } finally {
    await closed(run);
  }
  conclude(run, proved);
}

/** Another wallet gets the five seconds of W1. */
function timeoutFor({ wallet }: PartyFlags): Pick<PartyOptions, 'walletTimeoutMs'> {
  return wallet === undefined ? { walletTimeoutMs: ownWalletTimeoutMs } : {};
}

/** A sandbox at work, and how it is printed. */
interface Run {
  readonly parties: Parties;
  readonly options: PartyOptions;
  readonly output: SandboxOutput;
  /** Prints a line, unless the run was stopped. */
  readonly print: (line: string) => void;
  /** Rounds that a scenario let differ on purpose. */
  readonly onPurpose: Set<string>;
  /** Rounds that the calls of the current scenario named; null between scenarios. */
  rounds: Set<string> | null;
  /** Whether calls are not printed. */
  isQuiet: boolean;
  /** The signal that stopped it; null if there is none. */
  stoppedBy: string | null;
}

async function start(
  flags: PartyFlags &
    Pick<PartyOptions, 'port' | 'host' | 'data' | 'walletTimeoutMs' | 'statistics' | 'playsAlone'>,
): Promise<Run> {
  const state = { isQuiet: false, stoppedBy: null, rounds: null };
  const outputFor = flags.json === true ? jsonOutput : textOutput;
  const output = outputFor(flags.verbose === true, () => run.stoppedBy !== null);
  const random = systemRandom;
  const showsCalls = (): boolean => run.stoppedBy === null && !run.isQuiet;
  const options: PartyOptions = {
    ...flags,
    operator: readIdentity('OPERATOR', 'casino', random),
    gameProvider: readIdentity('PROVIDER', 'studio-1', random),
    seedUsed: flags.seed ?? wholeBelow(random, 2 ** 31),
    clock: systemClock,
    random,
    logger: output.logger,
    onCall: (call) => {
      if (call.round !== null) run.rounds?.add(call.round);
      if (showsCalls()) output.call(call);
    },
    onFinding: (finding) => (showsCalls() ? output.finding(finding) : undefined),
    print: output.line,
  };
  const own = {
    options,
    output,
    print: output.line,
    onPurpose: new Set<string>(),
  };
  // Calls come before startParties is done.
  const run = Object.assign(state as Pick<Run, 'isQuiet' | 'stoppedBy' | 'rounds'>, own);
  return Object.assign(run, { parties: await startParties(options) });
}

async function playOne(scenario: Scenario, run: Run): Promise<boolean> {
  const { parties, options, print: printLine, onPurpose } = run;
  run.isQuiet = scenario.name === quietScenario && options.verbose !== true;
  const rounds = new Set<string>();
  run.rounds = rounds;
  const { isOk } = await playScenario(scenario, {
    ...parties.scenario,
    print: printLine,
    onPurpose: (gameRound) => void onPurpose.add(gameRound),
  });
  run.isQuiet = false;
  run.rounds = null;
  run.output.scenario(scenario.name, isOk, [...rounds]);
  return isOk;
}

async function playAll(run: Run): Promise<boolean> {
  const failed: string[] = [];
  for (const scenario of scenarios) {
    if (run.stoppedBy !== null) return false;
    if (!(await playOne(scenario, run))) failed.push(scenario.name);
  }
  const count = scenarios.length - failed.length;
  run.print(`${count} of ${scenarios.length} scenarios proved their point.`);
  const first = failed.length > 1 ? ` (${failed[0]} failed first)` : '';
  if (failed.length > 0) run.print(`Failed: ${failed.join(', ')}${first}`);
  return failed.length === 0;
}

/** The outcome of the work; false as soon as a signal asks the process to end. */
async function unlessStopped(
  run: Run,
  { first }: StopSignals,
  work: Promise<boolean>,
): Promise<boolean> {
  const stop = first.then((signal) => {
    run.stoppedBy = signal;
    return false;
  });
  const isOk = await Promise.race([work, stop]);
  if (run.stoppedBy === null) return isOk;
  // What it does from now on is of no interest, nor how it fails without its sandbox.
  void work.catch(() => {});
  await createSandboxApi(run.parties.url, systemClock).clearFaults();
  run.output.stopped(run.stoppedBy);
  return false;
}

/** Closes all sides; one that was stopped has calls in flight, and is not waited for. */
async function closed({ parties, stoppedBy }: Run): Promise<void> {
  if (stoppedBy === null) await parties.close();
}

/** Sets the exit code; a stopped run ends at once, whatever is in flight. */
function conclude({ stoppedBy }: Run, isProved: boolean): void {
  if (stoppedBy !== null) process.exit(stoppedCodes[stoppedBy] ?? exitCodes.wrong);
  if (!isProved) process.exitCode = exitCodes.wrong;
}

/** Prints the three books. @returns Whether they agree. */
async function printBooks({ parties, output, onPurpose }: Run): Promise<boolean> {
  const api = createSandboxApi(parties.url, systemClock);
  const books = await api.books();
  output.books(books, await api.state(), onPurpose);
  return verdictOf(books, onPurpose) === 'agree';
}
