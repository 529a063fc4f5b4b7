import type { Round } from '../state';
import type { Context } from './context';
import { change, type Changed, refuse, type Refused } from './decision';
import { endGameRound } from './end';

/**
 * A person's decision on a round in attention (E16.2). `close` ends an open round as endGameRound does;
 * `giveUp` empties its queue, and lists each amount as not delivered. Resending the queue changes nothing.
 */
export function resolve(
  context: Context,
  round: Round,
  how: 'close' | 'giveUp',
): Changed | Refused {
  if (how === 'giveUp') return change(round, [{ type: 'givenUp', at: context.at }]);
  if (round.state !== 'open') return refuse('GAMEROUNDNOTACTIVE', 'E16.2');
  return endGameRound(context, round);
}
