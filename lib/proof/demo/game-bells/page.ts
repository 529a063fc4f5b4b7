import type { ServerResponse } from 'node:http';
import { html, sendPage } from '../../../platform/html';
import { formatAmount } from '../../../protocol/money';
import { symbols } from './reels';
import type { Seat } from './seats';

const style = `
:root { color-scheme: light dark; }
body { font: 17px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 2rem auto; padding: 0 1rem; }
p.reels { font-size: 2rem; margin: 1rem 0; }
label { display: block; margin: .6rem 0; }
select, input, button { font: inherit; padding: .3rem .6rem; }
`;

/** The game for a player who sits: balance, stake, a spin button. No script. */
export function sendGame(response: ServerResponse, seat: Seat): void {
  const { id, playerId, currency, balance, stakes, message } = seat;
  const shown = balance === null ? 'not known yet' : `${minor(balance)} ${currency}`;
  const options = stakes.map((stake) => html`<option value="${stake}">${minor(stake)}</option>`);
  const body = html`<main><h1>game-bells</h1>
<p>${playerId}, your balance is ${shown}.</p>
<p class="reels" role="status">${message}</p>
<form method="post" action="spin"><input type="hidden" name="seat" value="${id}">
<label>Stake in ${currency} <select name="stake">${options}</select></label>
<label>Reels to show, if you want to choose them <input name="force" placeholder="bell bell bell" autocomplete="off"></label>
<button>Spin</button></form>
<p>Three alike pay 18 times the stake, two pay it back. The symbols are ${symbols.join(', ')}.</p></main>`;
  sendPage(response, 200, { title: 'game-bells', style, body, refreshAfter: null });
}

/** One sentence instead of the game. */
export function sendNote(response: ServerResponse, status: number, text: string): void {
  const body = html`<main><h1>game-bells</h1><p>${text}</p></main>`;
  sendPage(response, status, { title: 'game-bells', style, body, refreshAfter: null });
}

/** Minor units as people write them. */
export function minor(units: bigint): string {
  const [whole = '', fraction = ''] = formatAmount(units, 2).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}
