import { type Background } from '../../platform/http';
import { within } from '../../platform/within';
import { AutoClose } from './auto-close';
import type { ProviderCall } from './call';
import type { ProviderOperation } from './handlers';
import type { GameProviderSettings } from './options';
import { readAbandonedRound, readConfigurationQuestion, readResultQuestion } from './questions';
import { CallRefusedError } from './refused';
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
