/** Commands to the provider's process, as JSON. */
export type Command =
  /** Where the remote game server is. */
  | { readonly kind: 'rgs'; readonly url: string }
  /** A call of the client by its name, made once. */
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly request: Readonly<Record<string, unknown>>;
      readonly playerId: string;
      readonly timeoutMs?: number;
    }
  /** A round as an object: openRound, and then its methods, which recover what was lost. */
  | {
      readonly kind: 'play';
      readonly method: PlayMethod;
      readonly gameRound: string;
      readonly playerId: string;
      readonly given: Readonly<Record<string, unknown>>;
      readonly timeoutMs?: number;
    }
  /** What is won in the rest of a round that is closed by doAutoClose; 'void': not taken, as its book says. */
  | { readonly kind: 'leave'; readonly gameRound: string; readonly win: number | 'void' }
  /** Closes a round as doAutoClose does. */
  | { readonly kind: 'close'; readonly gameRound: string };

/** A method of a round, or its opening. */
export type PlayMethod =
  | 'start'
  | 'addBet'
  | 'addWin'
  | 'wager'
  | 'spins'
  | 'end'
  | 'void'
  | 'recover';

/** How a command ended; amounts are texts of digits. */
export type Answer =
  | { readonly kind: 'reply'; readonly reply: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly status: number; readonly id: number | null }
  /** `unsent`: the client refused the request. */
  | { readonly kind: 'notTaken' | 'undone' | 'unclear' | 'unknown' | 'unsent' };

/** A round in the provider's own book, as GET /book gives it. */
export interface BookedRound {
  readonly gameRound: string;
  readonly playerId: string;
  readonly state: 'taken' | 'notTaken' | 'undone' | 'unclear';
  readonly stake: string;
  readonly win: string;
  readonly isOver: boolean;
}
