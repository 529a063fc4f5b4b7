import {
  facts,
  field,
  hidden,
  type Html,
  html,
  section,
  table,
  type TableRow,
} from '../../../platform/html';
import type { AccountView, PlayerView, CashRow, BlockRow } from '../view/player';
import type { FilterTexts } from '../view/rounds-filter';
import { id, idAttributes, linkTo, nameOf, nextLink, type PageBody, timeOf } from './layout';
import { limitsSection } from './limits';
import { roundList } from './round-list';

/**
 * A player: accounts, whether debits are refused, limits, rounds and cash. `mayBlock` shows the forms that change it;
 * `filter` is what the person asked of the rounds.
 */
export function playerPage(
  player: PlayerView,
  { mayBlock, filter }: { readonly mayBlock: boolean; readonly filter: FilterTexts },
): PageBody {
  const { operatorId, playerId, blocked, accounts } = player;
  return {
    title: `Player ${playerId}`,
    body: html`${facts([
      ['operator', id(operatorId)],
      ['debits', debitsOf(player)],
    ])}
${blocked !== null && mayBlock ? blockForms(player, blocked) : null}
${section('accounts', 'Accounts', accountTable(accounts))}
${limitsSection(player, mayBlock)}
${section('rounds', 'Rounds, the newest first', roundList(player, filter))}
${blocked === null ? null : section('blocks', 'Blocks, the newest first', blockTable(player))}
${section('cash', 'Cash, the newest first', cashTable(player, filter))}
${section('find-round', 'Find a round', roundForm(player))}`,
  };
}

function accountTable(accounts: readonly AccountView[]): Html {
  return table(
    'Accounts',
    ['currency', '#real', '#bonus'],
    accounts.map((one) => [one.currency, one.real, one.bonus ?? 'none']),
    'The player has no account.',
  );
}

function cashTable({ operatorId, playerId, cash }: PlayerView, filter: FilterTexts): Html {
  if (cash === null) {
    return html`<p class="dim">This store keeps no cash: it is in the platform's ledger, or the store does not list it.</p>`;
  }
  const { movements, next } = cash;
  const player = { operator: operatorId, player: playerId, ...filter };
  const older = next === null ? null : linkTo('player', { ...player, cash: next });
  return html`${table(
    'Cash, the newest first, times in UTC',
    ['time, UTC', 'what', '#amount', 'currency', 'balance', 'by', 'reason', 'reference'],
    movements.map(cashRow),
    'No further cash has moved.',
  )}${nextLink(older, 'Older cash')}`;
}

function cashRow(row: CashRow): TableRow {
  const { at, kind, amount, currency, balance, by, reason, reference } = row;
  return [
    at === null ? 'unknown' : timeOf(at),
    kind,
    amount,
    currency,
    balance,
    by === null ? 'a program' : id(by.name ?? by.id),
    reason === null ? null : id(reason),
    id(reference),
  ];
}

function roundForm({ operatorId, playerId }: PlayerView): Html {
  return html`<form method="get" action="search">
${hidden({ operator: operatorId, player: playerId })}
${field('Round', 'round', idAttributes)}
${field('or hash of a transaction', 'hash', idAttributes)}<button>Show</button></form>`;
}

/** The link to a player's page with what a form did. */
export function playerHref(
  { operatorId, playerId }: Pick<PlayerView, 'operatorId' | 'playerId'>,
  did: string,
): string {
  return linkTo('player', { operator: operatorId, player: playerId, did });
}

/** Whether debits are refused and, as far as it is recorded, since when, by whom and why. */
function debitsOf({ blocked, blockedUntil, blocks }: PlayerView): Html | string {
  if (blocked === null) return "the platform's ledger decides";
  if (!blocked) return 'accepted: the player is not blocked';
  const end = blockedUntil === null ? null : html` until ${timeOf(blockedUntil)} UTC`;
  const said = html`<strong class="bad">refused: the player is blocked${end}</strong>`;
  const [last] = blocks ?? [];
  if (last?.blocked !== true) return said;
  const { at, by, reason } = last;
  const why = reason === null ? null : html`: ${id(reason)}`;
  return html`${said} since ${timeOf(at)} UTC by ${nameOf(by)}${why}`;
}

/** Blocks a player, or changes when the block ends, and lifts it. It asks for a reason if the store keeps it. */
function blockForms(player: PlayerView, blocked: boolean): Html {
  const until = field('Until, UTC; empty: until a person unblocks', 'until', endAttributes);
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
  const text = html`required minlength="10" maxlength="500" autocomplete="off"`;
  return html`<form method="post" action="block">
${hidden({ operator: operatorId, player: playerId, blocked })}${until}${blocks === null ? null : field('Why, 10 to 500 characters', 'reason', text)}
<button>${button}</button></form>`;
}

/** Who blocked the player and who lifted it, or that the store does not keep it. */
function blockTable({ blocks }: PlayerView): Html {
  if (blocks === null) {
    return html`<p class="dim">This store does not keep who blocked a player: the log of this page has it.</p>`;
  }
  return table(
    'Blocks, the newest first, times in UTC',
    ['time, UTC', 'what', 'by', 'reason'],
    blocks.map(blockRow),
    'No block is recorded.',
  );
}

function blockRow({ at, blocked, until, by, reason }: BlockRow): TableRow {
  const end = until === null ? null : html` until ${timeOf(until)}`;
  const what = blocked ? html`blocked${end}` : 'lifted';
  return [timeOf(at), what, nameOf(by), reason === null ? null : id(reason)];
}
