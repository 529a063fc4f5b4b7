import { StoreUnavailableError } from '../../wallet';
import { playerHref } from '../page/player';
import { checkReason } from '../repairs/input';
import { playerOf, RequestFault } from '../view';
import type { Answer, PageRequest } from './request';
import { actorOf, checked, reasonOf } from './form-fields';

/** Blocks a player, or unblocks one, and leads back to the player's page. */
export async function block(request: PageRequest): Promise<Answer> {
  const { store, fields } = request;
  const player = playerOf(request);
  const wanted = fields.get('blocked');
  if (wanted !== 'true' && wanted !== 'false') {
    throw new RequestFault(400, 'blocked must be true or false.');
  }
  if (store.setBlocked === undefined) {
    throw new RequestFault(501, "This store does not block players: the platform's ledger does.");
  }
  const [blocked, by] = [wanted === 'true', actorOf(request)];
  const result = await checked(async () => {
    if (store.blocks === undefined) return store.setBlocked?.(player, blocked);
    const reason = reasonOf(fields);
    checkReason('reason', reason);
    return store.setBlocked?.(player, blocked, { by, reason });
  });
  if (result?.kind === 'unknown') throw new StoreUnavailableError(result.cause.message);
  if (result?.kind === 'noPlayer') throw new RequestFault(404, 'The store has no such player.');
  request.events.emit({ kind: 'playerBlocked', player, blocked, by });
  return { kind: 'moved', to: playerHref(player, blocked ? 'blocked' : 'unblocked') };
}
