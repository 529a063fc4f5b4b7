import { isVoided } from '../calls/requests';
import type { GameStateEntry, RoundReply } from '../../protocol/engine-api/replies';
import type { LastSeen, LostCall } from './lost';
import { entryOf, wonBy } from './traces';

/** What a closed round says of a lost call (S2.3). */
type ClosedVerdict =
  | { readonly kind: 'done' }
  | { readonly kind: 'undone' }
  | { readonly kind: 'unclear'; readonly why: string };

const done: ClosedVerdict = Object.freeze({ kind: 'done' });
const undone: ClosedVerdict = Object.freeze({ kind: 'undone' });

/**
 * Judges a lost call by its closed round: the entry of the call, else the sums that the call would have
 * made (S2.3). Anything that does not fit is for a person.
 */
export function judgeClosed(
  lost: LostCall,
  last: LastSeen | null,
  round: RoundReply,
): ClosedVerdict {
  if (isVoided(round)) return undone;
  const entry = entryOf(lost, round);
  if (entry !== null && lost.call !== 'start') {
    return holdsAmount(lost, entry) ? done : unclear('its key is known with another amount');
  }
  switch (lost.call) {
    case 'start':
      return isCreditKnown(lost, round) ? done : unclear('its credit is not in the round');
    case 'addBet':
      return stakeFits(lost, last, round) ? done : unclear('its debit is not in the round');
    case 'void':
      return isLower(last, round) ? done : unclear('the round is closed and not voided');
    case 'spin':
      return unclear('the spin is not in the round');
    case 'addWin':
      return sumFits(lost, last, round) ? done : unclear('its amount is not in the round');
    default:
      return isCollected(lost, last, round) ? done : unclear('the round paid another amount');
  }
}

/** Whether an entry holds the amount of the lost call. */
export function holdsAmount(lost: LostCall, { result }: GameStateEntry): boolean {
  if (lost.call !== 'addWin' && lost.call !== 'wagerWin') return true;
  return result.winAmount === null || result.winAmount === wonBy(lost);
}

/** The stake that an added bet would have made; null if the stake before is not known. */
export function stakeWith(
  lost: Extract<LostCall, { readonly call: 'addBet' }>,
  last: LastSeen | null,
): bigint | null {
  const { stake } = last ?? {};
  return stake === undefined || stake === null ? null : stake + debitOf(lost);
}

/** Whether the stake has fallen: an added bet was voided. */
export function isLower(last: LastSeen | null, { gameRoundInfo }: RoundReply): boolean {
  const { stake } = gameRoundInfo;
  return last !== null && last.stake !== null && stake !== null && stake < last.stake;
}

function stakeFits(
  lost: Extract<LostCall, { readonly call: 'addBet' }>,
  last: LastSeen | null,
  { gameRoundInfo }: RoundReply,
): boolean {
  return gameRoundInfo.stake !== null && gameRoundInfo.stake === stakeWith(lost, last);
}

/** A credit of the start goes with its debit: both are in one call to the wallet (B2). */
function isCreditKnown(lost: LostCall, round: RoundReply): boolean {
  const isStranded = ['stranded', 'crashed'].includes(round.passThroughData['outcome'] ?? '');
  const credited = creditedBy(round);
  return isStranded || credited === null || credited >= wonBy(lost);
}

/** Whether the sum of all that was won is that before the lost call, and its own amount. */
function sumFits(lost: LostCall, last: LastSeen | null, round: RoundReply): boolean {
  const before = last?.entries ?? [];
  const isListed = round.gameState.some(({ type }) => type === 'genericwin');
  if (isListed) return wonIn(round.gameState) === wonIn(before) + wonBy(lost);
  return isCollected(lost, last, round);
}

/** Whether the round paid what was open before the lost call, and its own amount. */
function isCollected(lost: LostCall, last: LastSeen | null, round: RoundReply): boolean {
  if (last === null && lost.call !== 'addWin' && lost.call !== 'wagerWin') return true;
  const open = lost.call === 'wagerWin' ? 0n : (last?.amountToCollect ?? 0n);
  const expected = collectedIn(last?.entries ?? []) + open + wonBy(lost);
  return collectedIn(round.gameState) === expected || creditedBy(round) === expected;
}

/** What the wallet has confirmed, and what is due to it (E12.1); null if the RGS does not say. */
function creditedBy({ amountCredited, passThroughData }: RoundReply): bigint | null {
  if (amountCredited === null) return null;
  const pending = passThroughData['creditPending'] ?? '';
  return amountCredited + (/^\d{1,16}$/.test(pending) ? BigInt(pending) : 0n);
}

function wonIn(entries: readonly GameStateEntry[]): bigint {
  const won = entries.filter(({ type }) => type === 'genericwin');
  return won.reduce((sum, { result }) => sum + (result.winAmount ?? 0n), 0n);
}

function collectedIn(entries: readonly GameStateEntry[]): bigint {
  return entries.reduce((sum, { collected }) => sum + (collected ?? 0n), 0n);
}

function unclear(why: string): ClosedVerdict {
  return { kind: 'unclear', why };
}

function debitOf({ request }: Extract<LostCall, { readonly call: 'addBet' }>): bigint {
  return BigInt(request.debitInformation.debitAmount);
}
