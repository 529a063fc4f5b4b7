import { ownText } from '../../../platform/own-text';
import type { Movement } from './service-round';
import { certain, type Possible } from './possible';

/** What a sent transaction may have moved. */
export interface Booked extends Omit<Movement, 'possible'> {
  readonly gameRound: string;
  possible: Possible;
}

/** The transactions of a round, by their keys. */
export type BookedRound = Map<string, Booked>;

/** The key of a transaction within its round. */
export function keyOf({ type, hash }: { readonly type: string; readonly hash: string }): string {
  return `${type} ${hash}`;
}

/** Fields of a packed transaction; none holds a line end. */
const fields = 4;

/** A round of which nothing is in doubt, as one text: a tenth of the memory of its objects. */
export function pack(gameRound: string, round: BookedRound): string {
  const parts: string[] = [];
  for (const { type, hash, isFirst, effect, possible } of round.values()) {
    const kind = type === 'credit' ? 'c' : isFirst ? 'f' : 'd';
    // The first debit has the hash of its round (operator-api 3, rule 6).
    parts.push(kind, hash === gameRound ? '' : hash, String(effect), String(possible.least));
  }
  return ownText(parts.join('\n'));
}

/** The round that was packed. */
export function unpack(gameRound: string, packed: string): BookedRound {
  const parts = packed === '' ? [] : packed.split('\n');
  const round: BookedRound = new Map();
  for (let at = 0; at + fields <= parts.length; at += fields) {
    const [kind, named, effect = '0', moved = '0'] = parts.slice(at, at + fields);
    const type = kind === 'c' ? 'credit' : 'debit';
    const hash = named === '' || named === undefined ? gameRound : named;
    const possible = certain(BigInt(moved));
    const one: Booked = {
      type,
      hash,
      isFirst: kind === 'f',
      effect: BigInt(effect),
      gameRound,
      possible,
    };
    round.set(keyOf(one), one);
  }
  return round;
}
