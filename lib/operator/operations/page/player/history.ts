import {
  card,
  chips,
  facts,
  field,
  hidden,
  type Html,
  html,
  id,
  part,
  type Verdict,
  verdict,
} from '../../../../platform/html';
import type { ArchiveCheck } from '../../view/rounds/archive-check';
import type { Coverage, CoveragePart } from '../../view/rounds/coverage';
import type { FilterTexts } from '../../view/rounds/filter';
import type { HistoryView } from '../../view/players/history';
import type { PageBody, Reader } from '../layout';
import { idAttributes, linkTo, operatorLinks, playerLink, readyMonths } from '../links';
import { notableLinks, notableList, notableVerdict } from './notable';
import { roundsPart } from './round-list';

const title = 'History';

/** What a player did in a period, and whether the list is whole. */
export function historyPage(
  view: HistoryView,
  filter: FilterTexts,
  operators: readonly string[],
  reader: Reader & { readonly mayExport: boolean },
): PageBody {
  const { operatorId, playerId, notable, rounds, coverage } = view;
  if (playerId === null || rounds === null) {
    return {
      title,
      body: html`${operatorLinks('history', operatorId, operators)}${notable === null ? chooseVerdict : notableVerdict(notable, reader)}${playerForm(view)}${notableLinks(operatorId, notable?.kind ?? null)}${notable === null ? null : notableList(operatorId, notable, filter, reader)}`,
    };
  }
  const player = { operatorId, playerId };
  return {
    title: `History of ${playerId}`,
    heading: html`History of <bdi>${playerId}</bdi>`,
    crumb: html`<a href="history">History</a> / ${playerLink(player)}`,
    below: html`of the operator ${id(operatorId)}`,
    body: html`${verdict(coverage === null ? notListed : wholeVerdict(coverage))}${chips('Ready searches', readySearches(view, filter, reader))}${coverage === null ? null : part('whole', 'Is it whole?', null, wholeCard(coverage, player, reader))}
${roundsPart({ ...player, rounds }, filter, reader, 'history')}
${part('other', 'Another player', null, playerForm(view))}`,
  };
}

const chooseVerdict = verdict({
  tone: 'note',
  title: 'Choose a player, or a kind of notable rounds',
  text: 'The rounds of a player in a period are listed with whether they are all; notable rounds are those of all players.',
});

function playerForm({ operatorId }: HistoryView): Html {
  return html`<form method="get" action="history" class="card">
${hidden({ operator: operatorId })}${field('Player', 'player', html`required ${idAttributes}`)}
<button class="main">Show</button></form>`;
}

/** What a round of the ready search gave at least. */
const minOfReady = '1000';

/** Every one is an address to keep; the months are those of the books. */
function readySearches(
  { operatorId, playerId }: HistoryView,
  { from, to, ...filter }: FilterTexts,
  reader: Reader,
): (readonly [href: string, text: string, isHere: boolean])[] {
  const period = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const base = { operator: operatorId, player: playerId ?? '' };
  const rounds = (name: string, asked: FilterTexts, isHere: boolean) =>
    [linkTo('history', { ...base, ...asked }), name, isHere] as const;
  const months = readyMonths(reader).map(([name, month]) =>
    rounds(name, { ...filter, ...month }, month.from === from && month.to === to),
  );
  return [
    ...months,
    rounds('Wins of 1,000 or more', { ...period, min: minOfReady }, filter.min === minOfReady),
    rounds('Voided', { ...period, state: 'voided' }, filter.state === 'voided'),
    [linkTo('changes', { ...base, ...period, kind: 'repair' }), 'Repaired', false],
    [linkTo('changes', { ...base, ...period }), 'Changed by a person', false],
  ];
}

interface Player {
  readonly operatorId: string;
  readonly playerId: string;
}

/** Which days come from the store, which from the archive, which from nowhere, and whether the archive's checks hold. */
function wholeCard(coverage: Coverage, player: Player, reader: Reader): Html {
  const rows = coverage.parts.map((one) => partRow(one, reader));
  return card(
    html`${facts([
      ...rows,
      ['Check of the archive', archiveText(coverage, reader)],
    ])}${coverage.parts.some(({ source }) => source === 'archive') ? findCommand(player) : null}`,
  );
}

const notListed: Verdict = {
  tone: 'note',
  title: 'What this player did cannot be listed',
  text: 'What is missing for that, and how to find a round, is below.',
};

/** Whether the list has every round of the period: one that retention has cut must not look whole. */
function wholeVerdict({ keptSince, parts, archive }: Coverage): Verdict {
  const sources = new Set(parts.map(({ source }) => source));
  if (keptSince === null) {
    const text = 'This store does not say how long it keeps rounds.';
    return { tone: 'warn', title: 'Whether this list is whole is not known', text };
  }
  if (sources.has('nowhere')) {
    const text = 'Rounds of some days may have been deleted, and no known archive has them.';
    return { tone: 'bad', title: 'This list may not be whole', text };
  }
  if (!sources.has('archive')) {
    const text =
      'The store keeps every round of this period that it has listed: in Redis, those since its option history was first set. A filter leaves some out.';
    return { tone: 'good', title: 'This list is whole', text };
  }
  const isWhole = typeof archive === 'object' && archive.isWhole;
  const text = isWhole
    ? 'The older rounds are in the archive; some of them are not in this list.'
    : 'The older rounds were archived, and the checks of the archive do not hold.';
  return { tone: isWhole ? 'warn' : 'bad', title: 'This list is not whole', text };
}

const sourceTexts: Readonly<Record<CoveragePart['source'], readonly [name: string, what: string]>> =
  {
    store: ['In the store', 'every round'],
    archive: ['In the archive', 'the store has only those that wait or have a repair for sure'],
    nowhere: ['In neither', 'the store has only those that wait or have a repair for sure'],
  };

function partRow({ source, from, to }: CoveragePart, { times }: Reader) {
  const when =
    from === null ? html`before ${times.time(to)}` : html`${times.time(from)} to ${times.time(to)}`;
  const [name, what] = sourceTexts[source];
  return [name, html`${when}: ${what}`] as const;
}

function archiveText({ archive }: Coverage, reader: Reader): Html {
  if (archive === 'not given') {
    return html`None is known here: <code>serve --archive-check</code> names the result of <code>rgs-wallet archive verify --json</code>.`;
  }
  if (archive === 'unreadable') {
    return html`The result of <code>rgs-wallet archive verify --json</code> cannot be read.`;
  }
  return checkText(archive, reader);
}

function checkText(
  { verifiedAt, firstAt, lastAt, sentence }: ArchiveCheck,
  { times }: Reader,
): Html {
  const events =
    firstAt === null || lastAt === null
      ? html`no sealed event`
      : html`sealed events from ${times.time(firstAt)} to ${times.time(lastAt)}`;
  return html`${events}; checked ${times.time(verifiedAt)}: <bdi>${sentence}</bdi>`;
}

/** The player's id is a text of others: it is shown for a shell that takes it as one word. */
function findCommand({ playerId }: Player): Html {
  const word = `'${playerId.replaceAll("'", String.raw`'\''`)}'`;
  return html`<p class="dim">To read them: <code>rgs-wallet archive find DIR --player <bdi>${word}</bdi></code></p>`;
}
