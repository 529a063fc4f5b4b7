/** A text or a file that is not what its format says. The message names what is wrong, never the content. */
export class LogFormatError extends Error {
  override readonly name = 'LogFormatError';
  readonly code = 'LOGFORMAT';
}
