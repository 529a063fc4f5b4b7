/** An account of the books: a player at an operator, and the currency. */
export interface OfAccount {
  readonly operatorId: string;
  readonly playerId: string;
  readonly currency: string;
}

/** A difference between the books (B3). */
export interface DifferenceView extends OfAccount {
  /** Null if no round can be named. */
  readonly round: string | null;
  /** Which figure differs, such as `balance`, `stake`, `win`, `taken`. */
  readonly what: string;
  readonly service: string | null;
  readonly wallet: string | null;
  readonly provider: string | null;
}

/** A round in the book of the service, or of the provider. */
interface RoundInBook {
  readonly state: string;
  readonly stake: string;
  readonly win: string;
}

/** A round in the three books. */
export interface BookedRoundView extends OfAccount {
  readonly gameRound: string;
  readonly service: RoundInBook;
  /** What the player's balance at the wallet changed by; null if it was not seen. */
  readonly wallet: { readonly change: string } | null;
  readonly provider: RoundInBook | null;
  readonly verdict: 'agree' | 'differ' | 'doubt';
}

/** A player in the three books. */
export interface BookedPlayerView extends OfAccount {
  readonly start: string;
  /** By the service's rounds: the least and the most that the balance may be; equal without a doubt. */
  readonly service: { readonly least: string; readonly most: string };
  readonly wallet: string;
  /** By the provider's own book; null if there is none. */
  readonly provider: string | null;
  /** Units granted that the wallet refused for good: a person owes them to the player. In `provider`, not in the others. */
  readonly owed: string;
  /** `differ` also where a round of the player differs from the provider's book. */
  readonly verdict: 'agree' | 'differ' | 'doubt';
}

/** GET /sandbox/books. */
export interface BooksView {
  readonly agree: boolean;
  readonly differences: readonly DifferenceView[];
  readonly notes: readonly { readonly round: string | null; readonly text: string }[];
  readonly doubts: readonly { readonly round: string | null; readonly text: string }[];
  readonly players: readonly BookedPlayerView[];
  readonly rounds: readonly BookedRoundView[];
}
