import {
  amountText,
  counted,
  field,
  hidden,
  type Html,
  html,
  id,
  money,
  part,
  stackedTable,
  type TableRow,
  type Tile,
  tiles,
  verdict,
} from '../../../../platform/html';
import type { AttentionRow } from '../../view/waiting/attention';
import type { AccountView, BlockRow, CashRow, PlayerView } from '../../view/players/player';
import type { FilterTexts } from '../../view/rounds/filter';
import { inZone, type PageBody, type Reader } from '../layout';
import { idAttributes, linkTo, nextLink, reasonAttributes, reasonLabel, roundLink } from '../links';
import { whyItWaits } from '../waiting';
import { nameOf, shortNameOf, said } from '../words';
import { playedByDay, playedTile } from './days';
import { limitsSection } from './limits';
import { roundsPart } from './round-list';

/** What the reader may do and asked for. */
interface PlayerContext extends Reader {
  /** Whether the forms that change the player are shown. */
  readonly mayBlock: boolean;
  /** Whether the reader may take files. */
  readonly mayExport: boolean;
  /** Which of the rounds. */
  readonly filter: FilterTexts;
}

/** Most accounts that have a tile: four are on a line, with debits and the result. */
const mostTiles = 2;

/** A player: can this person play, what is in the accounts, and what happened lately. */
export function playerPage(player: PlayerView, context: PlayerContext): PageBody {
  const { operatorId, playerId, blocked, accounts, played } = player;
  const { mayBlock, filter } = context;
  return {
    title: `Player ${playerId}`,
    heading: html`Player <bdi>${playerId}</bdi>`,
    crumb: html`<a href="search">Players</a> / player`,
    below: html`of the operator ${id(operatorId)}`,
    tools: html`<a class="btn" href="${linkTo('changes', { operator: operatorId, player: playerId })}">Changes by people</a>`,
    body: html`${blocked === true ? blockVerdict(player, context) : null}${waitVerdict(player)}
${tiles([...accounts.slice(0, mostTiles).map(accountTile), debitsTile(player, context), ...(played === null ? [] : [playedTile(played, context)])])}
${accounts.length > mostTiles ? part('accounts', 'Accounts', null, accountTable(accounts)) : null}
${played === null ? null : playedByDay(played, player, context)}
${roundsPart(player, filter, context)}
${part('cash', 'Cash, the newest first', null, cashTable(player, context))}
${limitsSection(player, context)}
${blocked === null ? null : part('blocks', 'Blocks, the newest first', null, html`${mayBlock ? blockForms(player, blocked, context) : null}${blockTable(player, context)}`)}
${part('find-round', 'Find a round', null, roundForm(player))}`,
  };
}

/** Since when, by whom and why debits are refused, as far as it is recorded. */
function blockVerdict({ blockedUntil, blocks }: PlayerView, { times }: Reader): Html {
  const end = blockedUntil === null ? null : html` until ${times.time(blockedUntil)}`;
  const title = html`Debits are refused: the player is blocked${end}`;
  const [last] = blocks ?? [];
  if (last?.blocked !== true) return verdict({ tone: 'warn', title, text: 'Credits are paid.' });
  const why = last.reason === null ? null : html`: ${said(last.reason)}`;
  const text = html`Since ${times.time(last.at)} by ${nameOf(last.by)}${why}`;
  return verdict({ tone: 'warn', title, text });
}

/** Which rounds wait, for how much and why; nothing if none does. */
function waitVerdict({ waiting }: PlayerView): Html | null {
  if (waiting === null) return verdict({ tone: 'warn', ...notListed });
  const { total, rows, isWhole } = waiting;
  if (total === 0) return isWhole ? null : verdict({ tone: 'warn', ...notAllListed });
  const title = `${isWhole ? '' : 'At least '}${counted(total, 'round')} ${total === 1 ? 'waits' : 'wait'} for a person`;
  const text = html`${total > rows.length ? 'The oldest of them: ' : null}${rows.map(stakeOf)}`;
  return verdict({ tone: 'warn', title, text, end: isWhole ? null : notAllListed.text });
}

const title = 'Whether a round of this player waits is not known';
const notListed = { title, text: 'The store did not list those that wait.' };
const notAllListed = {
  title,
  text: 'So many rounds wait that not all were searched for those of this player.',
};

/** A round with its money and why it waits. */
function stakeOf(row: AttentionRow): Html {
  const { atStake, currency } = row;
  const amount = atStake === null || atStake === '0' ? null : money(atStake, currency ?? '');
  return html`${amount === null ? null : html`${amount} in `}${roundLink(row)}. ${whyItWaits(row)}. `;
}

