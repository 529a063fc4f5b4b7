import { type Random, wholeBelow } from '../../platform/random';
import { ExactNumber, type Writable } from '../../protocol/json/write';
import type { WalletCall } from '../ports';

/** How a void is spelled on the wire: the service is known to send both (W6). */
export type VoidSpelling = 'lower' | 'upper' | 'mixed';

/** Spells the type of the void with this hash: the same one at each attempt. */
type SpellVoid = (hash: string) => 'void' | 'VOID';

/** What is due of a round, as the queue holds it. */
type Due = WalletCall['transactions'][number];

/** Chooses the spelling of each void; `mixed` goes by its hash and a seed from `random` (W6). */
export function voidSpeller(spelling: VoidSpelling, random: Random): SpellVoid {
  if (spelling === 'lower') return () => 'void';
  if (spelling === 'upper') return () => 'VOID';
  const seed = wholeBelow(random, 2 ** 32);
  return (hash) => (isOdd(seed, hash) ? 'VOID' : 'void');
}

/** The body of doTransactions (operator-api 4.1, W9). */
export function walletMessage(
  { owner, gameRound, transactions }: WalletCall,
  spellVoid: SpellVoid,
): { readonly [key: string]: Writable } {
  const { playerId, gameCode } = owner;
  return {
    playerId,
    gameCode,
    gameRound,
    transactions: transactions.map((due) => transactionMessage(due, spellVoid)),
    transactionCount: transactions.length,
  };
}

function transactionMessage(due: Due, spellVoid: SpellVoid): { readonly [key: string]: Writable } {
  const { hash, reason } = due;
  const timestamp = new Date(due.at).toISOString();
  switch (due.type) {
    case 'debit':
      return {
        type: due.type,
        isFirstDebit: due.isFirstDebit,
        currency: due.currency,
        hash,
        amount: units(due.amount),
        ...discountMembers(due),
        ...(due.serial === null ? {} : { freePlayUsed: true, serial: due.serial }),
        timestamp,
        reason,
      };
    case 'credit':
      return {
        type: due.type,
        currency: due.currency,
        hash,
        amount: units(due.amount),
        timestamp,
        reason,
      };
    case 'end':
      // An end carries these alone (operator-api 2.1).
      return { type: due.type, hash, timestamp };
    case 'void':
      return {
        type: spellVoid(hash),
        currency: due.currency,
        hash,
        amount: units(due.amount),
        timestamp,
        reason,
      };
  }
}

/** The full amount is the debit's; the wallet takes the difference (E17.3). */
function discountMembers({ discount }: Extract<Due, { type: 'debit' }>): {
  readonly [key: string]: Writable;
} {
  if (discount === null) return {};
  return { discountAmount: units(discount.amount), campaignId: discount.campaignId };
}

function units(amount: bigint): ExactNumber {
  return new ExactNumber(amount.toString());
}

/** One bit of FNV-1a over the hash, mixed once more: hashes may differ in their last character alone. */
function isOdd(seed: number, hash: string): boolean {
  let mixed = (seed ^ 0x811c9dc5) | 0;
  for (let at = 0; at < hash.length; at++) {
    mixed = Math.imul(mixed ^ hash.charCodeAt(at), 0x01000193);
  }
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return ((mixed >>> 16) & 1) === 1;
}
