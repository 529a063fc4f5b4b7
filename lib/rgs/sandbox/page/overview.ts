import { type Html, html, section, table } from '../../../platform/html';
import type { AttentionView, PlayerView, RoundView, SessionView, StateView } from '../view/state';
import { button, roundLink, timeOf } from './layout';

/** Sessions, rounds, what needs a person, free plays, statistics and scenarios. */
export function overview(state: StateView): Html {
  return html`<p class="dim">The service's clock shows ${state.now}, ${aheadOf(state.aheadMs)}. Seed ${state.seed}. Findings: ${state.findings}. Calls: ${state.wire}.</p>
${state.isReadOnly ? html`<p class="notice bad" role="alert">The journal has failed: money calls are refused until a restart (B4).</p>` : null}
${state.attention.length === 0 ? null : section('attention', 'Attention', attention(state.attention))}
${section('launch', 'Launch', launches(state))}
${section('scenarios', 'Scenarios', scenarios(state))}
${ofState(state)}`;
}

/** A section for all that there is; what there is nothing of is named below them, without a heading. */
function ofState(state: StateView): Html {
  const parts = [
    ['sessions', 'Sessions', state.sessions, sessions(state)],
    ['notices', 'Notices of the operator', state.notices, notices(state)],
    ['balances', 'Balances, in minor units', state.players, balances(state.players)],
    ['rounds', 'Rounds, in minor units', state.rounds, rounds(state.rounds)],
    ['due', 'Due at the wallet, in minor units', state.due, due(state)],
    ['free-plays', 'Free plays, in minor units', state.freePlays, freePlays(state)],
    ['statistics', 'Statistics', state.statistics, statistics(state)],
  ] as const;
  const full = parts.filter(([, , rows]) => rows.length > 0);
  const empty = parts.filter(([, , rows]) => rows.length === 0);
  return html`${full.map(([id, title, , body]) => section(id, title, body))}
<div class="empty">${empty.map(([, , , body]) => body)}</div>`;
}

