/** The part of pino's logger that the kit writes to. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** pino's: where it says no to `info`, what would be logged is not even put together. */
  isLevelEnabled?(level: string): boolean;
}

/** A logger that says nothing. */
export const silentLogger: Logger = Object.freeze({
  info: () => {},
  warn: () => {},
  error: () => {},
  isLevelEnabled: () => false,
});
