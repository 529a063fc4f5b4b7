import {
  amountText,
  counted,
  empty,
  field,
  hidden,
  type Html,
  html,
  id,
  money,
  part,
  select,
  stackedTable,
  type TableRow,
} from '../../../../platform/html';
import { roundStates } from '../../../gameround';
import type { PlayerView } from '../../view/players/player';
import { type RoundRow, roundsOnPage, type RoundsSum } from '../../view/rounds/list';
import { type FilterTexts, filterLabels } from '../../view/rounds/filter';
import { inZone, type Reader } from '../layout';
import { dayAttributes, fileLinks, idAttributes, linkTo, nextLink, roundLink } from '../links';
import { given, nameOfState, purse, stateBadge } from '../words';

const heading = 'Rounds, the newest first';

/** A page of a player's rounds below the form that filters them, with their files beside the heading; the links to older ones keep the filter. */
export function roundsPart(
  { operatorId, playerId, rounds }: Pick<PlayerView, 'operatorId' | 'playerId' | 'rounds'>,
  filter: FilterTexts,
  reader: Reader & { readonly mayExport: boolean },
  path: 'player' | 'history' = 'player',
): Html {
  if (rounds.history !== 'on') {
    const why =
      rounds.history === 'off'
        ? html`History is off: the store was made without its option <code>history</code> (<code>serve --history</code>). A round is found by its id below.`
        : "This store does not list a player's rounds. A round is found by its id below.";
    return part('rounds', heading, null, empty('Rounds are not listed', why));
  }
  const { next, sums } = rounds;
  const isCut = next !== null && rounds.rounds.length < roundsOnPage;
  const player = { operator: operatorId, player: playerId };
  const older = next === null ? null : linkTo(path, { ...player, ...filter, rounds: next });
  const isFiltered = Object.keys(filter).length > 0;
  const cut = isCut
    ? html`<p class="notice warn">Not all older rounds were searched: one request reads a limited number. Continue with the link below.</p>`
    : null;
  const files = html`<span class="tools">${fileLinks(reader.mayExport, 'rounds', { ...player, ...filter })}</span>`;
  const list = html`${filterForm(path, player, filter, reader)}${stackedTable(
    heading,
    ['round', inZone('opened', reader), 'game', 'state', '#taken', '#given', '#result'],
    rounds.rounds.map((row) => roundRow(row, reader)),
    isCut || isFiltered ? 'No round that was searched fits.' : 'No round is listed here.',
    sums.map(sumRow),
  )}${cut}${next === null ? deletedNote(rounds.keptSince, reader) : null}${nextLink(older, isCut ? 'Search older rounds' : 'Older rounds')}${isFiltered ? html`<p><a href="${linkTo(path, player)}">All rounds</a></p>` : null}`;
  return part('rounds', heading, files, list);
}

/** Below the last rounds: a list that was cut must not look whole. */
function deletedNote(keptSince: string | null, { times }: Reader): Html {
  return keptSince === null
    ? html`<p class="dim">This store does not say how long it keeps rounds: older ones may have been deleted.</p>`
    : html`<p class="dim">Rounds that were over before ${times.time(keptSince)} may have been deleted, except those that wait or have a repair.</p>`;
}

function filterForm(
  path: string,
  player: Readonly<Record<string, string>>,
  filter: FilterTexts,
  { booksZone }: Reader,
): Html {
  const labels = filterLabels(booksZone);
  const { from, to, game, state, min } = filter;
  const states = roundStates.map((one) => [one, nameOfState(one)] as const);
  return html`<form method="get" action="${path}" class="card">
${hidden(player)}
${field(labels.from, 'from', dayAttributes(from))}
${field(labels.to, 'to', dayAttributes(to))}
${field(labels.game, 'game', html`${idAttributes} value="${game ?? ''}"`)}
${select(labels.state, 'state', [['', 'any'], ...states], state ?? '')}
${field(labels.min, 'min', html`inputmode="decimal" maxlength="40" size="10" autocomplete="off" value="${min ?? ''}"`)}
<button class="main">Show</button></form>`;
}

function roundRow(row: RoundRow, { times }: Reader): TableRow {
  const { openedAt, gameCode, state, debits, currency, result } = row;
  return [
    roundLink(row),
    times.time(openedAt),
    gameCode === null ? null : id(gameCode),
    row.isRepaired === true
      ? html`<span>${stateBadge(state)} ${stateBadge('repaired')}</span>`
      : stateBadge(state),
    purse(debits, currency ?? ''),
    given(row),
    currency === null ? null : amountText(result, currency, 'always'),
  ];
}

/** Of the rounds on the page alone. */
function sumRow({ currency, rounds, taken, given: gave, result }: RoundsSum): TableRow {
  const name = `${counted(rounds, 'round')} on this page`;
  return [
    name,
    null,
    null,
    null,
    money(taken, currency),
    money(gave, currency),
    amountText(result, currency, 'always'),
  ];
}
