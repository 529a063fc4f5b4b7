import type { CallOptions } from '../../protocol/client/run-call';
import { InvalidRequestError } from '../../protocol/client/errors';
import type { RoundReply } from '../../protocol/engine-api/replies';
import { type InquiryParts, isUnknown } from '../recovery/inquiry';
import { type LastSeen, lastSeenOf, type LostCall, sendCall } from '../recovery/lost';
import { recover } from '../recovery/recover';
import { errorOf, type GameRound } from './round';
import { type TransactionKind, transactionIdOf } from './ids';
import { bet, type CallContext, spins, wager, win } from './requests';

/** A call of a round in play: what it would be if its reply were lost. */
type RoundCall = Exclude<LostCall, { readonly call: 'start' }>;

/** Keeps the last reply, the ids and the order of the calls. */
class Play {
  readonly id: string;
  readonly #used = new Map<TransactionKind, number>();
  readonly #spinsAvailable = new Map<string, number>();
  #state: RoundReply;
  #lost: LostCall | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: InquiryParts,
    opened: RoundReply,
    private readonly firstNumber: (kind: TransactionKind) => number,
  ) {
    this.id = opened.gameRoundInfo.hash;
    this.#state = opened;
  }

  get state(): RoundReply {
    return this.#state;
  }

  get lost(): LostCall | null {
    return this.#lost;
  }

  perform(
    plan: (context: CallContext) => RoundCall,
    options: CallOptions = {},
  ): Promise<RoundReply> {
    return this.#inTurn(async () => {
      if (this.#lost !== null) throw inDoubt(this.#lost);
      const planned = plan(this.#context());
      try {
        const { call } = this.parts;
        return this.#keep(planned, await sendCall(call, planned, planned.request.token, options));
      } catch (error) {
        if (!isUnknown(error)) throw error;
        this.#lost = { ...planned, error };
        return this.#settle(this.#lost, options.signal);
      }
    });
  }

  recover(signal: AbortSignal | undefined): Promise<RoundReply> {
    return this.#inTurn(async () =>
      this.#lost === null ? this.#state : this.#settle(this.#lost, signal),
    );
  }

  #context(): CallContext {
    const { currentToken: token, currency } = this.#state.tokenData;
    return { token, gameRound: this.id, currency, newId: (kind) => this.#newId(kind) };
  }

  #newId(kind: TransactionKind): string {
    const nth = this.#used.get(kind) ?? this.firstNumber(kind);
    this.#used.set(kind, nth + 1);
    return transactionIdOf(this.id, kind, nth);
  }

  /** Calls are made one after the other; a failed one does not hold up the next. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  #keep(call: LostCall, reply: RoundReply): RoundReply {
    this.#state = reply;
    if (call.call === 'spin' && reply.spinsAvailable !== null) {
      this.#spinsAvailable.set(call.request.counterType, reply.spinsAvailable);
    }
    return reply;
  }

  async #settle(lost: LostCall, signal: AbortSignal | undefined): Promise<RoundReply> {
    const { currentToken: token } = this.#state.tokenData;
    const last = lastBefore(lost, this.#state, this.#spinsAvailable);
    const options = signal === undefined ? {} : { signal };
    const recovery = await recover(this.parts, { token, gameRound: this.id, lost, last }, options);
    if (recovery.kind !== 'unclear') this.#lost = null;
    if (recovery.kind === 'done') return this.#keep(lost, recovery.round);
    if (recovery.kind === 'undone') {
      this.#state = recovery.round;
      if (lost.call === 'void') return this.#state;
    }
    throw errorOf(this.id, recovery);
  }
}

/**
 * A round as an object (S2).
 * @param firstNumber The number of the next id of a kind: above every one that the round shows.
 */
export function playedRound(
  parts: InquiryParts,
  opened: RoundReply,
  firstNumber: (kind: TransactionKind) => number,
): GameRound {
  const play = new Play(parts, opened, firstNumber);
  return Object.freeze<GameRound>({
    id: play.id,
    get state() {
      return play.state;
    },
    get lost() {
      return play.lost;
    },
    addBet: (given, options) =>
      play.perform((at) => ({ call: 'addBet', request: bet(at, given) }), options),
    addWin: (given, options) =>
      play.perform((at) => ({ call: 'addWin', request: win(at, given) }), options),
    wager: (given, options) =>
      play.perform((at) => ({ call: 'wagerWin', request: wager(at, given) }), options),
    spins: (given, options) =>
      play.perform((at) => ({ call: 'spin', request: spins(at, given) }), options),
    end: (options) =>
      play.perform(({ token, gameRound, newId }) => {
        const externalGameProviderTransactionId = newId('end');
        return { call: 'end', request: { token, gameRound, externalGameProviderTransactionId } };
      }, options),
    void: ({ bet: nth } = {}, options) =>
      play.perform(({ token, gameRound }) => {
        const which =
          nth === undefined
            ? {}
            : { externalGameProviderTransactionId: transactionIdOf(gameRound, 'bet', nth) };
        return { call: 'void', request: { token, gameRound, ...which } };
      }, options),
    recover: ({ signal } = {}) => play.recover(signal),
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
