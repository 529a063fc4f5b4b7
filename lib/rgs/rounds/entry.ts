import type { JackpotPayout, RngResult, Texts } from '../../protocol/engine-api/calls';
import type { Identity } from './key';
import type { Context } from './context';
import type { CreditDue, EndDue, Entry, Round } from './round';

/** Most characters of rngResult.result that are kept in an entry (E9.3). */
const longestResult = 256;

/** The common part of every entry of a call; the caller adds the part of its kind. */
export function entryOf(
  type: Entry['type'],
  hash: string,
  at: number,
  { key, content }: Identity,
): Entry {
  return {
    hash,
    type,
    at,
    winAmount: 0n,
    open: 0n,
    collected: 0n,
    amountWagered: null,
    info: {},
    protectedInfo: {},
    reason: type,
    jackpotIds: [],
    key,
    content,
  };
}

/** What an entry shows of a draw: its ids, and its result if that is a short text (E9.3). */
export function infoOf(
  { rngCallId, result }: Pick<RngResult, 'rngCallId' | 'result'>,
  transactionId: string | null,
): Texts {
  return {
    ...(rngCallId === null ? {} : { rngCallId }),
    ...(transactionId === null ? {} : { externalGameProviderTransactionId: transactionId }),
    ...(result === null || result.length > longestResult ? {} : { result }),
  };
}

/** The ids of jackpots, which a credit's reason names (E9.1). */
export function jackpotIdsOf(payouts: readonly JackpotPayout[]): readonly string[] {
  return payouts.map(({ jackpotId }) => jackpotId);
}

/**
 * The name that is hashed (E15.4): the round, the kind, and a counter or a key. So the same step has the
 * same hash after a crash. No id holds a `#`.
 */
export function hashFor(
  { hashOf }: Context,
  gameRound: string,
  kind: 'debit' | 'credit' | 'end' | 'entry',
  which: number | string,
): string {
  return hashOf(`${gameRound}#${kind}#${which}`);
}

/** The hash of the next entry of a round. */
export function nextEntryHash(context: Context, round: Round): string {
  return hashFor(context, round.gameRound, 'entry', round.entries.length + 1);
}

/** Most characters of the reason of a credit that names jackpots. */
const longestReason = 256;

/**
 * A new due credit; its reason names the jackpots in it (W9). The currency is its round's: the player may have
 * been launched in another one since (E5.8).
 */
export function creditDue(
  context: Context,
  { gameRound, currency }: { readonly gameRound: string; readonly currency: string },
  nth: number,
  amount: bigint,
  reason: 'win' | 'collect',
  jackpotIds: readonly string[],
): CreditDue {
  const hash = hashFor(context, gameRound, 'credit', nth);
  const text = jackpotIds.length === 0 ? reason : reasonOfJackpots([...new Set(jackpotIds)]);
  return { type: 'credit', hash, amount, currency, at: context.at, reason: text };
}

/** As many ids as there is room for: a wallet would refuse a call that is too large, and the win were lost. */
function reasonOfJackpots(ids: readonly string[]): string {
  const text = `jackpot ${ids.join(', ')}`;
  if (text.length <= longestReason) return text;
  const [first = ''] = ids;
  return `jackpot ${first} and ${ids.length - 1} more`;
}

/** A new due end of a round (W8). */
export function endDue(context: Context, gameRound: string): EndDue {
  return {
    type: 'end',
    hash: hashFor(context, gameRound, 'end', 1),
    at: context.at,
    reason: 'end',
  };
}
