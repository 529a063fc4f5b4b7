import type { PlayerKey } from '../wallet';

/** A getBalance request, as the hooks see it. */
export interface BalanceRequest extends PlayerKey {
  readonly currency: string;
  readonly gameCode: string | null;
  /** The session reference from getGameURL; not signed. */
  readonly externalSessionId: string | null;
}

/** JSON that a hook adds to an answer. */
export type HookJson =
  | string
  | number
  | boolean
  | null
  | readonly HookJson[]
  | { readonly [key: string]: HookJson };

/** Free plays, tickets and the like of a player in a game, merged into the reply of getBalance (D9). */
export interface FreePlays {
  readonly [key: string]: HookJson;
}
