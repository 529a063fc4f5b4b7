import { type CallOptions, InvalidRequestError } from '../../protocol/client';
import type { RoundReply } from '../../protocol/engine-api';
import { type InquiryParts, isUnknown } from '../recovery/inquiry';
import { type LastSeen, lastSeenOf, type LostCall } from '../recovery/lost';
import { recover } from '../recovery/recover';
import { errorOf, type GameRound } from './round';
import { type TransactionKind, transactionIdOf } from './ids';
import { bet, type CallContext, spins, wager, win } from './requests';

/** A call before it is sent: what it would be if its reply were lost, and how it is sent. */
interface Planned {
  readonly lost: LostCall;
  readonly send: () => Promise<RoundReply>;
}

/**
 * A round as an object (S2): keeps the last reply, the ids and the order of the calls.
 * @param firstNumber The number of the next id of a kind: above every one that the round shows.
 */
export function playedRound(
  parts: InquiryParts,
  opened: RoundReply,
  firstNumber: (kind: TransactionKind) => number,
): GameRound {
  const id = opened.gameRoundInfo.hash;
  const used = new Map<TransactionKind, number>();
  const spinsAvailable = new Map<string, number>();
  let state = opened;
  let lost: LostCall | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  const newId = (kind: TransactionKind): string => {
    const nth = used.get(kind) ?? firstNumber(kind);
    used.set(kind, nth + 1);
    return transactionIdOf(id, kind, nth);
  };
  const context = (): CallContext => {
    const { currentToken: token, currency } = state.tokenData;
    return { token, gameRound: id, currency, newId };
  };

  /** Calls are made one after the other; a failed one does not hold up the next. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };

  const keep = (call: LostCall, reply: RoundReply): RoundReply => {
    state = reply;
    if (call.call === 'spin' && reply.spinsAvailable !== null) {
      spinsAvailable.set(call.request.counterType, reply.spinsAvailable);
    }
    return reply;
  };

  const settle = async (
    unsettled: LostCall,
    signal: AbortSignal | undefined,
  ): Promise<RoundReply> => {
    const { currentToken: token } = state.tokenData;
    const last = lastBefore(unsettled, state, spinsAvailable);
    const options = signal === undefined ? {} : { signal };
    const given = { token, gameRound: id, lost: unsettled, last };
    const recovery = await recover(parts, given, options);
    if (recovery.kind !== 'unclear') lost = null;
    if (recovery.kind === 'done') return keep(unsettled, recovery.round);
    if (recovery.kind === 'undone') {
      state = recovery.round;
      if (unsettled.call === 'void') return state;
    }
    throw errorOf(id, recovery);
  };

  const perform = (plan: () => Planned, options: CallOptions | undefined): Promise<RoundReply> =>
    inTurn(async () => {
      if (lost !== null) throw inDoubt(lost);
      const planned = plan();
      try {
        return keep(planned.lost, await planned.send());
      } catch (error) {
        if (!isUnknown(error)) throw error;
        lost = { ...planned.lost, error };
        return settle(lost, options?.signal);
      }
    });

  const { call } = parts;
  return Object.freeze<GameRound>({
    id,
    get state() {
      return state;
    },
    get lost() {
      return lost;
    },
    addBet: (given, options) =>
      perform(() => {
        const request = bet(context(), given);
        const send = () => call('startGameOrAddBet', request, options);
        return { lost: { call: 'addBet', request }, send };
      }, options),
    addWin: (given, options) =>
      perform(() => {
        const request = win(context(), given);
        return { lost: { call: 'addWin', request }, send: () => call('addWin', request, options) };
      }, options),
    wager: (given, options) =>
      perform(() => {
        const request = wager(context(), given);
        const send = () => call('wagerWin', request, options);
        return { lost: { call: 'wagerWin', request }, send };
      }, options),
    spins: (given, options) =>
      perform(() => {
        const request = spins(context(), given);
        const send = () => call('addSpinCounterGameState', request, options);
        return { lost: { call: 'spin', request }, send };
      }, options),
    end: (options) =>
      perform(() => {
        const { token, gameRound } = context();
        const request = { token, gameRound, externalGameProviderTransactionId: newId('end') };
        const send = () => call('endGameRound', request, options);
        return { lost: { call: 'end', request }, send };
      }, options),
    void: ({ bet: nth } = {}, options) =>
      perform(() => {
        const { token, gameRound } = context();
        const which =
          nth === undefined
            ? {}
            : { externalGameProviderTransactionId: transactionIdOf(id, 'bet', nth) };
        const request = { token, gameRound, ...which };
        const send = () => call('voidGameRound', request, options);
        return { lost: { call: 'void', request }, send };
      }, options),
    recover: ({ signal } = {}) =>
      inTurn(async () => (lost === null ? state : settle(lost, signal))),
  });
}

/** What was known before the lost call: the last reply, and the counter of a lost spin. */
function lastBefore(
  lost: LostCall,
  state: RoundReply,
  spinsAvailable: ReadonlyMap<string, number>,
): LastSeen {
  const last = lastSeenOf(state);
  if (lost.call !== 'spin') return last;
  return { ...last, spinsAvailable: spinsAvailable.get(lost.request.counterType) ?? null };
}

function inDoubt({ call }: LostCall): InvalidRequestError {
  const problem = `has a lost ${call} with an unknown outcome: call recover() first`;
  return new InvalidRequestError('round', 'the round', problem);
}