/** How far the service's clock is ahead, in words. */
export function aheadOf(ms: number): string {
  if (ms === 0) return 'which is real time';
  const minutes = Math.round(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  return `${hours} h ${minutes % 60} min ahead of real time`;
}

function attention(rows: readonly AttentionView[]): Html {
  const labels = { close: 'Close', resend: 'Send again', giveUp: 'Give up' } as const;
  return table(
    'Rounds that need a person',
    ['round', 'why', 'what you can do'],
    rows.map(({ gameRound, why, ways }) => [
      roundLink(gameRound),
      why,
      ways.map((how) => button('resolve', labels[how], { round: gameRound, how })),
    ]),
    'No round needs a person.',
  );
}

/** A button for each player and game. */
function launches({ launchable, games }: StateView): Html {
  if (launchable.length === 0) {
    return html`<p class="dim">No player is known yet. POST /sandbox/launch names one.</p>`;
  }
  const shown = launchable.slice(0, mostLaunches);
  const rest = launchable.length - shown.length;
  const buttons = games.flatMap(({ gameCode, name }) =>
    shown.map((player) => {
      const what = games.length === 1 ? 'Launch' : `Launch ${name}`;
      const label = `${what} as ${player.playerId}`;
      return button('launch', label, { ...player, gameCode });
    }),
  );
  const more = rest === 0 ? null : html`<p class="dim">and ${rest} more: POST /sandbox/launch</p>`;
  return html`${buttons}${more}`;
}

/** Most players with a button. */
const mostLaunches = 20;

function sessions({ sessions: rows }: StateView): Html {
  return table(
    'Sessions',
    ['token', 'kind', 'player', 'game', 'mode', '#age', 'open round', 'reality check'],
    rows.map((one: SessionView) => [
      html`<code>…${one.token}</code>`,
      one.kind,
      `${one.playerId} (${one.operatorId})`,
      one.gameCode,
      `${one.mode} ${one.currency}`,
      `${Math.round(one.ageMs / 1000)} s`,
      one.openRound === null ? null : roundLink(one.openRound),
      one.realityCheck === null ? null : realityCheckText(one.realityCheck),
    ]),
    'No session is open.',
  );
}

function realityCheckText({
  fired,
  at,
  isAnswered,
}: NonNullable<SessionView['realityCheck']>): Html {
  if (fired === 0) return html`first at ${timeOf(at)}`;
  const answer = isAnswered ? 'answered' : html`<span class="warn">no response yet</span>`;
  return html`no. ${fired} at ${timeOf(at)}, ${answer}`;
}

function notices({ notices: rows }: StateView): Html {
  return table(
    'Notices of the operator',
    ['call', 'player', 'at', 'body'],
    rows.map(({ call, playerId, operatorId, at, body }) => [
      call,
      `${playerId} (${operatorId})`,
      timeOf(at),
      html`<code>${body}</code>`,
    ]),
    'No player was registered, and no reality check responded to.',
  );
}

function balances(rows: readonly PlayerView[]): Html {
  return table(
    'Balances in minor units',
    ['player', 'mode', '#start', '#by the wallet', '#by the RGS', 'asked'],
    rows.map((one) => {
      const isOdd = one.wallet !== null && one.service !== null && one.wallet !== one.service;
      return [
        `${one.playerId} (${one.operatorId})`,
        `${one.mode} ${one.currency}`,
        one.start ?? 'unknown',
        one.wallet ?? 'unknown',
        isOdd ? html`<span class="bad">${one.service}</span>` : (one.service ?? 'unknown'),
        one.walletAsOf === null ? null : timeOf(one.walletAsOf),
      ];
    }),
    'No player has been seen.',
  );
}

function rounds(rows: readonly RoundView[]): Html {
  return table(
    'Rounds, amounts in minor units',
    ['round', 'player', 'game', 'state', '#stake', '#open', '#credited', '#pending', 'started'],
    rows.map((one) => [
      roundLink(one.gameRound),
      one.playerId,
      one.gameCode,
      one.needsPerson ? html`<span class="bad">${one.state}</span>` : one.state,
      one.stake,
      one.amountToCollect,
      one.amountCredited,
      one.creditPending === '0' ? '0' : html`<span class="warn">${one.creditPending}</span>`,
      timeOf(one.startedAt),
    ]),
    'No round has been played.',
  );
}

function due({ due: rows }: StateView): Html {
  return table(
    'Due at the wallet, amounts in minor units',
    ['round', 'transaction', '#amount', 'since', 'reason'],
    rows.map((one) => [roundLink(one.gameRound), one.type, one.amount, timeOf(one.at), one.reason]),
    'No transaction is due.',
  );
}

function scenarios({ scenarios: rows }: StateView): Html {
  if (rows.length === 0) {
    return html`<p class="dim">No scenario is here: the sandbox runs as a library.</p>`;
  }
  const items = rows.map(
    ({ name, shows }) =>
      html`<li>${button('play', `Play ${name}`, { name })}<span class="dim">${shows}</span></li>`,
  );
  return html`<p class="dim">Play removes every fault that is set, and may move the clock on.</p>
<ul class="scenarios">${items}</ul>`;
}

function freePlays({ freePlays: rows }: StateView): Html {
  return table(
    'Free plays, amounts in minor units',
    ['player', 'game', 'serial', 'currency', '#stake', '#used', '#granted', '#won', 'expires'],
    rows.map((one) => [
      `${one.playerId} (${one.operatorId})`,
      one.gameCode,
      one.serial,
      one.currency,
      one.stake,
      one.used,
      one.granted,
      one.won,
      one.expires ?? 'never',
    ]),
    'No free play has been assigned.',
  );
}

function statistics({ statistics: rows }: StateView): Html {
  return table(
    'Statistics',
    ['operator', 'game', 'currency', '#bet', '#win', '#RTP', '#games', '#players'],
    rows.map((one) => [
      one.operatorId,
      one.game,
      one.currency,
      one.bet,
      one.win,
      one.RTP,
      one.games,
      one.player,
    ]),
    'No statistics yet.',
  );
}
