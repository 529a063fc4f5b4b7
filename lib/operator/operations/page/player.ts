import { type Html, html } from '../../../platform/html';
import type { AccountView, CashRow, PlayerView, RoundRow } from '../view';
import { blockForm, blockTable, debitsOf } from './block';
import {
  facts,
  given,
  id,
  linkTo,
  type PageBody,
  purse,
  roundLink,
  section,
  table,
  timeOf,
} from './layout';
import { nameOfState } from './states';

/** What a person may do with the player. */
export interface PlayerActions {
  /** Whether the buttons that block and unblock are there. */
  readonly mayBlock: boolean;
}

/** A player: accounts, whether debits are refused, rounds and cash. */
export function playerPage(player: PlayerView, { mayBlock }: PlayerActions): PageBody {
  const { operatorId, playerId, blocked, accounts } = player;
  return {
    title: `Player ${playerId}`,
    body: html`${facts([
      ['operator', id(operatorId)],
      ['debits', debitsOf(player)],
    ])}
${blocked !== null && mayBlock ? blockForm(player, blocked) : null}
${section('accounts', 'Accounts', accountTable(accounts))}
${section('rounds', 'Rounds, the newest first', roundTable(player))}
${blocked === null ? null : section('blocks', 'Blocks, the newest first', blockTable(player))}
${section('cash', 'Cash, the newest first', cashTable(player))}
${section('find-round', 'Find a round', roundForm(player))}`,
  };
}

function accountTable(accounts: readonly AccountView[]): Html {
  return table({
    label: 'Accounts',
    columns: ['currency', '#real', '#bonus'],
    groups:
      accounts.length === 0
        ? []
        : [accounts.map((one) => [one.currency, one.real, one.bonus ?? 'none'])],
    unless: 'The player has no account.',
  });
}

function roundTable({ operatorId, playerId, rounds }: PlayerView): Html {
  if (rounds.history !== 'on') {
    return rounds.history === 'off'
      ? html`<p class="dim">History is off: the store was made without its option <code>history</code> (<code>serve --history</code>), so it does not list a player's rounds.</p>`
      : html`<p class="dim">This store does not list a player's rounds.</p>`;
  }
  const { next } = rounds;
  const older = { operator: operatorId, player: playerId, rounds: next ?? '' };
  return html`${table({
    label: 'Rounds, the newest first, times in UTC',
    columns: ['opened, UTC', 'round', 'game', 'state', '#taken', '#given', 'currency', 'last, UTC'],
    groups: rounds.rounds.length === 0 ? [] : [rounds.rounds.map(roundRow)],
    unless: 'No further round is stored.',
  })}${next === null ? null : html`<p><a href="${linkTo('player', older)}">Older rounds</a></p>`}`;
}

function roundRow(row: RoundRow): readonly (Html | string | null)[] {
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

function cashTable({ operatorId, playerId, cash }: PlayerView): Html {
  if (cash === null) {
    return html`<p class="dim">This store keeps no cash: it is in the platform's ledger, or the store does not list it.</p>`;
  }
  const { movements, next } = cash;
  const older = { operator: operatorId, player: playerId, cash: next ?? '' };
  return html`${table({
    label: 'Cash, the newest first, times in UTC',
    columns: ['time, UTC', 'what', '#amount', 'currency', 'balance', 'by', 'reason', 'reference'],
    groups: movements.length === 0 ? [] : [movements.map(cashRow)],
    unless: 'No further cash has moved.',
  })}${next === null ? null : html`<p><a href="${linkTo('player', older)}">Older cash</a></p>`}`;
}

function cashRow(row: CashRow): readonly (Html | string | null)[] {
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
<input type="hidden" name="operator" value="${operatorId}"><input type="hidden" name="player" value="${playerId}">
<label>Round<input name="round" maxlength="256" autocomplete="off"></label>
<label>or hash of a transaction<input name="hash" maxlength="256" autocomplete="off"></label><button>Show</button></form>`;
}

/** The link to a player's page with what a form did. */
export function playerHref(
  { operatorId, playerId }: Pick<PlayerView, 'operatorId' | 'playerId'>,
  did: string,
): string {
  return linkTo('player', { operator: operatorId, player: playerId, did });
}
