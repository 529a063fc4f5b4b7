import {
  field,
  hidden,
  type Html,
  html,
  select,
  table,
  type TableRow,
} from '../../../platform/html';
import { roundStates } from '../../gameround';
import { isDay } from '../../wallet/limits/zone-days';
import type { PlayerView } from '../view/player';
import { type RoundRow, roundsOnPage } from '../view/rounds';
import { type FilterTexts, filterLabels } from '../view/rounds-filter';
import {
  given,
  id,
  idAttributes,
  linkTo,
  nameOfState,
  nextLink,
  purse,
  roundLink,
  timeOf,
} from './layout';

/** A page of a player's rounds below the form that filters them; the links to older ones keep the filter. */
export function roundList({ operatorId, playerId, rounds }: PlayerView, filter: FilterTexts): Html {
  if (rounds.history !== 'on') {
    return rounds.history === 'off'
      ? html`<p class="dim">History is off: the store was made without its option <code>history</code> (<code>serve --history</code>), so it does not list a player's rounds.</p>`
      : html`<p class="dim">This store does not list a player's rounds.</p>`;
  }
  const { next } = rounds;
  const isCut = next !== null && rounds.rounds.length < roundsOnPage;
  const player = { operator: operatorId, player: playerId };
  const older = next === null ? null : linkTo('player', { ...player, ...filter, rounds: next });
  const isFiltered = Object.keys(filter).length > 0;
  const cut = isCut
    ? html`<p class="notice warn">Not all older rounds were searched: one request reads a limited number. Continue with the link below.</p>`
    : null;
  return html`${filterForm(player, filter)}
${table(
  'Rounds, the newest first, times in UTC',
  ['opened, UTC', 'round', 'game', 'state', '#taken', '#given', 'currency', 'last, UTC'],
  rounds.rounds.map(roundRow),
  isCut || isFiltered ? 'No round that was searched fits.' : 'No further round is stored.',
)}${cut}${nextLink(older, isCut ? 'Search older rounds' : 'Older rounds')}${isFiltered ? html`<p><a href="${linkTo('player', player)}">All rounds</a></p>` : null}`;
}

function filterForm(player: Readonly<Record<string, string>>, filter: FilterTexts): Html {
  const { from, to, game, state, min } = filter;
  const states = roundStates.map((one) => [one, nameOfState(one)] as const);
  return html`<form method="get" action="player">
${hidden(player)}
${field(filterLabels.from, 'from', dayAttributes(from))}
${field(filterLabels.to, 'to', dayAttributes(to))}
${field(filterLabels.game, 'game', html`${idAttributes} value="${game ?? ''}"`)}
${select(filterLabels.state, 'state', [['', 'any'], ...states], state ?? '')}
${field(filterLabels.min, 'min', html`inputmode="decimal" maxlength="40" autocomplete="off" value="${min ?? ''}"`)}
<button>Filter</button></form>`;
}

/** A browser would empty a field of days that holds a time, as a link may have one. */
function dayAttributes(value = ''): Html {
  const type = value === '' || isDay(value) ? 'date' : 'text';
  return html`type="${type}" maxlength="40" value="${value}"`;
}

function roundRow(row: RoundRow): TableRow {
  const { openedAt, lastAt, gameCode, state, debits, currency } = row;
  return [
    timeOf(openedAt),
    roundLink(row),
    gameCode === null ? null : id(gameCode),
    nameOfState(state),
    purse(debits),
    given(row, ''),
    currency,
    timeOf(lastAt),
  ];
}
