import type { Owner, Round } from '../state';
import type { Session } from './context';

/** The round, if it belongs to the token's player and game; null hides that it exists (E5.8). */
export function ownRound(round: Round | null, session: Session): Round | null {
  if (round === null || !isSamePlayer(round.owner, session.owner)) return null;
  return round.owner.gameCode === session.owner.gameCode ? round : null;
}

/** The same player of the same operator at the same provider, in the same mode. */
export function isSamePlayer(one: Owner, other: Owner): boolean {
  return (
    one.gameProviderId === other.gameProviderId &&
    one.operatorId === other.operatorId &&
    one.playerId === other.playerId &&
    one.mode === other.mode
  );
}

/** Whether the game sees nothing of a round: its first debit was never taken (E14.1). */
export function isNeverTaken({ state }: Round): boolean {
  return state === 'declined' || state === 'cancelled' || state === 'starting';
}
