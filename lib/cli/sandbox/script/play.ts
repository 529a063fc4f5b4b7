import { GameEngineError, GameRoundError } from '../../../provider';
import { type GameBells, readReels } from '../../../proof/demo/game-bells';
import {
  createScenarioContext,
  type Player,
  type ScenarioContext,
  type ScenarioContextOptions,
  ScenarioError,
  type Session,
} from '../../../proof/demo/scenarios';
import { CommandFailure, messageOf } from '../../terminal/failure';
import type { Expectation, Script, SpinStep, Step } from './read';

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
  const context = createScenarioContext(options);
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
  const spun = step.spin === undefined ? null : await spin(play, step.spin);
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
async function spin(play: Play, { player, stake, force = [], useTicket }: SpinStep): Promise<Spun> {
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
