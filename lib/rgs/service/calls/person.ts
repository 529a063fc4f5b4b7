import { EngineRefusedError } from '../../../protocol/engine-api/errors';
import type { Context } from '../../rounds/context';
import type { Decision } from '../../rounds/decision';
import { resolve } from '../../rounds/end';
import type { Round } from '../../rounds/round';
import { attemptsAtOnce } from '../../settlement/settle';
import { checkCertain, type Core, hashOf } from '../core/parts';
import { carryOut } from '../core/carry-out';
import type { ProviderLine, Resolution } from '../../ports';
import { playerKey, type RoundName } from '../state/keys';

/**
 * A person's decision on a round (E16.2). `close` ends it as endGameRound does, `resend` sends its queue now,
 * `giveUp` empties the queue and lists it as not delivered.
 * @throws EngineRefusedError 14 for an unknown round, 13 for one that is not open and is to be closed
 */
export async function resolveRound(core: Core, name: RoundName, how: Resolution): Promise<void> {
  const { delivery, lanes, cause } = core;
  const { owner } = find(core, name);
  if (how === 'resend') {
    const byHand = { attempts: attemptsAtOnce, debitWithinMs: null, isAtAnyAge: true, cause };
    await delivery.deliver(name, byHand);
    return;
  }
  // Otherwise an answer in flight would meet a round with nothing due.
  if (how === 'giveUp') await delivery.inFlight(name)?.done;
  await lanes.take(playerKey(owner), async (front) => {
    checkCertain(core, owner);
    await carryOut(core, 'resolve', { player: owner, front }, (): Decision => {
      const round = find(core, name);
      return resolve(contextOf(core, round), round, how);
    });
  });
}

/**
 * getGameResult: the result of a round as its provider shows it, as JSON text (E23.3).
 * @throws EngineRefusedError 14 for an unknown round, 9112 if the provider does not give it
 */
export async function gameResult(
  core: Core,
  provider: ProviderLine,
  name: RoundName,
  language: string,
): Promise<string> {
  const { gameCode } = find(core, name).owner;
  const answer = await provider.getGameResult({ ...name, gameCode, language });
  if (answer.kind === 'answered') return answer.value;
  throw new EngineRefusedError('PROVIDERUNAVAILABLE', 'E23.3');
}

function contextOf({ clock, settings }: Core, { owner }: Round): Context {
  const session = { owner, kind: 'janitor' } as const;
  const bounds = { isGambleEnabled: true, maxExposure: null };
  return { session, at: clock.now(), settings, hashOf, ...bounds };
}

function find({ state }: Core, { gameProviderId, gameRound }: RoundName): Round {
  const round = state.rounds.find(gameProviderId, gameRound);
  if (round === null) throw new EngineRefusedError('GAMEROUNDNOTFOUND', 'E16.2');
  return round;
}
