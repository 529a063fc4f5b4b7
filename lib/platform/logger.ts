import { isPromise } from 'node:util/types';

/** The part of pino's logger that the kit writes to. */
export interface Logger {
  /** For details that are of interest only in debugging: the transactions of each call. */
  debug?(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** As in pino: if it returns false for `info`, the line is not even built. */
  isLevelEnabled?(level: string): boolean;
}

/** A logger that writes nothing. */
export const silentLogger: Logger = Object.freeze({
  info: () => {},
  warn: () => {},
  error: () => {},
  isLevelEnabled: () => false,
});

/**
 * The logger of a user, or one that writes nothing. What it throws or rejects with is ignored: a log must not change an
 * answer, nor end the process.
 */
export function safeLogger(logger: Logger = silentLogger): Logger {
  return changeLines(logger, (fields) => fields);
}

/** The same as {@link safeLogger}, whose lines have the fields that `change` makes of theirs. */
export function changeLines(logger: Logger, change: (fields: object) => object): Logger {
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') => (fields: object, message: string) => {
      try {
        ignoreRejection(logger[level]?.(change(fields), message));
      } catch {
        // Nobody is left to tell it to.
      }
    };
  const isLevelEnabled = (level: string): boolean => {
    try {
      const answer = logger.isLevelEnabled?.(level);
      ignoreRejection(answer);
      return answer !== false;
    } catch {
      return true;
    }
  };
  return Object.freeze({
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    ...(logger.debug === undefined ? {} : { debug: write('debug') }),
    ...(logger.isLevelEnabled === undefined ? {} : { isLevelEnabled }),
  });
}

/** The functions of a logger may be async, whatever their types say. */
function ignoreRejection(answer: unknown): void {
  if (isPromise(answer)) answer.catch(() => {});
}
