import { badge, counted, folded, type Html, html, part } from '../../../platform/html';
import type { SessionView, StateView } from '../view/state';
import { amount, figure } from '../wire/amounts';
import { listed, roundLink, shortened, times } from './frame';

const mostRows = 20;

/** What is rarely read, each folded; what there is nothing of is one line. */
export function restPart(state: StateView): Html {
  const lists = [
    ['Sessions', 'session', state.sessions, sessions],
    ['Notices of the operator', 'notice of the operator', state.notices, notices],
    ['Free plays', 'free play', state.freePlays, freePlays],
    ['Statistics', 'statistics', state.statistics, statistics],
    ['Faults that are set', 'fault', state.faults, faultsLink],
  ] as const;
  const full = lists.filter(([, , rows]) => rows.length > 0);
  const nothing = [
    ...(state.rounds.length === 0 ? ['round'] : []),
    ...lists.flatMap(([, name, rows]) => (rows.length === 0 ? [name] : [])),
    ...(state.scenarios.length === 0 ? ['scenario'] : []),
  ];
  const parts = full.map(([title, , rows, drawn]) =>
    folded(`${title} (${rows.length})`, html`${drawn(state)}${cutNote(rows.length)}`),
  );
  const line = nothing.length === 0 ? null : html`<p class="dim">No ${nothing.join(', no ')}.</p>`;
  return part('more', 'More', null, html`${parts}${line}`);
}

function cutNote(rows: number): Html | null {
  return rows > mostRows ? html`<p class="dim">The first ${mostRows} of ${rows}.</p>` : null;
}

function who(playerId: string, operatorId: string): Html {
  return html`<bdi>${shortened(playerId)}</bdi> <small>${shortened(operatorId)}</small>`;
}

function sessions({ sessions: rows }: StateView): Html {
  return listed(
    'Sessions',
    ['player', 'token', 'kind', 'game', 'mode', '#age', 'open round', 'reality check'],
    rows
      .slice(0, mostRows)
      .map((one: SessionView) => [
        who(one.playerId, one.operatorId),
        html`<code>…${one.token}</code>`,
        one.kind,
        shortened(one.gameCode),
        `${one.mode} ${one.currency}`,
        `${Math.round(one.ageMs / 1000)} s`,
        one.openRound === null ? null : roundLink(one.openRound),
        one.realityCheck === null ? null : realityCheckText(one.realityCheck),
      ]),
    '',
  );
}

function realityCheckText({
  fired,
  at,
  isAnswered,
}: NonNullable<SessionView['realityCheck']>): Html {
  if (fired === 0) return html`first at ${times.clock(at)}`;
  const answer = isAnswered ? 'answered' : badge('warn', 'no response yet');
  return html`no. ${fired} at ${times.clock(at)}, ${answer}`;
}

function notices({ notices: rows }: StateView): Html {
  return listed(
    'Notices of the operator',
    ['player', 'call', 'at', 'body'],
    rows
      .slice(0, mostRows)
      .map(({ call, playerId, operatorId, at, body }) => [
        who(playerId, operatorId),
        call,
        times.clock(at),
        html`<code>${body.slice(0, 500)}</code>`,
      ]),
    '',
  );
}

function freePlays({ freePlays: rows }: StateView): Html {
  return listed(
    'Free plays',
    ['player', 'game', 'serial', '#stake', '#used', '#granted', '#won', 'expires'],
    rows
      .slice(0, mostRows)
      .map((one) => [
        who(one.playerId, one.operatorId),
        shortened(one.gameCode),
        shortened(one.serial),
        amount(one.stake, one.currency),
        one.used,
        one.granted,
        amount(one.won, one.currency),
        one.expires === null ? 'never' : times.time(one.expires),
      ]),
    '',
  );
}

function statistics({ statistics: rows }: StateView): Html {
  return listed(
    'Statistics',
    ['game', 'operator', 'currency', '#bet', '#win', '#RTP', '#games', '#players'],
    rows
      .slice(0, mostRows)
      .map((one) => [
        shortened(one.game),
        shortened(one.operatorId),
        one.currency,
        figure(one.bet, one.currency),
        figure(one.win, one.currency),
        `${one.RTP} %`,
        one.games,
        one.player,
      ]),
    '',
  );
}

function faultsLink({ faults }: StateView): Html {
  return html`<p>${counted(faults.length, 'fault')} will hit calls: <a href="/faults">Faults and clock</a>.</p>`;
}
