import { type Html, html } from '../../../platform/html';
import type { LineName } from '../view/state';
import type { WireCall } from '../view/wire';

/** The three lines of the diagram, by their place from left to right. */
const lanes = ['game', 'rgs', 'wallet'] as const;
const laneAt = [120, 480, 840] as const;
const rowHeight = 34;
const top = 40;

/** From which lane to which a line of the wire goes; the casino shares the lane of its wallet. */
const ends = {
  'provider-rgs': [0, 1],
  'rgs-wallet': [1, 2],
  'rgs-provider': [1, 0],
  'operator-rgs': [2, 1],
} as const satisfies Record<LineName, readonly [number, number]>;

/** What happened between the game, the remote game server and the wallet, as three lines. */
export function sequenceOf(calls: readonly WireCall[]): Html {
  const height = top + calls.length * 2 * rowHeight + 20;
  const heads = lanes.map(
    (name, at) =>
      html`<text x="${laneAt[at]}" y="20" text-anchor="middle">${name}</text><line x1="${laneAt[at]}" y1="30" x2="${laneAt[at]}" y2="${height}"/>`,
  );
  const known = new Set(calls.map(({ n }) => n));
  const first = calls.filter(({ cause }) => cause === null || !known.has(cause));
  const arrows = first
    .flatMap((call) => arrowsOf(call, calls))
    .map((draw, at) => draw(top + at * rowHeight + rowHeight / 2));
  return html`<svg class="sequence" viewBox="0 0 960 ${height}" role="img" aria-label="The calls of this round between game, remote game server and wallet; the list below has them in words"><defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>${heads}${arrows}</svg>`;
}

/** An arrow at this height. */
type Draw = (y: number) => Html;

/** The request, what it made the server call, and the reply. */
function arrowsOf(call: WireCall, all: readonly WireCall[]): Draw[] {
  const [from, to] = ends[call.line];
  const isLost = call.state !== 'done';
  const fault = call.fault === null ? '' : ` (${call.fault})`;
  const status = call.status === null ? 'no reply' : String(call.status);
  return [
    (y) => arrow(from, to, y, `${call.n} ${call.call}${fault}`, isLost && call.status === null),
    ...all.filter(({ cause }) => cause === call.n).flatMap((made) => arrowsOf(made, all)),
    (y) => arrow(to, from, y, status, isLost),
  ];
}

function arrow(from: number, to: number, y: number, text: string, isLost: boolean): Html {
  const x1 = laneAt[from] ?? 0;
  const x2 = laneAt[to] ?? 0;
  const kind = isLost ? 'lost' : 'arrow';
  return html`<text x="${(x1 + x2) / 2}" y="${y - 5}" text-anchor="middle">${text}</text><line class="${kind}" x1="${x1}" y1="${y}" x2="${x2}" y2="${y}" marker-end="url(#head)"/>`;
}
