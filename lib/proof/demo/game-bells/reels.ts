import { type Random, wholeBelow } from '../../../platform/random';
import type { ServerResponse } from 'node:http';
import { html, sendPage } from '../../../platform/html';
import { formatAmount } from '../../../protocol/money/amount';
import type { Seat } from './seats';

export const symbols = ['bell', 'seven', 'star', 'clover', 'lemon', 'cherry'] as const;

/** What three reels show: three indexes of {@link symbols}. */
export type Reels = readonly [number, number, number];

/** What the player may bet in a currency whose multiplier is 1, in minor units. */
export const baseStakes: readonly number[] = [10, 20, 50, 100, 200];
/** 6/216 times 18 and 90/216 times 1, in percent. */
export const expectedRtp = '91.67';
/** Three alike come in 1 of this many spins. */
export const maxPayoutOdds = 36;

/** Draws three reels. */
export function drawReels(random: Random): Reels {
  const reel = (): number => wholeBelow(random, symbols.length);
  return [reel(), reel(), reel()];
}

/** What the stake is multiplied by: 18 for three alike, 1 for two, else 0. */
export function oddsOf(reels: Reels): bigint {
  const different = new Set(reels).size;
  return different === 1 ? 18n : different === 2 ? 1n : 0n;
}

/** The reels for people, such as `bell star bell`. */
export function nameOf(reels: Reels): string {
  return reels.map((reel) => symbols[reel]).join(' ');
}

/** Reels to force: three names or indexes of symbols. Null if they are something else. */
export function readReels(wanted: readonly unknown[]): Reels | null {
  const [first = -1, second = -1, third = -1, ...more] = wanted.map((one) =>
    symbols.findIndex((symbol, index) => symbol === one || index === one),
  );
  const isThree = more.length === 0 && [first, second, third].every((index) => index >= 0);
  return isThree ? [first, second, third] : null;
}

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
