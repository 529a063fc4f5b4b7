/**
 * The statement that a key was replaced without a signature of the one before it: an event of the log, and the
 * reason why a line of `keys` has no checkpoint of both.
 */
export interface KeyEvent {
  readonly type: 'key';
  /** `operator/key/n`, percent-encoded; n: number of the line in `keys`. */
  readonly id: string;
  readonly operatorId: string;
  readonly at: string;
  /** The new key, as it is published. */
  readonly vkey: string;
  readonly reason: string;
}
