import { type Random, wholeBelow } from '../../../../platform/random';
import { type Command, maxParts, type Part, type PartKind } from './command';
import { beginning, callOf, type ReferenceState, stateAfter } from './compose';
import { voidedBeforeDebit, debitsOf, type ReferenceRound, type Ruling } from './reference';

/** How often a step is generated. */
const shapes: readonly (readonly [weight: number, parts: readonly PartKind[]])[] = [
  [10, ['first']],
  [3, ['firstTooHigh']],
  [3, ['first', 'credit']],
  [3, ['first', 'credit', 'end']],
  [2, ['first', 'followUpTooHigh']],
  [2, ['first', 'followUpTooHigh', 'credit']],
  [2, ['firstTooHigh', 'credit']],
  [7, ['followUp']],
  [4, ['followUpTooHigh']],
  [3, ['followUp', 'credit']],
  [2, ['followUp', 'followUpTooHigh']],
  [2, ['followUpTooHigh', 'credit']],
  [9, ['credit']],
  [3, ['credit', 'credit']],
  [3, ['credit', 'end']],
  [5, ['end']],
];

const maxSteps = 12;
const minSteps = 4;
/** Attempts to find a step that the specification says something about. */
const maxAttempts = 10;
const maxHalfStakes = 4;

/** Enough for any stake, and a balance of many of them. */
const [stake, balance] = [2n, 1000n];

/** A random history. The same numbers make the same one. */
export function randomHistory(random: Random): readonly Command[] {
  const count = minSteps + wholeBelow(random, maxSteps - minSteps + 1);
  const commands: Command[] = [];
  let state = beginning(balance, stake);
  for (let attempts = 0; attempts < count * maxAttempts && commands.length < count; attempts += 1) {
    const command = randomCommand(random, state, commands.length + 1);
    const call = command === null ? null : callOf(state, command);
    if (command === null || call === null) continue;
    const isPlainRefusal = call.moves.every((one) => isRefused(one) && !one.isKnown);
    // Most of what is sent to a round that is over is refused: rarely is enough.
    if (isPlainRefusal && isOver(state.rounds[call.round]) && wholeBelow(random, 5) > 0) continue;
    commands.push(command);
    state = stateAfter(
      state,
      call,
      call.moves.map(({ expected }) => expected !== 'refused'),
    );
  }
  return commands;
}

/** Null if there is nothing yet that it could refer to. */
function randomCommand(random: Random, state: ReferenceState, at: number): Command | null {
  const round = wholeBelow(random, 5) < 3 ? 0 : 1;
  const kind = wholeBelow(random, 100);
  if (kind < 55) return { at, kind: 'send', round, parts: randomParts(random) };
  if (kind < 65) {
    const of = lately(random, debitsOf(state.rounds[round]))?.name;
    return of === undefined ? null : { at, kind: 'void', round, of };
  }
  if (kind < 68) return { at, kind: 'voidEarly', round };
  if (kind < 75) {
    const of = lately(random, voidedBeforeDebit(state.rounds[round]));
    return of === undefined ? null : { at, kind: 'lateDebit', round, of };
  }
  // A refusal that is forgotten shows only when the balance has risen since.
  const refused = state.calls.filter(({ moves }) => moves.some(isRefused));
  const of = lately(random, wholeBelow(random, 3) === 0 ? refused : state.calls)?.at;
  if (of === undefined || of === null) return null;
  const isWhole = wholeBelow(random, 3) > 0;
  const [from, count] = isWhole ? [0, maxParts] : [wholeBelow(random, 3), 1];
  return { at, kind: 'resend', of, from, count };
}

function isOver({ state }: ReferenceRound): boolean {
  return state === 'ended' || state === 'declined' || state === 'voided';
}

function isRefused({ expected }: Ruling): boolean {
  return expected === 'refused';
}

/** One of the latest of a list. */
function lately<T>(random: Random, list: readonly T[]): T | undefined {
  return list[list.length - 1 - wholeBelow(random, Math.min(list.length, 5))];
}

function randomParts(random: Random): readonly Part[] {
  const sum = shapes.reduce((total, [weight]) => total + weight, 0);
  let at = wholeBelow(random, sum);
  const [, kinds] = shapes.find(([weight]) => (at -= weight) < 0) ?? [1, ['first' as const]];
  return kinds.map((kind) => ({ kind, halfStakes: 1 + wholeBelow(random, maxHalfStakes) }));
}
