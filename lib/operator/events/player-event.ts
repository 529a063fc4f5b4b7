import type { Actor, LimitTerms, PlayerKey } from '../wallet';

/** A person blocked a player on the operations page, or unblocked one. */
export interface PlayerBlocked {
  readonly kind: 'playerBlocked';
  readonly player: PlayerKey;
  readonly blocked: boolean;
  /** When the block ends by itself, in milliseconds since 1970; null if it does not. */
  readonly until: number | null;
  readonly by: Actor;
}

/** A person set or lifted a limit of a player on the operations page. */
export interface LimitChanged {
  readonly kind: 'limitChanged';
  readonly player: PlayerKey;
  /** `amount` is a decimal text; null where the limit was lifted. */
  readonly limit: Pick<LimitTerms, 'kind' | 'currency' | 'window'> & {
    readonly amount: string | null;
  };
  readonly by: Actor;
}
