import { type Html, html } from '../../../platform/html';
import type { BlockRow, PlayerView } from '../view';
import { id, table, timeOf } from './layout';

/** Whether debits are refused and, as far as it is recorded, since when, by whom and why. */
export function debitsOf({ blocked, blocks }: PlayerView): Html | string {
  if (blocked === null) return "the platform's ledger decides";
  if (!blocked) return 'accepted: the player is not blocked';
  const said = html`<strong class="bad">refused: the player is blocked</strong>`;
  const [last] = blocks ?? [];
  if (last?.blocked !== true) return said;
  const { at, by, reason } = last;
  const why = reason === null ? null : html`: ${id(reason)}`;
  return html`${said} since ${timeOf(at)} UTC by ${nameOf(by)}${why}`;
}

/** Blocks a player who is not blocked, or lifts it. It asks why where the store keeps that. */
export function blockForm({ operatorId, playerId, blocks }: PlayerView, blocked: boolean): Html {
  const reason = html`<label>Why, 10 to 500 characters<input name="reason" required minlength="10" maxlength="500" autocomplete="off"></label>`;
  return html`<form method="post" action="block">
<input type="hidden" name="operator" value="${operatorId}"><input type="hidden" name="player" value="${playerId}">
<input type="hidden" name="blocked" value="${blocked ? 'false' : 'true'}">${blocks === null ? null : reason}
<button>${blocked ? 'Unblock: accept debits again' : 'Block: refuse debits'}</button></form>`;
}

/** Who blocked the player and who lifted it, or that the store does not keep it. */
export function blockTable({ blocks }: PlayerView): Html {
  if (blocks === null) {
    return html`<p class="dim">This store does not keep who blocked a player: the log of this page has it.</p>`;
  }
  return table({
    label: 'Blocks, the newest first, times in UTC',
    columns: ['time, UTC', 'what', 'by', 'reason'],
    groups: blocks.length === 0 ? [] : [blocks.map(rowOf)],
    unless: 'No block is recorded.',
  });
}

function rowOf({ at, blocked, by, reason }: BlockRow): readonly (Html | string | null)[] {
  const what = blocked ? 'blocked' : 'lifted';
  return [timeOf(at), what, nameOf(by), reason === null ? null : id(reason)];
}

/** The id is what counts: two people may have one name. */
function nameOf(by: BlockRow['by']): Html | string {
  if (by === null) return 'a program';
  return by.name === null ? id(by.id) : html`${id(by.name)} (${id(by.id)})`;
}
