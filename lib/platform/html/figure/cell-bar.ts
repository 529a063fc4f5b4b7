import { type Html, html } from '../template';
import type { FigureTone } from './frame';
import { coordinate } from './scale';

/** Thinner bars could not be seen, in per cent of the width. */
const thinnest = 0.5;

/** A bar in the cell of a table, from one place to another, each from 0 to 1 of the width. The figure stands beside it. */
export function cellBar(from: number, to: number, tone: FigureTone): Html {
  const [low, high] = [Math.min(from, to), Math.max(from, to)].map((place) => {
    return Math.min(Math.max(place, 0), 1) * 100;
  }) as [number, number];
  const width = Math.max(high - low, thinnest);
  const left = Math.min(low, 100 - width);
  return html`<svg class="cellbar" width="100%" height="10" aria-hidden="true" focusable="false"><rect class="track" x="0" y="4" width="100%" height="2"/><rect class="${tone}" x="${coordinate(left)}%" y="0" width="${coordinate(width)}%" height="10" rx="2"/></svg>`;
}
