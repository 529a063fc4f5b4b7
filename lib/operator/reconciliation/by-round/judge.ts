import type { DifferenceKind, RoundSide } from '../counting/difference';
import type { RowText } from './export-rows';
import { neverBegan, type PlayedRound, repairedOf } from '../rounds/round';

/** How a round of both sides differs; `kind` is null if it does not. */
interface Judgement {
  readonly kind: DifferenceKind | null;
  /** Nothing is wrong with it yet. */
  readonly isNote: boolean;
  readonly reason: string | null;
}

/**
 * Compares a round with its row. The first that differs is named: the void, the currency, a repair, the amounts, the state, the
 * game. Whether a name is that of another game, `GameNames` knows.
 * @param isYoung Whether the round may still change: a difference of its state is then a note, and so are amounts while a
 * side has it open.
 */
export function judge(ours: PlayedRound, theirs: RowText, isYoung: boolean): Judgement {
  const [, , game, currency, bet, win, , status] = theirs;
  const [debited, credited] = [BigInt(bet), BigInt(win)];
  const isVoided = ours.games === 0;
  if (isVoided && (status === 'voided' || (bet === 0 && win === 0))) return same;
  if (neverBegan(ours)) return judgeRepaired(ours, currency, debited, credited);
  if (isVoided) return difference('voided here alone');
  if (status === 'voided') return difference('voided there alone');
  if (currency !== ours.currency) return difference('another currency');
  const isOpen = ours.endedAt === null || ours.state === 'open';
  const isOpenThere = status === 'open';
  const isUnfinished = isYoung && (isOpen || isOpenThere);
  if (debited !== ours.bet) return { ...difference('bet differs'), isNote: isUnfinished };
  if (credited !== ours.win) {
    const repaired = repairedOf(ours);
    if (repaired !== 0n && credited === ours.win + repaired) {
      return { ...difference('repaired here and paid there'), reason: repairText(ours) };
    }
    return { ...difference('win differs'), isNote: isUnfinished };
  }
  if (isOpen !== isOpenThere) return { ...difference('state differs'), isNote: isYoung };
  if (game === null || game === '' || game === ours.game || ours.game === '') return same;
  return { ...difference('another game'), reason: `${ours.game} here, ${game} there` };
}

/** Compares a round that never began, and that people paid: the currency, the repair, the amounts. */
function judgeRepaired(
  ours: PlayedRound,
  currency: string,
  debited: bigint,
  credited: bigint,
): Judgement {
  const reason = `the round never began here; ${repairText(ours)}`;
  if (currency !== ours.currency) return { ...difference('another currency'), reason };
  const repaired = repairedOf(ours);
  if (repaired !== 0n && credited === repaired) {
    return { ...difference('repaired here and paid there'), reason };
  }
  return { ...difference(debited === 0n ? 'win differs' : 'bet differs'), reason };
}

const same: Judgement = { kind: null, isNote: false, reason: null };

function difference(kind: DifferenceKind): Judgement {
  return { kind, isNote: false, reason: null };
}

function repairText({ repairs }: PlayedRound): string {
  return repairs
    .map(({ id, by }) => (by === null ? `repair ${id}` : `repair ${id} by ${by}`))
    .join('; ');
}

/** Our side of a round. */
export function sideOf({ currency, bet, win, state }: PlayedRound): RoundSide {
  return { currency, bet, win, state };
}

/** The side of the export. */
export function rowSide([, , , currency, bet, win, state]: RowText): RoundSide {
  return { currency, bet: BigInt(bet), win: BigInt(win), state };
}
