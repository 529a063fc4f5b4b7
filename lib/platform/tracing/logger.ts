import type { Logger } from '../logger';
import { currentIds } from './spans';

/** The same logger, whose lines have `trace_id` and `span_id` of the span in which they are written. */
export function withTraceIds(logger: Logger): Logger {
  const hasDebug = logger.debug !== undefined;
  const hasLevels = logger.isLevelEnabled !== undefined;
  return Object.freeze({
    info: (fields: object, message: string) => logger.info(traced(fields), message),
    warn: (fields: object, message: string) => logger.warn(traced(fields), message),
    error: (fields: object, message: string) => logger.error(traced(fields), message),
    ...(hasDebug
      ? { debug: (fields: object, message: string) => logger.debug?.(traced(fields), message) }
      : {}),
    ...(hasLevels
      ? { isLevelEnabled: (level: string) => logger.isLevelEnabled?.(level) !== false }
      : {}),
  });
}

function traced(fields: object): object {
  const ids = currentIds();
  return ids === null ? fields : { ...fields, ...ids };
}
