/** What a server answers; a Redis nil is null. */
export type Reply = string | number | null | readonly Reply[] | ReplyError;

/** An error reply. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
}

/** For a command that meets a key of another type. */
export function wrongType(): ReplyError {
  return new ReplyError('WRONGTYPE Operation against a key holding the wrong kind of value');
}
