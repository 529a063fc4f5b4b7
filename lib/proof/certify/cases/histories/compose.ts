import type { Command, Part, RoundNumber } from './command';
import {
  voidedBeforeDebit,
  debitsOf,
  firstDebitOf,
  type Move,
  netOf,
  newRound,
  type ReferenceRound,
  roundAfter,
  type Ruling,
  rulingOn,
} from './reference';

/** A call of a history, and what must come of each of its transactions. */
export interface PlannedCall {
  /** Number of its step; null of a void that the certifier adds. */
  readonly at: number | null;
  readonly round: RoundNumber;
  readonly moves: readonly PlannedMove[];
}

/** A transaction of a call. */
export interface PlannedMove extends Ruling {
  readonly move: Move;
  /** Whether it was sent before. */
  readonly isKnown: boolean;
  /** Whether a credit or an end follows it. */
  readonly isFollowed: boolean;
}

/** What the reference knows after the calls so far. */
export interface ReferenceState {
  readonly rounds: readonly [ReferenceRound, ReferenceRound];
  /** Calls so far, the latest last. */
  readonly calls: readonly PlannedCall[];
  /** The player's balance before the history, in units. */
  readonly start: bigint;
  /** The usual debit, in units. */
  readonly stake: bigint;
}

/** Most stakes that a history has at risk at one time. */
const maxStakes = 6n;

/** Before the first call. */
export function beginning(start: bigint, stake: bigint): ReferenceState {
  return { rounds: [newRound, newRound], calls: [], start, stake };
}

/** What the player must have now, in units. */
export function balanceOf({ start, rounds }: ReferenceState): bigint {
  return start + netOf(rounds[0]) + netOf(rounds[1]);
}

/** The call that a step makes of this state; null if the specification does not say what must come of it. */
export function callOf(state: ReferenceState, command: Command): PlannedCall | null {
  const { at, kind } = command;
  switch (kind) {
    case 'send':
      return newCall(state, command);
    case 'void': {
      const { round, of } = command;
      const debit = debitsOf(state.rounds[round]).find(({ name }) => name === of);
      return debit === undefined ? null : planned(state, { at, round }, [voidMove(debit)]);
    }
    case 'voidEarly': {
      const { round } = command;
      const isFirst = state.rounds[round].state === 'none';
      const debit: Move = { type: 'debit', name: nameOf(command), isFirst, amount: state.stake };
      return planned(state, { at, round }, [voidMove(debit)]);
    }
    case 'lateDebit': {
      const { round, of: name } = command;
      if (!voidedBeforeDebit(state.rounds[round]).includes(name)) return null;
      const isFirst = state.rounds[round].state === 'awaited';
      return planned(state, { at, round }, [{ type: 'debit', name, isFirst, amount: state.stake }]);
    }
    case 'resend': {
      const { of, from, count } = command;
      const call = state.calls.find((one) => one.at === of);
      if (call === undefined) return null;
      const moves = call.moves.map(({ move }) => move).slice(from, from + count);
      return planned(state, { at, round: call.round }, moves);
    }
  }
}

/** The state after a call; `processed` says which of its transactions the wallet processed. */
export function stateAfter(
  state: ReferenceState,
  call: PlannedCall,
  processed: readonly boolean[],
): ReferenceState {
  let round = state.rounds[call.round];
  for (const [at, { move, isFollowed }] of call.moves.entries()) {
    round = roundAfter(round, move, processed[at] === true, isFollowed);
  }
  const [first, second] = state.rounds;
  const rounds = call.round === 0 ? ([round, second] as const) : ([first, round] as const);
  return { ...state, rounds, calls: [...state.calls, call] };
}

/** Voids that give back what a round still holds. */
export function givingBack(state: ReferenceState, round: RoundNumber): PlannedCall | null {
  const first = firstDebitOf(state.rounds[round]);
  const isOver = ['none', 'awaited', 'declined', 'voided'].includes(state.rounds[round].state);
  return first === undefined || isOver
    ? null
    : planned(state, { at: null, round }, [voidMove(first.move)]);
}

/** The voids of the new debits of a call that was answered 5xx, as the service sends them. */
export function voidsAfter(state: ReferenceState, call: PlannedCall): PlannedCall | null {
  const debits = call.moves.filter(({ move, isKnown }) => move.type === 'debit' && !isKnown);
  const voids = debits.map(({ move }) => voidMove(move));
  return planned(state, { at: null, round: call.round }, voids);
}

