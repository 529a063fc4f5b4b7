import type { ServiceError, SignatureRefusedError } from '../../protocol/client';
import type { RoundReply } from '../../protocol/engine-api';

/** A definite answer of the RGS: nothing happened. */
export type Refusal = ServiceError | SignatureRefusedError;

/** How a lost call ended (S2). */
export type Recovery =
  /** It took effect, once. */
  | { readonly kind: 'done'; readonly round: RoundReply }
  /**
   * It never took effect, and never will: a start is made anew with a new id (S2.2). `refusal` is there where
   * the round was open without it, and the RGS refused the repeated request.
   */
  | { readonly kind: 'notTaken'; readonly refusal?: Refusal }
  /** The round was voided: the player has the stake back. */
  | { readonly kind: 'undone'; readonly round: RoundReply }
  /** For a person: nothing was sent that could move money. `round` is null if it could not be read. */
  | {
      readonly kind: 'unclear';
      readonly round: RoundReply | null;
      readonly why: string;
      readonly refusal?: Refusal;
    };
