import type {
  JackpotPayout,
  RngResult,
  RoundCall,
  StartGameRound,
} from '../../protocol/engine-api/calls';
import type { CallFinding } from './decision';
import type { Round } from './round';

/** What distinguishes a call of a round from others (E15.1). */
export interface Identity {
  /** Null if the provider gave none: the call counts each time. */
  readonly key: string | null;
  /** What a repeat must be equal to. */
  readonly content: string;
}

/** The identity of a call on a round; endGameRound and voidGameRound only have the state. */
export function identityOf(call: RoundCall): Identity {
  switch (call.call) {
    case 'addWin': {
      const { rngResult, collect, jackpotPayout, externalGameProviderTransactionId: id } = call;
      const content = [...drawn(rngResult), collect, ...jackpots(jackpotPayout)];
      return { key: keyOf(id, rngResult.rngCallId), content: textOf(content) };
    }
    case 'wagerWin': {
      const { rngResult, wagerInformation: wager } = call;
      const amounts = [wager.wagerAmount, wager.winAmount, wager.currency];
      const content = [...drawn(rngResult), ...amounts, ...jackpots(wager.jackpotPayout)];
      const id = wager.externalGameProviderTransactionId;
      return { key: keyOf(id, rngResult.rngCallId), content: textOf(content) };
    }
    // E11.3: rngCallId is the key, of each counter.
    case 'addSpinCounterGameState': {
      const { counterType, rngCallId, awarded, used, winAmount } = call;
      return {
        key: textOf([counterType, rngCallId]),
        content: textOf([awarded, used, winAmount]),
      };
    }
    case 'collectWin': {
      const { externalGameProviderTransactionId: id, amount } = call;
      return { key: keyOf(id, null), content: textOf([amount]) };
    }
    case 'endGameRound':
    case 'voidGameRound':
      return { key: null, content: '' };
  }
}

/** The content that a repeat of a start must equal. */
export function contentOfStart(call: StartGameRound): string {
  const { rngResult, debitInformation: debit, creditInformation: credit, endGame } = call;
  const credited = credit === null ? [] : [credit.creditAmount, ...jackpots(credit.jackpotPayout)];
  const debited = [debit.debitAmount, debit.currency, debit.useTicket];
  return textOf([...debited, ...drawn(rngResult), endGame, ...credited]);
}

/** The content of the call with this key while the round is open; null if no call had it. */
export function contentKnown(round: Round, call: RoundCall, key: string): string | null {
  if (call.call === 'collectWin') {
    return round.credits.find((credit) => credit.key === key)?.content ?? null;
  }
  const type = entryTypeOf(call);
  const entry = round.entries.find((one) => one.type === type && one.key === key);
  return entry?.content ?? null;
}

/** No key at all, or one draw under two transaction ids: such a call counts twice (E15.1). */
export function findingsOfKey(round: Round, call: RoundCall, key: string | null): CallFinding[] {
  if (call.call === 'endGameRound' || call.call === 'voidGameRound') return [];
  if (key === null) return ['noKey'];
  if (call.call !== 'addWin' && call.call !== 'wagerWin') return [];
  const { rngCallId } = call.rngResult;
  const type = entryTypeOf(call);
  const isSeen = round.entries.some((one) => {
    return one.type === type && rngCallId !== null && one.info['rngCallId'] === rngCallId;
  });
  return isSeen ? ['rngCallIdTwice'] : [];
}

function entryTypeOf({ call }: RoundCall): 'genericwin' | 'wager' | 'spincounter' | null {
  if (call === 'addWin') return 'genericwin';
  if (call === 'wagerWin') return 'wager';
  return call === 'addSpinCounterGameState' ? 'spincounter' : null;
}

function keyOf(transactionId: string | null, rngCallId: string | null): string | null {
  if (transactionId !== null) return `transaction ${transactionId}`;
  return rngCallId === null ? null : `draw ${rngCallId}`;
}

type Part = bigint | number | boolean | string | null;

function drawn({ rngCallId, winAmount }: RngResult): Part[] {
  return [rngCallId, winAmount];
}

function jackpots(payouts: readonly JackpotPayout[]): Part[] {
  return payouts.flatMap(({ jackpotId, jackpotMode }) => [jackpotId, jackpotMode]);
}

function textOf(parts: readonly Part[]): string {
  return JSON.stringify(parts.map((part) => (typeof part === 'bigint' ? `${part}` : part)));
}
