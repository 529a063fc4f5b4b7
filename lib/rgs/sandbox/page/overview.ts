import { type Html, html } from '../../../platform/html';
import type { AttentionView, PlayerView, RoundView, SessionView, StateView } from '../view';
import { button, roundLink, section, table, timeOf } from './layout';

/** Sessions, rounds, what needs a person, free plays, statistics and scenarios. */
export function overview(base: string, state: StateView): Html {
  return html`<p class="dim">The service's clock shows ${state.now}, ${aheadOf(state.aheadMs)}. Seed ${state.seed}. Findings: ${state.findings}. Calls: ${state.wire}.</p>
${state.isReadOnly ? html`<p class="notice bad" role="alert">The journal has failed: no money call is taken until a restart (B4).</p>` : null}
${section('attention', 'Attention', attention(base, state.attention))}
${section('sessions', 'Sessions', sessions(base, state))}
${section('balances', 'Balances, in minor units', balances(state.players))}
${section('rounds', 'Rounds, in minor units', rounds(base, state.rounds))}
${section('due', 'Due at the wallet, in minor units', due(base, state))}
${section('scenarios', 'Scenarios', scenarios(base, state))}
${section('free-plays', 'Free plays, in minor units', freePlays(state))}
${section('statistics', 'Statistics', statistics(state))}`;
}

/** How far the service's clock is ahead, in words. */
export function aheadOf(ms: number): string {
  if (ms === 0) return 'which is real time';
  const minutes = Math.round(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  return `${hours} h ${minutes % 60} min ahead of real time`;
}

function attention(base: string, rows: readonly AttentionView[]): Html {
  const labels = { close: 'Close', resend: 'Send again', giveUp: 'Give up' } as const;
  return table(
    'Rounds that need a person',
    ['round', 'why', 'what you can do'],
    rows.map(({ gameRound, why, ways }) => [
      roundLink(base, gameRound),
      why,
      ways.map((how) => button(base, 'resolve', labels[how], { round: gameRound, how })),
    ]),
    'No round needs a person.',
  );
}

function sessions(base: string, { sessions: rows, players, games }: StateView): Html {
  const game = games[0];
  const known = players.filter(({ mode }) => mode === 'REAL');
  const launches =
    game === undefined
      ? []
      : known.map(({ operatorId, playerId, currency }) =>
          button(base, 'launch', `Launch as ${playerId}`, {
            operatorId,
            playerId,
            currency,
            gameCode: game.gameCode,
          }),
        );
  return html`${launches}${table(
    'Sessions',
    ['token', 'kind', 'player', 'game', 'mode', '#age', 'open round'],
    rows.map((one: SessionView) => [
      html`<code>…${one.token}</code>`,
      one.kind,
      `${one.playerId} (${one.operatorId})`,
      one.gameCode,
      `${one.mode} ${one.currency}`,
      `${Math.round(one.ageMs / 1000)} s`,
      one.openRound === null ? null : roundLink(base, one.openRound),
    ]),
    'No session is open.',
  )}`;
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

function rounds(base: string, rows: readonly RoundView[]): Html {
  return table(
    'Rounds, amounts in minor units',
    ['round', 'player', 'game', 'state', '#stake', '#open', '#credited', '#pending', 'started'],
    rows.map((one) => [
      roundLink(base, one.gameRound),
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

function due(base: string, { due: rows }: StateView): Html {
  return table(
    'Due at the wallet, amounts in minor units',
    ['round', 'transaction', '#amount', 'since', 'reason'],
    rows.map((one) => [
      roundLink(base, one.gameRound),
      one.type,
      one.amount,
      timeOf(one.at),
      one.reason,
    ]),
    'No transaction is due.',
  );
}

function scenarios(base: string, { scenarios: rows }: StateView): Html {
  const note = html`<p class="dim">Play removes every fault that is set, and may move the clock on.</p>`;
  return html`${rows.length === 0 ? null : note}${table(
    'Scenarios',
    ['scenario', 'shows', 'start'],
    rows.map(({ name, shows }) => [name, shows, button(base, 'play', `Play ${name}`, { name })]),
    'No scenario is here: the sandbox runs as a library.',
  )}`;
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
