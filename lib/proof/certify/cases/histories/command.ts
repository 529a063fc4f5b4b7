/** A transaction to send; `TooHigh` is a debit above the player's balance. */
export type PartKind = 'first' | 'firstTooHigh' | 'followUp' | 'followUpTooHigh' | 'credit' | 'end';

/** A new transaction of a call. */
export interface Part {
  readonly kind: PartKind;
  /** Amount in half stakes; of no meaning for an end and a debit that is too high. */
  readonly halfStakes: number;
}

/** One of the two rounds of a history. */
export type RoundNumber = 0 | 1;

/**
 * A step of a history. Steps refer to others by their numbers, which stay if steps are left out; a step that
 * the specification says nothing about in the current state is skipped.
 */
export type Command = {
  /** Number of the step: part of the names of its transactions. */
  readonly at: number;
} & (
  | { readonly kind: 'send'; readonly round: RoundNumber; readonly parts: readonly Part[] }
  /** The void of a debit by its name. */
  | { readonly kind: 'void'; readonly round: RoundNumber; readonly of: string }
  /** The void of a debit that comes later: of the first one in a new round, else of a follow-up debit. */
  | { readonly kind: 'voidEarly'; readonly round: RoundNumber }
  /** The debit whose void came before, by its name. */
  | { readonly kind: 'lateDebit'; readonly round: RoundNumber; readonly of: string }
  /** Transactions of the call of an earlier step, again: up to `count` of them, beginning with one of them. */
  | { readonly kind: 'resend'; readonly of: number; readonly from: number; readonly count: number }
);

/** More transactions than a call has. */
export const maxParts = 9;

/** Half stakes of the simplest amount: the stake itself. */
const plainHalfStakes = 2;

/** Steps that are simpler than this one, the simplest first. */
export function simplerThan(command: Command): readonly Command[] {
  switch (command.kind) {
    case 'send':
      return [...fewerParts(command.parts), ...plainAmounts(command.parts)].map((parts) => {
        return { ...command, parts };
      });
    case 'resend': {
      const { from, count } = command;
      const isWhole = from === 0 && count === maxParts;
      return isWhole ? [] : [{ ...command, from: 0, count: maxParts }];
    }
    case 'void':
    case 'voidEarly':
    case 'lateDebit':
      return [];
  }
}

function fewerParts(parts: readonly Part[]): readonly (readonly Part[])[] {
  if (parts.length < 2) return [];
  return parts.map((_, left) => parts.filter((_part, at) => at !== left));
}

function plainAmounts(parts: readonly Part[]): readonly (readonly Part[])[] {
  const plain = parts.map((part) => ({ ...part, halfStakes: plainHalfStakes }));
  return parts.every(({ halfStakes }) => halfStakes === plainHalfStakes) ? [] : [plain];
}
