/** A message that does not fit its call: where, and why. Never repeats the message. */
export class MessageFault extends Error {
  override readonly name = 'MessageFault';

  constructor(
    /** JSON pointer; empty for the whole message. */
    readonly pointer: string,
    readonly problem: string,
  ) {
    super(problem);
  }
}
