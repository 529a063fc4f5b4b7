import type { RoundKey } from './player/round-key';

/**
 * Why a round is notable: it gave a large win (`won`), people paid for it by a repair, it was voided as a whole, or a win was
 * refused for good, so that it was stranded or crashed (`refused`). It stays so, whatever becomes of it.
 */
export const notableKinds = ['won', 'repaired', 'voided', 'refused'] as const;

/** See {@link notableKinds}. */
export type NotableKind = (typeof notableKinds)[number];

/** For how long a notable round is listed after it began, in milliseconds: 400 days. */
export const notableKeptMs = 400 * 86_400_000;

/** Most notable rounds that are read at once. */
export const mostNotable = 200;

/** Where a notable round is in the list of its kind. */
export interface NotablePlace extends Pick<RoundKey, 'playerId' | 'gameRound'> {
  /**
   * When it began, in milliseconds since 1970: when its first debit was accepted, as the sums count it. Where the events do
   * not have that, when the first one of them was committed.
   */
  readonly at: number;
}

/** A round that became notable. */
export interface NotableRound extends NotablePlace {
  readonly kind: NotableKind;
}

/** Which notable rounds to read. */
export interface NotableQuery {
  readonly kind: NotableKind;
  /** Those that began from then to before then, in milliseconds since 1970. */
  readonly from?: number;
  readonly to?: number;
  /** Those after this one in the list. */
  readonly after?: NotablePlace;
  /** 1 to {@link mostNotable}. */
  readonly limit: number;
}
