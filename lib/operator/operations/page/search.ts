import {
  counted,
  field,
  type Html,
  html,
  id,
  part,
  select,
  stackedTable,
  verdict,
} from '../../../platform/html';
import type { PlayerKey } from '../../wallet';
import type { HitsView, Searched, SearchView } from '../view/players/search';
import type { NotFoundView } from '../view/rounds/list';
import type { PageBody } from './layout';
import { idAttributes, linkTo, nextLink, playerLink, roundLink } from './links';

/** The form that finds a player, or a round of a player by its id or by a hash. */
export function searchPage({ operators, order }: SearchView): PageBody {
  const places = order.map((one) => meanings[one]).join('; then ');
  const of = operators.length === 1 ? '' : ` of ${counted(operators.length, 'operator')}`;
  return {
    title: 'Search',
    body: html`${verdict({
      tone: 'note',
      title: `The field at the top finds players and rounds${of}`,
      text: `It looks for ${places}. The first of these that has something is shown.`,
    })}${searchForm(operators)}`,
  };
}

/** What is searched for, each in a few words. */
const meanings: Readonly<Record<Searched, string>> = {
  players: 'a player with this id',
  'rounds of a player':
    'a player, a space, and a round of this player or the hash of a transaction',
  'rounds by id, with serve --round-lookup': 'a round by its id alone, with serve --round-lookup',
  'rounds that wait': 'a round that waits for a person, by its id or its player',
};

function searchForm(operators: readonly string[]): Html {
  const choices = operators.map((one) => [one, one] as const);
  return html`<form method="get" action="search" class="card">
${operators.length === 1 ? null : select('Operator', 'operator', choices)}
${field('Player', 'player', html`required ${idAttributes}`)}
${field('Round, if you look for one', 'round', idAttributes)}
${field('or hash of a transaction', 'hash', idAttributes)}
<button class="main">Show</button></form>
<p class="dim">Ids are looked up as they are: letter case and spaces count.</p>`;
}

/** What one text may mean, where it is not one thing alone. */
export function hitsPage(view: HitsView, operators: readonly string[]): PageBody {
  const { text, hits, searched, isWhole } = view;
  const where = `Searched by the exact text, without spaces around it: ${searched.join('; ')}${isWhole ? '' : ', of which the store did not list all'}.`;
  if (hits.length === 0) {
    return {
      title: 'Not found',
      body: html`${verdict({ tone: 'warn', title: html`Nothing is called ${id(text)}`, text: where })}
${part('further', 'Search further', null, html`<p>A round is found by its player and its id or a hash; by its id alone, if <code>serve</code> ran with <code>--round-lookup</code> when it was played. Rounds that retention deleted are not there.</p>${searchForm(operators)}`)}`,
    };
  }
  const number =
    hits.length === 1 ? '1 player or round has' : `${hits.length} players or rounds have`;
  return {
    title: 'Found',
    heading: html`Found: ${id(text)}`,
    body: html`${verdict({ tone: 'note', title: `${isWhole ? '' : 'At least '}${number} this id`, text: where })}${stackedTable(
      'What was found',
      ['player', 'round', 'operator'],
      hits.map(({ gameRound, ...player }) => [
        playerLink(player),
        gameRound === null ? null : roundLink({ ...player, gameRound }),
        id(player.operatorId),
      ]),
      'Nothing.',
    )}`,
  };
}

/** No round has the hash, as far as was searched. */
export function notFoundPage(player: PlayerKey, { hash, searched, next }: NotFoundView): PageBody {
  const { operatorId, playerId } = player;
  const search = { operator: operatorId, player: playerId, hash };
  const older = next === null ? null : linkTo('search', { ...search, from: next });
  const what = next === null ? 'No round of the player' : 'None of the rounds that were searched';
  return {
    title: 'Not found',
    body: html`${verdict({
      tone: 'warn',
      title: html`${what} has the hash ${id(hash)}`,
      text: html`Of the player ${playerLink(player)}. Rounds searched: ${searched}. Rounds that retention deleted are not there.`,
    })}
${nextLink(older, 'Search older rounds')}`,
  };
}
