import { GameEngineError, GameRoundError } from '../../provider';
import { type GameBells, readReels, type symbols } from '../../proof/demo/game-bells';
import {
  ScenarioContext,
  type Player,
  type ScenarioContextOptions,
  ScenarioError,
  type Session,
} from '../../proof/demo/scenarios';
import { CommandFailure, messageOf } from '../terminal/failure';
import type { FaultRequest } from '../../rgs/sandbox/view/state';
import { schemasOf } from '../../platform/validation';
import { parseJsonText, readTextFile } from '../terminal/read-json-file';

/** Who plays a script, and on what. */
export interface Cast {
  readonly scenario: ScenarioContextOptions;
  /** The built-in game; null where another provider plays. */
  readonly game: GameBells | null;
  readonly players: readonly Player[];
}

/** How a spin ended. */
interface Spun {
  readonly gameRound: string | null;
  readonly winAmount: bigint | null;
  readonly error: number | string | null;
}

/** What the steps share. */
interface Play {
  readonly context: ScenarioContext;
  readonly game: GameBells;
  readonly players: readonly Player[];
  readonly sessions: Map<string, Session>;
}

/**
 * Plays a script, step by step, and stops at the first that fails.
 * @returns Whether every step did what it says.
 * @throws CommandFailure if the built-in game does not play, or for an unknown player.
 */
export async function playScript(
  { name, steps }: Script,
  { scenario: options, game, players }: Cast,
  print: (line: string) => void,
): Promise<boolean> {
  if (game === null)
    throw new CommandFailure('--script plays the built-in game: leave out --provider');
  const context = new ScenarioContext(options);
  const play: Play = { context, game, players, sessions: new Map() };
  print(`Script ${name}: ${steps.length} steps.`);
  for (const [at, step] of steps.entries()) {
    print(`step ${at + 1}: ${JSON.stringify(step)}`);
    try {
      await playStep(play, step);
    } catch (error) {
      if (error instanceof CommandFailure) throw error;
      print(`Script ${name}: step ${at + 1} FAILED. ${messageOf(error)}`);
      return false;
    }
  }
  print(`Script ${name}: every step is as expected.`);
  return true;
}

async function playStep(play: Play, step: Step): Promise<void> {
  const { api } = play.context;
  if (step.launch !== undefined) await sit(play, step.launch);
  if (step.fault !== undefined) await api.fault(step.fault);
  if (step.clearFaults === true) await api.clearFaults();
  if (step.advance !== undefined) await api.advance(millisecondsOf(step.advance));
  if (step.janitor === true) await api.janitor();
  if (step.kill === true) await api.kill();
  const spun = step.spin === undefined ? null : await playSpin(play, step.spin);
  if (spun !== null && spun.error !== null && step.expect?.error === undefined) {
    throw new ScenarioError(`the spin failed: ${spun.error}`);
  }
  if (step.expect !== undefined) await check(play, step.expect, spun);
}

async function sit({ context, players, sessions }: Play, playerId: string): Promise<Session> {
  const player = players.find((one) => one.playerId === playerId);
  if (player === undefined)
    throw new CommandFailure(`the script names an unknown player: ${playerId}`);
  const session = await context.sit(player);
  sessions.set(playerId, session);
  return session;
}

/** A player without a session is launched first. */
async function playSpin(
  play: Play,
  { player, stake, force = [], useTicket }: SpinStep,
): Promise<Spun> {
  const { token, currency } = play.sessions.get(player) ?? (await sit(play, player));
  const reels = readReels(force);
  const known = new Set(play.game.rounds().map(({ gameRound }) => gameRound));
  const spun = await play.game.spins
    .play({
      token,
      currency,
      stake: BigInt(stake),
      ...(reels === null ? {} : { force: reels }),
      ...(useTicket === undefined ? {} : { useTicket }),
    })
    .then(
      ({ winAmount }) => ({ winAmount, error: null }),
      (error: unknown) => ({ winAmount: null, error: errorOf(error) }),
    );
  const gameRound = play.game.rounds().find((round) => !known.has(round.gameRound))?.gameRound;
  return { ...spun, gameRound: gameRound ?? null };
}

async function check(play: Play, expected: Expectation, spun: Spun | null): Promise<void> {
  const { context } = play;
  const { winAmount, error, wallet, balance, books, due, findings } = expected;
  if (error !== undefined) context.equal(spun?.error, error, 'the error of the spin');
  if (winAmount !== undefined) {
    context.equal(Number(spun?.winAmount ?? -1n), winAmount, 'the win of the spin');
  }
  if (wallet !== undefined) {
    const { gameRound = null } = spun ?? {};
    const calls = gameRound === null ? [] : await context.walletCalls(gameRound);
    context.equal(calls, wallet, 'the calls at the wallet');
  }
  for (const [playerId, units] of Object.entries(balance ?? {})) {
    const session = play.sessions.get(playerId) ?? (await sit(play, playerId));
    context.equal(await context.balance(session), BigInt(units), `the balance of ${playerId}`);
  }
  if (books !== undefined) {
    const { agree } = await context.api.books();
    context.equal(agree ? 'agree' : 'differ', books, 'the books');
  }
  if (due !== undefined) context.equal((await context.api.state()).due.length, due, 'what is due');
  if (findings !== undefined) {
    const found = await context.api.findings();
    context.equal(found.findings.length, findings, 'the number of findings');
  }
}

