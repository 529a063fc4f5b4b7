import { isJsonObject, parseJson } from '../../protocol/json/parse';
import { EngineRefusedError } from '../../protocol/engine-api/errors';
import { readLaunch } from '../../protocol/operator-api/read-served';
import { findRound } from './overview/rounds';
import type { SandboxSettings } from './process/options';
import type { Running } from './process/running';
import type {
  ClockRequest,
  ClockView,
  DoneView,
  FaultView,
  LaunchPlayerRequest,
  LaunchView,
  PlayedView,
  ResolveRequest,
} from './view/state';

/** What an action came to: its JSON, and what a reader should be shown beyond that it was done. */
interface Done {
  readonly json: object;
  readonly shown: string | null;
}

/** An action that was not done; the message says why. */
export class ActionRefusedError extends Error {
  override readonly name = 'ActionRefusedError';

  constructor(
    message: string,
    /** Of HTTP. */
    readonly status: 400 | 404 | 405 = 400,
  ) {
    super(message);
  }
}

/** Does what POST or DELETE of a path under /sandbox does. @throws ActionRefusedError */
export type Act = (method: string, path: string, body: unknown) => Promise<Done>;

type Members = Readonly<Record<string, unknown>>;
const done: DoneView = Object.freeze({ isDone: true });
/** A clock that is moved further has no use, and dates that end. */
const longestAdvanceMs = 400 * 86_400_000;

/** What POST of a path does. */
type Post = (running: Running, settings: SandboxSettings, body: Members) => Promise<Done>;

const posts: Readonly<Record<string, Post>> = {
  async clock({ clock }, _settings, body) {
    const { advanceMs } = body as unknown as ClockRequest;
    const isRight =
      Number.isSafeInteger(advanceMs) && advanceMs >= 0 && advanceMs <= longestAdvanceMs;
    if (!isRight) throw new ActionRefusedError('advanceMs must be whole milliseconds, 0 or more');
    await clock.advance(advanceMs);
    const json: ClockView = { now: new Date(clock.now()).toISOString() };
    return { json, shown: null };
  },
  async janitor(running) {
    await running.whileAlive((service) => service.runJanitor());
    return { json: done, shown: null };
  },
  async kill(running) {
    await running.kill();
    return { json: done, shown: 'The RGS was killed and started again from its journal.' };
  },
  async faults(running, _settings, body) {
    return { json: setFault(running, body), shown: null };
  },
  async resolve(running, settings, body) {
    await resolveRound(running, settings, body as unknown as ResolveRequest);
    return { json: done, shown: null };
  },
  async launch(running, settings, body) {
    const url = await launch(running, settings, body as unknown as LaunchPlayerRequest);
    const json: LaunchView = { url };
    return { json, shown: url };
  },
  async play({ faults }, { scenarios }, { name }) {
    const scenario = scenarios.find((one) => one.name === name);
    if (scenario === undefined) throw new ActionRefusedError('there is no such scenario', 404);
    const set = faults.list().length;
    const { isOk, lines } = await scenario.play();
    const note = 'Faults that were set before are removed, as by every scenario.';
    const played: PlayedView = { isOk, lines: set === 0 ? lines : [...lines, note] };
    return { json: played, shown: [...played.lines, played.isOk ? 'ok' : 'NOT OK'].join('\n') };
  },
};

/** The actions of a sandbox. */
export function createActions(running: Running, settings: SandboxSettings): Act {
  return async (method, path, body) => {
    if (method === 'DELETE' && path === 'faults') {
      running.faults.clear();
      return { json: done, shown: null };
    }
    const post = Object.hasOwn(posts, path) ? posts[path] : undefined;
    if (post === undefined) throw new ActionRefusedError('there is no such action', 404);
    if (method !== 'POST') throw new ActionRefusedError('this is a POST', 405);
    if (!isJsonObject(body)) throw new ActionRefusedError('the body must be a JSON object');
    try {
      return await post(running, settings, body);
    } catch (error) {
      if (error instanceof EngineRefusedError) {
        throw new ActionRefusedError(error.errorObject.msg, error.status === 404 ? 404 : 400);
      }
      throw error;
    }
  };
}

function setFault({ faults }: Running, body: Members): FaultView {
  try {
    return faults.set(body as never);
  } catch (error) {
    if (error instanceof TypeError) throw new ActionRefusedError(error.message);
    throw error;
  }
}

/** A person's decision on a round (E16.2). @throws ActionRefusedError, EngineRefusedError */
export async function resolveRound(
  running: Running,
  settings: SandboxSettings,
  { round: gameRound, how }: ResolveRequest,
): Promise<void> {
  if (how !== 'close' && how !== 'resend' && how !== 'giveUp') {
    throw new ActionRefusedError('how must be close, resend or giveUp');
  }
  if (typeof gameRound !== 'string') throw new ActionRefusedError('round must be a text');
  const round = findRound(running, settings, gameRound);
  if (round === null) throw new ActionRefusedError('there is no such round', 404);
  const { gameProviderId } = round.owner;
  await running.whileAlive((service) => service.resolve(gameProviderId, gameRound, how));
}

/** getGameURL for a player, without the operator's signature. @throws ActionRefusedError, EngineRefusedError */
export async function launch(
  running: Running,
  { operators }: SandboxSettings,
  request: LaunchPlayerRequest,
): Promise<string> {
  const { operatorId = operators[0]?.operatorId ?? '', mode = 'REAL', language = 'EN' } = request;
  const { playerId, gameCode, currency } = request;
  for (const [name, value] of Object.entries({
    operatorId,
    playerId,
    gameCode,
    currency,
    language,
  })) {
    if (typeof value !== 'string' || value === '' || value.length > 128) {
      throw new ActionRefusedError(`${name} must be a text of 1 to 128 characters`);
    }
  }
  if (!operators.some((operator) => operator.operatorId === operatorId)) {
    throw new ActionRefusedError('there is no such operator', 404);
  }
  // Read as a request of the operator is: no id that it could not send comes into a round (E4.2).
  const document = parseJson(JSON.stringify({ playerId, gameCode, currency, language, mode }));
  const { url, afterReply } = await running.whileAlive((service) =>
    service.getGameURL(operatorId, readLaunch(document)),
  );
  afterReply();
  return url;
}
