import type { Round } from '../../rounds/round';
import type { WatchedSession } from '../../service/calls/view';
import type { KeptNotice } from '../../service/core/notices';
import { maskTokens } from '../wire/mask';
import type { Account } from '../process/accounts';
import type { Running } from '../process/running';
import type { SandboxSettings } from '../process/options';
import { isCertain } from '../books/possible';
import type { FreePlayPackage } from '../../free-plays';
import { shelfOf } from '../../player-data';
import type { StatisticsRow } from '../../../protocol/operator-api/served-messages';
import type {
  AttentionView,
  FreePlayView,
  LaunchablePlayer,
  NoticeView,
  PlayerView,
  SessionView,
  StateView,
  StatisticsView,
} from '../view/state';
import { dueView, roundView } from './rounds';
import { timeOrNull, timeText } from '../../../platform/time/iso';

/** Rounds that a view shows: the latest. */
const maxRounds = 500;

/** The state of a sandbox, as GET /sandbox/state returns it. */
export function stateView(running: Running, settings: SandboxSettings): StateView {
  const view = running.service().view();
  const openOf = openRounds(view.atWork);
  const gamesBy = new Map(settings.games.map((game) => [game.gameCode, game]));
  return {
    now: timeText(view.now),
    aheadMs: running.clock.aheadMs,
    seed: settings.seed,
    wire: running.wire.latest,
    findings: running.findings.count,
    isReadOnly: view.isReadOnly,
    operators: settings.operators.map(({ operatorId, wallet }) => ({
      operatorId,
      wallet: typeof wallet === 'string' ? wallet : 'in this process',
    })),
    games: [...gamesBy.values()].map(({ gameCode, name, gameProviderId, launchUrl }) => ({
      gameCode,
      name,
      gameProviderId,
      provider: placeOf(settings, gameProviderId),
      launchUrl,
    })),
    launchable: launchableOf(settings, running.accounts.all()),
    players: running.accounts.all().map((account) => playerView(account, view.balances)),
    sessions: view.sessions.map((session) => sessionView(session, view.now, openOf)),
    rounds: view.latest(maxRounds).map(roundView),
    due: view.atWork.flatMap(({ gameRound, queue }) =>
      queue.map((due) => ({ ...dueView(due), gameRound })),
    ),
    attention: view.attention.map(attentionView),
    notices: [
      ...view.registered.map((one) => noticeView('registerPlayer', one)),
      ...view.realityCheckResponses.map((one) => noticeView('sendRealityCheckResponse', one)),
    ],
    faults: running.faults.list(),
    freePlays: view.freePlays.map(freePlayView),
    statistics: settings.operators.flatMap(({ operatorId }) =>
      view.statistics(operatorId).map((row) => statisticsView(operatorId, row)),
    ),
    scenarios: settings.scenarios.map(({ name, shows }) => ({ name, shows })),
  };
}

function placeOf({ providers }: SandboxSettings, id: string): string {
  const router = providers.find(({ gameProviderId }) => gameProviderId === id)?.router;
  return typeof router === 'string' ? router : 'in this process';
}

/** Those of the options first, each once. */
function launchableOf(
  { players }: SandboxSettings,
  accounts: readonly Account[],
): readonly LaunchablePlayer[] {
  const real = accounts.filter(({ owner }) => owner.mode === 'REAL');
  const seen = real.map(({ owner: { operatorId, playerId, currency } }) => ({
    operatorId,
    playerId,
    currency,
  }));
  const all = [...players, ...seen].map((player) => [JSON.stringify(player), player] as const);
  return [...new Map(all).values()];
}

function playerView(
  { owner, book }: Account,
  balances: readonly { readonly owner: Account['owner']; readonly asOf: number }[],
): PlayerView {
  const { operatorId, playerId, mode, currency } = owner;
  const known = balances.find(
    ({ owner: other }) =>
      other.operatorId === operatorId &&
      other.playerId === playerId &&
      other.currency === currency &&
      other.mode === mode,
  );
  const { start, latest, moved } = book;
  const isKnown = start !== null && isCertain(moved);
  return {
    operatorId,
    playerId,
    mode,
    currency,
    start: start === null ? null : String(start),
    wallet: latest === null ? null : String(latest),
    walletAsOf: timeOrNull(known?.asOf),
    service: isKnown ? String(start + moved.least) : null,
  };
}

function sessionView(
  { grant, openedAt, lastFour, realityCheck }: WatchedSession,
  now: number,
  openOf: ReadonlyMap<string, string>,
): SessionView {
  const { kind, owner } = grant;
  const { operatorId, playerId, gameCode, mode, currency } = owner;
  return {
    token: lastFour,
    kind,
    operatorId,
    playerId,
    gameCode,
    mode: kind === 'history' ? 'HISTORY' : mode,
    currency,
    openedAt: timeText(openedAt),
    ageMs: now - openedAt,
    openRound: openOf.get(shelfOf(owner)) ?? null,
    realityCheck: realityCheck === null ? null : { ...realityCheck, at: timeText(realityCheck.at) },
  };
}

function noticeView(
  call: NoticeView['call'],
  { operatorId, playerId, at, body }: KeptNotice,
): NoticeView {
  return { call, operatorId, playerId, at: timeText(at), body: maskTokens(body) };
}

function openRounds(rounds: readonly Round[]): ReadonlyMap<string, string> {
  const open = rounds.filter(({ state }) => state === 'open');
  return new Map(open.map(({ owner, gameRound }) => [shelfOf(owner), gameRound]));
}

/** What a person can do about a round (E16.2). */
function attentionView(round: Round): AttentionView {
  const { gameRound, state, queue, undelivered } = round;
  const ways: AttentionView['ways'][number][] = [];
  if (state === 'open') ways.push('close');
  if (queue.length > 0) ways.push('resend', 'giveUp');
  return { gameRound, why: reasonOf(state, queue.length, undelivered.length), ways };
}

function reasonOf(state: Round['state'], due: number, undelivered: number): string {
  if (state === 'stranded') return 'the wallet refused the credit for good';
  if (state === 'crashed') return 'the wallet refused a credit after it had paid one';
  if (undelivered > 0) return 'transactions were given up';
  if (due > 0) return 'transactions are due, and the round is past its maximum age';
  return state === 'open' ? 'open past its maximum age' : 'the answers of the wallet contradict';
}

function freePlayView(one: FreePlayPackage): FreePlayView {
  const { operatorId, playerId, gameCode, serial, currency, stake, count, used, won, expires } =
    one;
  return {
    operatorId,
    playerId,
    gameCode,
    serial,
    currency,
    stake: String(stake),
    granted: count,
    used,
    won: String(won),
    expires: timeOrNull(expires),
  };
}

function statisticsView(operatorId: string, row: StatisticsRow): StatisticsView {
  const { game, currency, bet, win, games, player, RTP } = row;
  return {
    operatorId,
    game: game ?? '',
    currency,
    bet: String(bet),
    win: String(win),
    games,
    player,
    RTP,
  };
}
