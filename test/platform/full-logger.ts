import type { Logger } from '../../lib/platform';

/** Why nothing can be logged. */
export const full = new Error('the log is full');

/** Loggers that fail at every line, each with how. */
export const fullLogs: readonly (readonly [string, Logger])[] = [
  [
    'throw',
    loggerOf(() => {
      throw full;
    }),
  ],
  ['reject', loggerOf(() => Promise.reject(full) as unknown as boolean)],
];

/** A hook that is async, and whose error goes to such a logger. */
export const failingHook = (): void => Promise.reject(new Error('the hook failed')) as never;

function loggerOf(fail: () => boolean): Logger {
  return { debug: fail, info: fail, warn: fail, error: fail, isLevelEnabled: fail };
}
