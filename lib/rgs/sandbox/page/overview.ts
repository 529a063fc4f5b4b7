import {
  type Html,
  html,
  part,
  picks,
  select,
  hidden,
  table,
  verdict,
} from '../../../platform/html';
import type { BookedPlayerView, BooksView } from '../view/books';
import type { LaunchablePlayer, StateView } from '../view/state';
import type { WireCall } from '../view/wire';
import { amount, figure } from '../wire/amounts';
import { latestCalls } from './calls';
import { button, shortened } from './frame';
import { restPart } from './lists';
import { attentionPart, duePart, roundsPart } from './rounds';
import { badgeOf, booksVerdict } from './verdict';

/** What the overview is made of. */
interface Overview {
  readonly state: StateView;
  /** Null if there are too many rounds to compare on every load. */
  readonly books: BooksView | null;
  /** The latest calls, oldest first. */
  readonly calls: readonly WireCall[];
}

/** The verdict of the books, what can be played, and what happened. */
export function overview({ state, books, calls }: Overview): Html {
  const currencyOf = currenciesOf(state);
  const all = state.wire > calls.length ? `All ${state.wire} calls` : 'The wire';
  const latest = part(
    'calls',
    'The latest calls',
    html`<a href="/wire">${all}</a>`,
    latestCalls(calls, currencyOf),
  );
  return html`${verdict(booksVerdict(books, state, html`<a href="/books">Books</a>`))}
${attentionPart(state)}
<div class="grid"><div class="c5">${launches(state)}${books === null ? null : booksPart(books)}</div>
<div class="c7">${latest}</div></div>
${scenariosPart(state)}
${duePart(state)}
${state.rounds.length === 0 ? null : roundsPart(state, { from: 0, most: 10 })}
${restPart(state)}`;
}

/** The currencies of the rounds that a state shows. */
export function currenciesOf({ rounds }: Pick<StateView, 'rounds'>) {
  const known = new Map(rounds.map(({ gameRound, currency }) => [gameRound, currency]));
  return (gameRound: string | null): string | null =>
    gameRound === null ? null : (known.get(gameRound) ?? null);
}

/** Most players with a button. */
const mostLaunches = 12;

/** A button for each player, with its balance. */
function launches(state: StateView): Html {
  const { launchable } = state;
  const shown = launchable.slice(0, mostLaunches);
  const rest = launchable.length - shown.length;
  const rows = shown.map((player, at) => launchRow(player, state, at === 0));
  const list =
    rows.length === 0
      ? html`<div class="card empty"><b>No player is known yet</b>POST /sandbox/launch names one.</div>`
      : html`<ul class="rows three">${rows}</ul>`;
  const more = rest === 0 ? null : html`<small>and ${rest} more: POST /sandbox/launch</small>`;
  return part('launch', 'Launch a game', more, list);
}

function launchRow(player: LaunchablePlayer, state: StateView, isFirst: boolean): Html {
  const { operatorId, playerId, currency } = player;
  const { games, players, operators } = state;
  const known = players.find(
    (one) =>
      one.mode === 'REAL' &&
      one.operatorId === operatorId &&
      one.playerId === playerId &&
      one.currency === currency,
  );
  const where = operators.length > 1 ? html`<small>${shortened(operatorId)}</small>` : null;
  const balance =
    known?.wallet === undefined || known.wallet === null
      ? html`<small>${currency}, not asked yet</small>`
      : amount(known.wallet, currency);
  return html`<li><div><b><bdi>${shortened(playerId)}</bdi></b>${where}</div><div class="amt">${balance}</div><div class="n span">${launchForm(player, games, isFirst)}</div></li>`;
}

/** With one game it is a button alone. */
function launchForm(player: LaunchablePlayer, games: StateView['games'], isFirst: boolean): Html {
  const label = `Launch as ${shortened(player.playerId)}`;
  const [game] = games;
  if (games.length === 1 && game !== undefined) {
    const fields = { ...player, gameCode: game.gameCode };
    return button('launch', label, fields, { isMain: isFirst });
  }
  const choices = games.map(({ gameCode, name }) => [gameCode, name] as const);
  return html`<form method="post" action="/do/launch">${hidden({ ...player })}${select('game', 'gameCode', choices)}<button>${label}</button></form>`;
}

/** The books of one player: one whose books differ, else that of the latest round. */
function booksPart(books: BooksView): Html | null {
  const { players, rounds } = books;
  const latest = rounds.at(-1);
  const isOfLatest = ({ playerId, operatorId, currency }: BookedPlayerView): boolean =>
    playerId === latest?.playerId &&
    operatorId === latest.operatorId &&
    currency === latest.currency;
  const player =
    players.find(({ verdict: one }) => one === 'differ') ?? players.find(isOfLatest) ?? players[0];
  if (player === undefined) return null;
  const all =
    players.length === 1 ? null : html`<a href="/books">All ${players.length} players</a> `;
  const beside = html`${all}${badgeOf(player.verdict)}`;
  return part(
    'three-books',
    'The books',
    beside,
    html`<div class="tbl">${bookOf(player, books)}</div>`,
  );
}

/** What each of the three has taken and given of a player; a wallet tells its balance alone. */
function bookOf(player: BookedPlayerView, { rounds }: BooksView): Html {
  const { playerId, currency, operatorId, service } = player;
  const own = rounds.filter(
    (one) =>
      one.playerId === playerId && one.operatorId === operatorId && one.currency === currency,
  );
  const none = html`<span class="dim">–</span>`;
  const sum = (book: 'service' | 'provider', member: 'stake' | 'win'): Html => {
    if (book === 'provider' && player.provider === null) return none;
    const total = own.reduce((all, one) => all + BigInt(one[book]?.[member] ?? '0'), 0n);
    return figure(String(total), currency);
  };
  const { least, most } = service;
  const byService =
    least === most
      ? figure(least, currency)
      : html`${figure(least, currency)} to ${figure(most, currency)}`;
  const byGame = player.provider === null ? none : figure(player.provider, currency);
  return table(
    `The books of ${shortened(playerId)}, ${currency}`,
    [`@${shortened(playerId)}, ${currency}`, '#game', '#RGS', '#wallet'],
    [
      ['taken', sum('provider', 'stake'), sum('service', 'stake'), none],
      ['given', sum('provider', 'win'), sum('service', 'win'), none],
      ['balance', byGame, byService, figure(player.wallet, currency)],
    ],
  );
}

function scenariosPart({ scenarios }: StateView): Html | null {
  if (scenarios.length === 0) return null;
  const cards = scenarios.map(({ name, shows }) => ({
    name,
    text: shows,
    action: button('play', 'Play', { name }, { name: `Play ${name}` }),
  }));
  const note = html`<small>Play removes every fault that is set, and may move the clock on.</small>`;
  return part('scenarios', 'Scenarios', note, picks(cards));
}
