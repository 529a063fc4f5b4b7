import { type RoundHead, type RoundState, unseenRound } from '../../gameround';
import type { Purse } from '../../money';
import { decodePending } from '../pending-codec';

const letters: Readonly<Record<RoundState, string>> = {
  none: 'n',
  open: 'o',
  closed: 'c',
  cancelled: 'x',
  voided: 'v',
  stranded: 's',
  crashed: 'k',
};
const states = new Map(Object.entries(letters).map(([state, letter]) => [letter, state]));

/** The letter that a state is stored as. */
export function stateLetter(state: RoundState): string {
  return letters[state];
}

/** The state that a letter stands for. */
export function stateOf(letter: string): RoundState {
  const state = states.get(letter);
  if (state === undefined)
    throw new Error('A stored round has a state that this version does not know.');
  return state as RoundState;
}

/** A head as stored, but for its sums, which the script appends. */
export function encodeHead(head: RoundHead): string {
  const { started, credited, declined } = head;
  const flags = (started ? 1 : 0) + (credited ? 2 : 0) + (declined ? 4 : 0);
  return [
    head.version,
    letters[head.state],
    letters[head.resume],
    flags,
    head.unanswered,
    head.changedAt.toString(36),
    head.currency ?? '',
  ].join(' ');
}

/** The sums of a head in the order of the script: debits real and bonus, credits real and bonus. */
export function encodeSums({ debits, credits }: RoundHead): string[] {
  return [debits.real, debits.bonus, credits.real, credits.bonus].map(String);
}

/** The head that was stored; an unseen round where nothing was. */
export function decodeHead(
  text: string | null,
  gameCode: string | null,
  pending: string | null,
): RoundHead {
  if (text === null) return unseenRound;
  const [version, state, resume, flags, unanswered, changedAt, currency, ...sums] = text.split(' ');
  const bits = Number(flags);
  return {
    version: Number(version),
    state: stateOf(state ?? ''),
    resume: stateOf(resume ?? ''),
    changedAt: Number.parseInt(changedAt ?? '', 36),
    currency: currency === '' || currency === undefined ? null : currency,
    gameCode,
    started: (bits & 1) !== 0,
    credited: (bits & 2) !== 0,
    declined: (bits & 4) !== 0,
    unanswered: Number(unanswered),
    debits: purseOf(sums[0], sums[1]),
    credits: purseOf(sums[2], sums[3]),
    pending: pending === null ? null : decodePending(pending),
  };
}

/** A purse from two stored numbers. */
export function purseOf(real: string | undefined, bonus: string | undefined): Purse {
  return { real: BigInt(real ?? 0), bonus: BigInt(bonus ?? 0) };
}
