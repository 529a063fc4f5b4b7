import { Dice } from '../../../../lib/proof/subject/dice';
import type { Case } from '../../../../lib/proof/contracts/suite';
import type { World } from '../case';
import { limitKinds } from '../../../../lib/operator/wallet';
import { Play, type PlayedLimits } from './play';
import { playBlock, playDeposit, playLimit, playOtherCash } from './acts';
import { playCredit, playFollowUp, playOpening, playRepair, playResend, playVoid } from './rounds';
import type { PlayedRound } from '../model/played-round';
import { type Reading, readings } from '../model/readings';

const tenMinutesMs = 600_000;

/** Random plays, each step compared with the list of all that happened. */
export function randomRules(it: Case<World>, seed: number, plays: number): void {
  it('whatever is played with one clock, each limit counts what the list of it says', (world) =>
    playAll(world, seed, plays, 0));

  it('whatever is played by two processes with clocks ten minutes apart, a limit counts in the window that has begun', (world) =>
    playAll(world, seed + 1, plays, tenMinutesMs));
}

/** The same where a limit counts what moved in its window before it; `hasServerTimes` leaves out limits of deposits. */
export function pastPlays(
  it: Case<World>,
  seed: number,
  plays: number,
  hasServerTimes: boolean,
): void {
  const kinds = limitKinds.filter((kind) => !hasServerTimes || kind !== 'deposit');
  it('whatever is played, each limit counts all that moved in its window', (world) =>
    playAll(world, seed + 2, plays, 0, { kinds, isFromPast: true }));
}

async function playAll(
  world: World,
  seed: number,
  plays: number,
  behindMs: number,
  limits: PlayedLimits = { kinds: limitKinds, isFromPast: false },
): Promise<void> {
  let left: readonly Reading[] = readings;
  for (let at = 0; at < plays; at += 1) {
    const play = new Play(world, new Dice(seed + at * 7919), behindMs, left, limits);
    try {
      await playOne(play);
    } catch (error) {
      throw new Error(`play ${at} of seed ${seed}: ${String(error)}`, { cause: error });
    }
    left = play.readings;
  }
}

const steps = [
  { weight: 18, run: playOpening },
  { weight: 14, run: onRound(playFollowUp, 'open') },
  { weight: 13, run: onRound(playCredit, 'open') },
  { weight: 12, run: onRound(playVoid, 'open', 'closed', 'stranded') },
  { weight: 6, run: onRound(playResend, 'open', 'closed', 'stranded') },
  { weight: 6, run: onRound(playRepair, 'stranded') },
  { weight: 14, run: playLimit },
  { weight: 6, run: playBlock },
  { weight: 9, run: playDeposit },
  { weight: 2, run: playOtherCash },
] as const;

async function playOne(play: Play): Promise<void> {
  await play.open();
  if (play.dice.chance(80)) await playLimit(play);
  const count = play.dice.between(15, 50);
  for (let step = 0; step < count; step += 1) {
    play.pass();
    await play.dice.weighed(steps).run(play);
    await play.check();
  }
}

/** The step on one of the latest rounds that are in one of these states. */
function onRound(
  step: (play: Play, round: PlayedRound) => Promise<void>,
  ...states: readonly PlayedRound['state'][]
): (play: Play) => Promise<void> {
  return async (play) => {
    const fitting = play.rounds.filter(({ state }) => states.includes(state));
    const round = fitting.length === 0 ? undefined : play.dice.pick(fitting.slice(-5));
    await (round === undefined ? playOpening(play) : step(play, round));
  };
}
