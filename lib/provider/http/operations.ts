import { type Background } from '../../platform/http';
import { within } from '../../platform/within';
import { isCurrency, isIdentifier } from '../../protocol/identifiers';
import { isJsonObject } from '../../protocol/json/parse';
import { CallRefusedError, invalid, type ProviderCall } from './call';
import type {
  AbandonedRound,
  ConfigurationQuestion,
  ProviderOperation,
  ResultQuestion,
} from './handlers';
import type { GameProviderSettings } from './options';
import { AnswerFault, writeAnswer, writeConfiguration } from './written';

/** What a call asks, and what its handler answers. */
export interface Operation<Q> {
  /** @throws CallRefusedError */
  read(call: ProviderCall<unknown>): Q;
  /** The JSON of a 200. Rejects with CallRefusedError, or with whatever the handler throws. */
  answer(question: Q): Promise<string>;
}

/** The calls that have a handler (S3). */
export function operationsOf(
  { handlers, clock, deadlineMs }: GameProviderSettings,
  background: Background,
): ReadonlyMap<ProviderOperation, Operation<unknown>> {
  const operations = new Map<ProviderOperation, Operation<unknown>>();
  const set = <Q>(
    name: ProviderOperation,
    read: Operation<Q>['read'],
    answer: Operation<Q>['answer'],
  ): void => {
    const operation: Operation<Q> = { read, answer };
    operations.set(name, operation);
  };
  const inTime = <T>(work: Promise<T>, late: CallRefusedError = tooLate): Promise<T> => {
    const refuse = (): never => {
      throw late;
    };
    return within(clock, deadlineMs, work, { late: refuse });
  };
  const { getGameConfiguration, doAutoClose, getGameResult, health, certifiedFiles } = handlers;
  if (getGameConfiguration !== undefined) {
    set('getGameConfiguration', readConfigurationQuestion, async (question) => {
      const config = await inTime(started(() => getGameConfiguration(question)));
      if ((config ?? null) === null) throw new CallRefusedError('GAMENOTFOUND', 400);
      return writeConfiguration(config, question);
    });
  }
  if (doAutoClose !== undefined) {
    const autoClose = new AutoClose(doAutoClose, background);
    set('doAutoClose', readAbandonedRound, async (round) => {
      await inTime(autoClose.close(round), stillClosing);
      return writeAnswer({ gameRound: round.gameRound });
    });
  }
  if (getGameResult !== undefined) {
    set('getGameResult', readResultQuestion, async (question) => {
      const result = await inTime(started(() => getGameResult(question)));
      if ((result ?? null) === null) throw new CallRefusedError('GAMEROUNDNOTFOUND', 400);
      return writeAnswer({ gameRound: question.gameRound, result });
    });
  }
  if (health !== undefined) {
    set('health', nothing, async () => {
      const answer: unknown = await inTime(started(() => health()));
      if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
        throw new AnswerFault('it must be an object');
      }
      return writeAnswer({ ...answer });
    });
  }
  if (certifiedFiles !== undefined) {
    set('certifiedfiles', nothing, async () => {
      const list: unknown = await inTime(started(() => certifiedFiles()));
      if (!Array.isArray(list) || !list.every(isCertifiedFile)) {
        throw new AnswerFault('it must be a list of { file, hash }');
      }
      return writeAnswer({ list: list.map(({ file, hash }) => ({ file, hash })) });
    });
  }
  return operations;
}

const tooLate = Object.freeze(
  new CallRefusedError('OPERATIONBEINGPROCESSED', 503, 'The handler did not answer in time.'),
);
const stillClosing = Object.freeze(
  new CallRefusedError('OPERATIONBEINGPROCESSED', 503, 'The round is still being closed.'),
);

function nothing(): void {}

/** What a handler throws at once is a rejection like any other. */
async function started<T>(handler: () => T | Promise<T>): Promise<T> {
  return handler();
}

function isCertifiedFile(
  entry: unknown,
): entry is { readonly file: string; readonly hash: string } {
  const { file, hash } = Object(entry) as { readonly file?: unknown; readonly hash?: unknown };
  return typeof file === 'string' && typeof hash === 'string';
}

/**
 * Closes rounds one at a time each: a second call for a round that is being closed waits for the first one's
 * result. The work continues if its caller was answered before it is done; closing waits for it.
 */
class AutoClose {
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(
    private readonly handler: (round: AbandonedRound) => unknown,
    private readonly background: Background,
  ) {}

  /** Rejects with what the handler throws. */
  close(round: AbandonedRound): Promise<unknown> {
    const key = JSON.stringify([round.gameProviderId, round.gameRound]);
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const work = (async () => this.handler(round))();
    this.#running.set(key, work);
    // Its failure is reported to each caller that waits for it.
    this.background.add(this.#forget(key, work), () => {});
    return work;
  }

  async #forget(key: string, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } finally {
      this.#running.delete(key);
    }
  }
}

/** A decimal above 0, without sign or exponent. */
const multiplierForm = /^(?=.*[1-9])(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/;

/** The query of getGameConfiguration; all of it is required. @throws CallRefusedError */
function readConfigurationQuestion(call: ProviderCall<unknown>): ConfigurationQuestion {
  const members = membersOf(call);
  const { gameCode, currency, currencyMultiplier } = members;
  if (!isCurrency(currency)) throw invalid('currency must be three upper-case letters.');
  if (!isIdentifier(gameCode)) throw invalid('gameCode must be 1 to 128 characters.');
  if (typeof currencyMultiplier !== 'string' || !multiplierForm.test(currencyMultiplier)) {
    throw invalid('currencyMultiplier must be a decimal above 0.');
  }
  return { gameProviderId: call.callerId, gameCode, currency, currencyMultiplier };
}

/** The body of doAutoClose. @throws CallRefusedError */
function readAbandonedRound(call: ProviderCall<unknown>): AbandonedRound {
  const { gameRound, gameCode = null } = membersOf(call);
  if (!isIdentifier(gameRound)) throw invalid('gameRound must be 1 to 128 characters.');
  if (gameCode !== null && !isIdentifier(gameCode)) {
    throw invalid('gameCode must be 1 to 128 characters.');
  }
  return { gameProviderId: call.callerId, gameRound, gameCode };
}

/** The body of getGameResult. @throws CallRefusedError */
function readResultQuestion(call: ProviderCall<unknown>): ResultQuestion {
  const { language = null } = membersOf(call);
  if (language !== null && (typeof language !== 'string' || language.length > 64)) {
    throw invalid('language must be a text of at most 64 characters.');
  }
  return { ...readAbandonedRound(call), language };
}

function membersOf({ document }: ProviderCall<unknown>): { readonly [name: string]: unknown } {
  const value = document?.value;
  if (!isJsonObject(value)) throw invalid('The body must be an object.');
  return value;
}