function accountTile({ currency, real, bonus }: AccountView): Tile {
  const below = bonus === null ? 'no bonus balance' : html`bonus ${amountText(bonus, currency)}`;
  return { name: 'Real balance', value: money(real, currency), below };
}

function accountTable(accounts: readonly AccountView[]): Html {
  return stackedTable(
    'Accounts',
    ['currency', '#real', '#bonus'],
    accounts.map(({ currency, real, bonus }) => [
      currency,
      amountText(real, currency),
      bonus === null ? 'none' : amountText(bonus, currency),
    ]),
    'The player has no account.',
  );
}

function debitsTile({ blocked, blocks }: PlayerView, { times }: Reader): Tile {
  const name = 'Debits';
  if (blocked === null)
    return { name, value: 'not known', below: "The platform's ledger decides." };
  const [last] = blocks ?? [];
  const accepted = last?.blocked === true ? 'was blocked' : 'unblocked';
  const when =
    last === undefined
      ? 'never blocked'
      : html`${blocked ? 'blocked' : accepted} by ${shortNameOf(last.by)}, ${times.time(last.at)}`;
  const below =
    blocks === null ? 'Who blocked is not kept.' : html`${when} · <a href="#blocks">blocks</a>`;
  return { name, value: blocked ? 'refused' : 'accepted', below, isAlarm: blocked };
}

function cashTable(
  { operatorId, playerId, cash }: PlayerView,
  { filter, ...reader }: PlayerContext,
): Html {
  if (cash === null) {
    return html`<p class="dim">This store keeps no cash: it is in the platform's ledger, or the store does not list it.</p>`;
  }
  const { movements, next } = cash;
  const player = { operator: operatorId, player: playerId, ...filter };
  const older = next === null ? null : linkTo('player', { ...player, cash: next });
  return html`${stackedTable(
    'Cash, the newest first',
    [inZone('time', reader), 'what', '#amount', 'balance', 'by', '=reason', 'reference'],
    movements.map((row) => cashRow(row, reader)),
    'No cash is listed here.',
    [],
    'pairs',
  )}${nextLink(older, 'Older cash')}`;
}

function cashRow(row: CashRow, { times }: Reader): TableRow {
  const { at, kind, amount, currency, balance, by, reason, reference } = row;
  return [
    at === null ? 'unknown' : times.time(at),
    kind,
    money(amount, currency, 'always'),
    balance,
    shortNameOf(by),
    reason === null ? null : said(reason),
    html`<small>${id(reference)}</small>`,
  ];
}

function roundForm({ operatorId, playerId }: PlayerView): Html {
  return html`<form method="get" action="search" class="card">
${hidden({ operator: operatorId, player: playerId })}
${field('Round', 'round', idAttributes)}
${field('or hash of a transaction', 'hash', idAttributes)}<button>Show</button></form>`;
}

/** Blocks a player, or changes when the block ends, and lifts it. It asks for a reason if the store keeps it. */
function blockForms(player: PlayerView, blocked: boolean, { times: { zone } }: Reader): Html {
  const label = `Until, ${zone}; empty: until a person unblocks`;
  const until = html`${hidden({ zone })}${field(label, 'until', endAttributes)}`;
  const block = blockForm(player, 'true', until, blocked ? 'Change the block' : blockButton);
  if (!blocked) return block;
  return html`${blockForm(player, 'false', null, 'Unblock: accept debits again')}${block}`;
}

const endAttributes: Html = html`type="datetime-local"`;
const blockButton = 'Block: refuse debits';

function blockForm(
  { operatorId, playerId, blocks }: PlayerView,
  blocked: string,
  until: Html | null,
  button: string,
): Html {
  const reason = blocks === null ? null : field(reasonLabel, 'reason', reasonAttributes);
  return html`<form method="post" action="block" class="card">
${hidden({ operator: operatorId, player: playerId, blocked })}${until}${reason}
<button>${button}</button></form>`;
}

/** Who blocked the player and who lifted it, or that the store does not keep it. */
function blockTable({ blocks }: PlayerView, reader: Reader): Html {
  if (blocks === null) {
    return html`<p class="dim">This store does not keep who blocked a player: the log of this page has it.</p>`;
  }
  return stackedTable(
    'Blocks, the newest first',
    [inZone('time', reader), 'what', 'by', '=reason'],
    blocks.map((row) => blockRow(row, reader)),
    'No block is recorded.',
    [],
    'pairs',
  );
}

function blockRow({ at, blocked, until, by, reason }: BlockRow, { times }: Reader): TableRow {
  const end = until === null ? null : html` until ${times.time(until)}`;
  const what = blocked ? html`blocked${end}` : 'unblocked';
  return [times.time(at), what, nameOf(by), reason === null ? null : said(reason)];
}
