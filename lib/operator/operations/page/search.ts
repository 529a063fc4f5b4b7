import { field, html, select } from '../../../platform/html';
import type { PlayerKey } from '../../wallet';
import type { NotFoundView } from '../view/rounds';
import { id, idAttributes, linkTo, nextLink, type PageBody, playerLink } from './layout';

/** The form that finds a player, or a round of a player by its id or by a hash. */
export function searchPage(operators: readonly string[]): PageBody {
  return {
    title: 'Search',
    body: html`<form method="get" action="search">
${
  operators.length === 1
    ? null
    : select(
        'Operator',
        'operator',
        operators.map((one) => [one, one] as const),
      )
}
${field('Player', 'player', html`required ${idAttributes}`)}
${field('Round, if you look for one', 'round', idAttributes)}
${field('or hash of a transaction', 'hash', idAttributes)}
<button>Show</button></form>
<p class="dim">Ids are looked up as they are: letter case and spaces count.</p>`,
  };
}

/** No round has the hash, as far as was searched. */
export function notFoundPage(player: PlayerKey, { hash, searched, next }: NotFoundView): PageBody {
  const { operatorId, playerId } = player;
  const search = { operator: operatorId, player: playerId, hash };
  const older = next === null ? null : linkTo('search', { ...search, from: next });
  const what = next === null ? 'No round' : 'None of the rounds that were searched';
  return {
    title: 'Not found',
    body: html`<p>${what} of the player ${playerLink(player)} has the hash ${id(hash)}. Rounds searched: ${searched}. Rounds that retention deleted are not there.</p>
${nextLink(older, 'Search older rounds')}`,
  };
}