function errorOf(error: unknown): number | string {
  if (error instanceof GameEngineError) {
    return 'id' in error && error.id !== null ? error.id : error.code;
  }
  return error instanceof GameRoundError ? error.code : messageOf(error);
}

const unitMs = { s: 1000, min: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function millisecondsOf(text: string): number {
  const [, count = '0', unit = 's'] = /^(\d+)(s|min|h|d)$/.exec(text) ?? [];
  return Number(count) * unitMs[unit as keyof typeof unitMs];
}

/** What a step expects; each is checked on its own. */
interface Expectation {
  /** Of the spin, in minor units. */
  readonly winAmount?: number;
  /** Of the spin: the error id, or the code of a failed call such as `NETWORK_FAILURE`. */
  readonly error?: number | string;
  /** The calls about the spin's round at the wallet, such as `debit 100` and `credit 250 + end (cut)`. */
  readonly wallet?: readonly string[];
  /** By player, in minor units. */
  readonly balance?: Readonly<Record<string, number>>;
  readonly books?: 'agree' | 'differ';
  /** How many transactions are due at the wallet. */
  readonly due?: number;
  readonly findings?: number;
}

/** A spin of game-bells. */
interface SpinStep {
  readonly player: string;
  /** Minor units. */
  readonly stake: number;
  readonly force?: readonly (typeof symbols)[number][];
  readonly useTicket?: boolean;
}

/** One step of a script: one thing to do, and for a spin what to expect of it. */
interface Step {
  readonly launch?: string;
  readonly spin?: SpinStep;
  readonly fault?: FaultRequest;
  readonly clearFaults?: true;
  /** Such as `2h`. */
  readonly advance?: string;
  readonly janitor?: true;
  readonly kill?: true;
  readonly expect?: Expectation;
}

/** A script, read. */
export interface Script {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** For the help of the command. */
export const scriptHelp = `
A script is JSON: {"steps": [...]}, each step one of
  {"launch": "ann"}                                         a session for the player
  {"spin": {"player": "ann", "stake": 100, "force": ["bell", "bell", "star"]},
   "expect": {"winAmount": 100, "wallet": ["debit 100", "credit 100 + end"]}}
  {"fault": {"line": "rgs-wallet", "call": "doTransactions", "kind": "cut", "next": 1}}, {"clearFaults": true}
  {"advance": "2h"}, {"janitor": true}, {"kill": true}
  {"expect": {"balance": {"ann": 100000}, "books": "agree", "due": 0, "findings": 0}}
A spin may expect {"error": 9100} instead. Amounts are minor units.`;

const schemas = schemasOf('options', ['sandbox-script'], true);
const actions = [
  'launch',
  'spin',
  'fault',
  'clearFaults',
  'advance',
  'janitor',
  'kill',
] as const satisfies readonly (keyof Step)[];

/** @throws CommandFailure that names the file, the number of the step, counted from 1, and the fault. */
export function readScript(file: string): Script {
  const { value } = parseJsonText(readTextFile(file), file);
  const fault = schemas.findFault('sandbox-script', value);
  if (fault !== null) throw new CommandFailure(`${file}: ${byStep(fault)}`);
  const { name = file, steps } = value as unknown as { name?: string; steps: readonly Step[] };
  for (const [at, step] of steps.entries()) {
    const problem = problemOf(step);
    if (problem !== null) throw new CommandFailure(`${file}: step ${at + 1}: ${problem}`);
  }
  return { name, steps };
}

/** What the schema cannot say. */
function problemOf(step: Step): string | null {
  const { spin, expect = {} } = step;
  const given = actions.filter((action) => step[action] !== undefined);
  if (given.length > 1) return `has ${given.join(' and ')}; a step does one thing`;
  if (given.length === 1 && spin === undefined && step.expect !== undefined) {
    return `has expect beside ${given.join()}; make it a separate step`;
  }
  const ofSpins = (['winAmount', 'error', 'wallet'] as const).filter((name) => name in expect);
  if (spin === undefined && ofSpins.length > 0)
    return `expects ${ofSpins.join(', ')} without a spin`;
  const { next, probability } = step.fault ?? {};
  if (next !== undefined && probability !== undefined) return 'fault has both next and probability';
  return null;
}

/** `steps/4/spin must ...` counts from 0; people count from 1. */
function byStep(fault: string): string {
  return fault.replace(/^steps\/(\d+)[/ ]/, (_, at: string) => `step ${Number(at) + 1}: `);
}
