/** A request that cannot be answered as asked; nothing was changed. Its message is for the person. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';

  constructor(
    /** HTTP status of the answer. */
    readonly status: 400 | 403 | 404 | 405 | 409 | 415 | 501,
    message: string,
  ) {
    super(message);
  }
}
