import { type Html, html } from '../../../platform/html';
import type { PlayerKey } from '../../wallet';
import type { NotFoundView } from '../view';
import { id, linkTo, type PageBody, playerLink } from './layout';

/** The form that finds a player, or a round of a player by its id or by a hash. */
export function searchPage(operators: readonly string[]): PageBody {
  return {
    title: 'Search',
    body: html`<form method="get" action="search">
${operatorField(operators)}
<label>Player<input name="player" required maxlength="256" autocomplete="off"></label>
<label>Round, if you look for one<input name="round" maxlength="256" autocomplete="off"></label>
<label>or hash of a transaction<input name="hash" maxlength="256" autocomplete="off"></label>
<button>Show</button></form>
<p class="dim">Ids are looked up as they are: letter case and spaces count.</p>`,
  };
}

/** No round has the hash, as far as was searched. */
export function notFoundPage(player: PlayerKey, { hash, searched, next }: NotFoundView): PageBody {
  const { operatorId, playerId } = player;
  const older = { operator: operatorId, player: playerId, hash, from: next ?? '' };
  const what = next === null ? 'No round' : 'None of the rounds that were searched';
  return {
    title: 'Not found',
    body: html`<p>${what} of the player ${playerLink(player)} has the hash ${id(hash)}. Rounds searched: ${searched}. Rounds that retention deleted are not there.</p>
${next === null ? null : html`<p><a href="${linkTo('search', older)}">Search older rounds</a></p>`}`,
  };
}

/** No field if there is only one. */
function operatorField(operators: readonly string[]): Html | null {
  if (operators.length === 1) return null;
  const choices = operators.map(
    (operator) => html`<option value="${operator}">${operator}</option>`,
  );
  return html`<label>Operator<select name="operator">${choices}</select></label>`;
}