function newCall(
  state: ReferenceState,
  command: Extract<Command, { kind: 'send' }>,
): PlannedCall | null {
  const { at, round, parts } = command;
  const tooHigh = balanceOf(state) + state.stake / 2n;
  const moves = parts.map(({ kind, halfStakes }, index): Move => {
    const name = nameOf(command) + (parts.length > 1 ? 'abcdefghi'.charAt(index) : '');
    const amount = (state.stake * BigInt(halfStakes)) / 2n;
    switch (kind) {
      case 'first':
      case 'followUp':
        return { type: 'debit', name, isFirst: kind === 'first', amount };
      case 'firstTooHigh':
      case 'followUpTooHigh':
        return { type: 'debit', name, isFirst: kind === 'firstTooHigh', amount: tooHigh };
      case 'credit':
        return { type: 'credit', name, isFirst: false, amount };
      case 'end':
        return { type: 'end', name, isFirst: false, amount: 0n };
    }
  });
  const call = planned(state, { at, round }, moves);
  return call === null || isTooRisky(state, call) || isMeantAffordable(parts, call) ? null : call;
}

/** Rules each transaction as if the wallet processed all those before that it may process. */
function planned(
  state: ReferenceState,
  where: Pick<PlannedCall, 'at' | 'round'>,
  moves: readonly Move[],
): PlannedCall | null {
  let round = state.rounds[where.round];
  const before = balanceOf(state) - netOf(round);
  const list: PlannedMove[] = [];
  for (const [at, move] of moves.entries()) {
    const ruling = rulingOn(round, move, before + netOf(round));
    if (ruling === null) return null;
    const isKnown = round.known.has(move.name);
    const isFollowed = moves.slice(at + 1).some(({ type }) => type === 'credit' || type === 'end');
    const isSure = !list.some(({ expected }) => expected === 'either' || expected === 'unmoved');
    // After one that may be refused nothing new is specified; a known one moves nothing, and no more is specified.
    if (!isSure && !isKnown) return null;
    const expected = isSure || ruling.expected === 'refused' ? ruling.expected : 'unmoved';
    list.push({ ...ruling, expected, move, isKnown, isFollowed });
    round = roundAfter(round, move, ruling.expected !== 'refused', isFollowed);
  }
  if (list.length === 0 || !isSpecified(list)) return null;
  const lastRefused = list.findLastIndex(({ expected }) => expected === 'refused');
  // A wallet may process what stands before a failure, or take the call as a whole: hashesProcessed decides.
  return {
    ...where,
    moves: list.map((one, at) => (at < lastRefused ? beforeFailure(one) : one)),
  };
}

function beforeFailure(one: PlannedMove): PlannedMove {
  if (one.expected !== 'processed') return one;
  return { ...one, expected: one.isKnown ? 'unmoved' : 'either' };
}

/** After a failure only credits are specified; before it, no credit and no end. */
function isSpecified(list: readonly PlannedMove[]): boolean {
  const first = list.findIndex(({ expected }) => expected === 'refused');
  if (first < 0) return true;
  const isAllRefused = list.every(({ expected }) => expected === 'refused');
  const isBehindFine = list.slice(first).every(({ expected }) => expected === 'refused');
  const isBeforeFine = list.slice(0, first).every(({ move }) => move.type === 'debit');
  return isAllRefused || (isBehindFine && isBeforeFine);
}

function isTooRisky(state: ReferenceState, { moves }: PlannedCall): boolean {
  const taken = moves
    .filter(({ move, expected }) => move.type === 'debit' && expected !== 'refused')
    .reduce((sum, { move }) => sum + move.amount, 0n);
  const risked = state.start - balanceOf(state) + taken;
  return taken > 0n && risked > maxStakes * state.stake;
}

/** A debit that was meant to be affordable is not sent to a player who is short of money. */
function isMeantAffordable(parts: readonly Part[], { moves }: PlannedCall): boolean {
  return parts.some(({ kind }, at) => {
    const { expected, rule } = moves[at] ?? {};
    const isPlain = kind === 'first' || kind === 'followUp';
    return isPlain && expected === 'refused' && rule === '4.1, rule 1';
  });
}

function nameOf({ round, at }: { readonly round: RoundNumber; readonly at: number }): string {
  return `${letterOf(round)}${at}`;
}

function voidMove(debit: Move): Move {
  return { ...debit, type: 'void' };
}

/** The name of a round in a report. */
export function letterOf(round: RoundNumber): 'A' | 'B' {
  return round === 0 ? 'A' : 'B';
}
