import { randomUuid } from '../../../platform/random';
import { EngineRefusedError } from '../../../protocol/engine-api/errors';
import type { Core } from '../core/parts';
import type { Game } from '../core/options';
import type {
  AssignedFreePlays,
  ConfigurationQuery,
  FreePlayRequest,
  ServedGame,
  StatisticsQuery,
  StatisticsRow,
} from '../../../protocol/operator-api/served-messages';

/** assignPlayerFreerounds: a repeated serial gives the first package again, unchanged (E18.1). */
export async function assign(
  core: Core,
  operatorId: string,
  request: FreePlayRequest,
): Promise<AssignedFreePlays> {
  const { state, committer, clock, random, surroundings } = core;
  const game = gameOf(core, request.gameCode, 'E18.4');
  const ladder = surroundings.ladderOf(game, request.currency);
  const { assigned, isStakeOffered } = await committer.commit(
    `package\n${operatorId}\n${request.serial}`,
    () => {
      const facts = { operatorId, internalid: randomUuid(random), at: clock.now(), ladder };
      const assignment = state.freePlays.assign(request, facts);
      const events = assignment.events.map((event) => ({ type: 'freePlays', event }) as const);
      return { events, result: assignment };
    },
  );
  if (!isStakeOffered) {
    core.onFinding({
      call: 'assignPlayerFreerounds',
      code: 'stakeNotOffered',
      rule: 'E18.4',
      gameProviderId: game.gameProviderId,
      cause: core.cause,
    });
  }
  const { serial, internalid, count, used, expires } = assigned;
  return { serial, internalid, count, used, expires };
}

/** getStats (E24.3). */
export function statistics(
  { state, euroRates, onFinding, cause }: Core,
  operatorId: string,
  query: StatisticsQuery,
): readonly StatisticsRow[] {
  const { rows, withoutRate } = state.statistics.answer(operatorId, query, euroRates);
  if (withoutRate.length > 0) {
    const rule = 'E24.3';
    onFinding({ call: 'getStats', code: 'noEuroRate', rule, gameProviderId: null, cause });
  }
  return rows;
}

/** getGameConfiguration: as the provider gives it, as JSON text (E21.3). */
export async function configuration(
  core: Core,
  { gameCode, currency }: ConfigurationQuery,
): Promise<string> {
  const game = gameOf(core, gameCode, 'E21.3');
  const answer = await core.surroundings.fetchConfiguration(game, currency, core.cause);
  if (answer.kind === 'answered') return answer.value.text;
  throw new EngineRefusedError('PROVIDERUNAVAILABLE', 'E21.3');
}

/** getGameList (E24). */
export function gameList({ games }: Core): readonly ServedGame[] {
  return [...games.values()].map(({ gameCode, name, gameProviderId: studio }) => {
    return { gameCode, name, studio };
  });
}

function gameOf({ games }: Core, gameCode: string, rule: string): Game {
  const game = games.get(gameCode);
  if (game === undefined) throw new EngineRefusedError('GAMENOTFOUND', rule);
  return game;
}
