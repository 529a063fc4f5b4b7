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

/** The same logger, whose lines have the fields that `change` makes of theirs. */
export function changeLines(logger: Logger, change: (fields: object) => object): Logger {
  const hasDebug = logger.debug !== undefined;
  const hasLevels = logger.isLevelEnabled !== undefined;
  return Object.freeze({
    info: (fields: object, message: string) => logger.info(change(fields), message),
    warn: (fields: object, message: string) => logger.warn(change(fields), message),
    error: (fields: object, message: string) => logger.error(change(fields), message),
    ...(hasDebug
      ? { debug: (fields: object, message: string) => logger.debug?.(change(fields), message) }
      : {}),
    ...(hasLevels
      ? { isLevelEnabled: (level: string) => logger.isLevelEnabled?.(level) !== false }
      : {}),
  });
}
