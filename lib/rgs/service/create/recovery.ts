import type { Clock } from '../../../platform';
import type { Journal } from '../../journal';
import { recover } from '../../rounds';
import { decode } from '../state/event-shape';
import type { Committer } from '../state/committer';
import { playerKey } from '../state/keys';
import type { State } from '../state/everything';

/**
 * The state as the journal has it.
 * @throws UnreadableEventError for an event that this version does not write
 */
export async function replay(journal: Journal, state: State): Promise<void> {
  for await (const event of journal.replay()) state.apply(decode(event));
}

/**
 * Every debit that was due without an outcome was perhaps sent: it is never sent again, and its void falls
 * due (B4). All else that is due goes on with the same hashes.
 */
export async function recoverRounds(
  state: State,
  committer: Committer,
  clock: Clock,
): Promise<void> {
  for (const round of state.rounds.atWork()) {
    const recovered = recover(round, clock.now());
    if (recovered === null) continue;
    const { gameRound, owner } = round;
    const { gameProviderId } = owner;
    await committer.commit(playerKey(owner), () => ({
      events: [{ type: 'round', gameProviderId, gameRound, event: recovered.event }],
      result: null,
    }));
  }
}
