import { randomUuid } from '../../../platform/random';
import { EngineRefusedError } from '../../../protocol/engine-api/errors';
import type { Owner, Round } from '../../rounds/round';
import { readLaunchOptions } from '../../settings';
import { grantOf } from '../../grants';
import { tokenBytes, tokenOf } from '../../session-tokens';
import { attemptsAtOnce } from '../../settlement/settle';
import { commitSessions, type Core } from '../core/parts';
import type { Game } from '../core/options';
import type { LaunchRequest } from '../../../protocol/operator-api/served-messages';
import { playerKey } from '../state/keys';

/** A launch: its URL, and the player whose pending credits are resent after the reply (O 3, rule 7). */
interface Launched {
  readonly url: string;
  readonly owner: Owner;
}

/** getGameURL: a launch token for one game, good once and for 120 s (E5.1, E24.2). */
export async function launch(
  core: Core,
  operatorId: string,
  request: LaunchRequest,
): Promise<Launched> {
  const { state, clock, random, engineUrl } = core;
  const game = core.games.get(request.gameCode);
  if (game === undefined) throw new EngineRefusedError('GAMENOTFOUND', 'E24.2');
  const owner = ownerOf(core, operatorId, game, request);
  const { profile } = request;
  if (profile !== null && !core.settingsBook.hasProfile(operatorId, profile)) {
    throw new EngineRefusedError('INVALIDPARAMETER', 'E21.1');
  }
  const kind = request.mode === 'HISTORY' ? 'history' : 'player';
  const grant = grantOf(
    { owner, kind },
    { ...request, options: readLaunchOptions(request.options) },
  );
  const token = tokenOf(random.bytes(tokenBytes));
  await commitSessions(core, owner, () => state.sessions.launch(token, grant, clock.now()));
  const url = new URL(game.launchUrl);
  url.searchParams.set('token', token);
  url.searchParams.set('login', `${engineUrl()}/connect`);
  url.searchParams.set('lang', grant.language);
  return { url: url.href, owner };
}

/**
 * Sends the pending credits of the player and game again (O 3, rule 7; W3). A queue is sent from its head, so a
 * void before a credit goes first (W5).
 */
export async function resendFor({ state, delivery, cause }: Core, owner: Owner): Promise<void> {
  const isOfOwner = (round: Round): boolean =>
    playerKey(round.owner) === playerKey(owner) &&
    round.owner.gameCode === owner.gameCode &&
    round.queue.some(({ type }) => type === 'credit') &&
    round.queue[0]?.type !== 'debit';
  const sent = state.rounds
    .atWork()
    .filter(isOfOwner)
    .map((round) => {
      const name = { gameProviderId: round.owner.gameProviderId, gameRound: round.gameRound };
      const how = { attempts: attemptsAtOnce, debitWithinMs: null, isAtAnyAge: false, cause };
      return delivery.deliver(name, how);
    });
  await Promise.all(sent);
}

/** A player of DEMO needs no name; any other does (E19.1, C1). A history token looks at REAL rounds. */
function ownerOf(
  { random, settingsBook }: Core,
  operatorId: string,
  { gameCode, gameProviderId }: Game,
  { playerId, currency, mode }: LaunchRequest,
): Owner {
  if (playerId === null && mode !== 'DEMO') {
    throw new EngineRefusedError('INVALIDPARAMETER', 'E24.2');
  }
  return {
    gameProviderId,
    operatorId,
    playerId: playerId ?? `demo-${randomUuid(random)}`,
    gameCode,
    mode: mode === 'DEMO' ? 'DEMO' : 'REAL',
    currency,
    currencyMultiplier: settingsBook.multiplierOf(currency),
  };
}
