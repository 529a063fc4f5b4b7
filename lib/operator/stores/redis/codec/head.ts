import { type RoundHead, type RoundState, roundStates, unseenRound } from '../../../gameround';
import type { Purse } from '../../../../protocol/money/purse';
import { decodePending } from '../../codec/pending';
import { unreadable } from '../../codec/record';
import { decodeRepairs, encodeRepairs } from '../../codec/repairs';
import { packHash, unpackHash } from './hash-fields';
import { decodeTime, encodeTime } from './time';

const letters: Readonly<Record<RoundState, string>> = {
  none: 'n',
  open: 'o',
  closed: 'c',
  cancelled: 'x',
  voided: 'v',
  stranded: 's',
  crashed: 'k',
};
const states = new Map(roundStates.map((state) => [letters[state], state]));

/** The letter of a stored state. */
export function stateLetter(state: RoundState): string {
  return letters[state];
}

/** The state of a letter. */
function stateOf(letter: string): RoundState {
  const state = states.get(letter);
  if (state === undefined) throw unreadable('state', letter);
  return state;
}

/** A head as stored, without its sums. The credit that stranded the round follows the declined debit, after a `#`. */
export function encodeHead(head: RoundHead): string {
  const { version, state, resume, credited, ended, unanswered, changedAt, currency } = head;
  const first = `${version} ${letters[state]}${letters[resume]}${head.started ? 1 : 0}`;
  const declined = head.declined === null ? '' : packHash(head.declined);
  const noted = head.stuckBy === undefined ? declined : `${declined}#${packHash(head.stuckBy)}`;
  const counts = `${credited} ${ended} ${unanswered === 0 ? '' : unanswered} ${noted}`;
  return `${first} ${counts} ${encodeTime(changedAt)} ${currency ?? ''}`;
}

/**
 * The repairs of a head as they follow its sums, with the space between; empty without any, so that other
 * heads are as short as before (D11).
 */
export function encodeRepairsTail({ repairs }: RoundHead): string {
  if (repairs === undefined) return '';
  return ` ${Buffer.from(encodeRepairs(repairs)).toString('base64url')}`;
}

/** The version and state of a stored head: all that an event has of it. */
export function decodeVersion(text: string): {
  readonly version: number;
  readonly state: RoundState;
} {
  const [version, stored = ''] = text.split(' ', 2);
  return { version: Number(version), state: stateOf(stored.charAt(0)) };
}

/** The stored head; an unseen round if nothing was stored. */
export function decodeHead(
  text: string | null,
  gameCode: string | null,
  pending: string | null,
): RoundHead {
  if (text === null) return unseenRound;
  const [version, [state, resume, started] = '', credited, ended, ...rest] = text.split(' ');
  const [unanswered, noted = '', changedAt, currency, ...sums] = rest;
  const [declined, stuckBy] = noted === '' ? nothingNoted : noted.split('#');
  const repairs = sums[4];
  const head: RoundHead = {
    version: Number(version),
    state: stateOf(state ?? ''),
    resume: stateOf(resume ?? ''),
    changedAt: decodeTime(changedAt),
    currency: currency === '' || currency === undefined ? null : currency,
    gameCode,
    started: started === '1',
    credited: Number(credited),
    ended: Number(ended),
    declined: declined === '' || declined === undefined ? null : unpackHash(declined),
    unanswered: Number(unanswered),
    debits: purseOf(sums[0], sums[1]),
    credits: purseOf(sums[2], sums[3]),
    pending: pending === null ? null : decodePending(pending),
  };
  if (repairs === undefined && stuckBy === undefined) return head;
  return {
    ...head,
    ...(stuckBy === undefined ? {} : { stuckBy: unpackHash(stuckBy) }),
    ...(repairs === undefined
      ? {}
      : { repairs: decodeRepairs(Buffer.from(repairs, 'base64url').toString()) }),
  };
}

const nothingNoted: readonly string[] = [];

/** A purse from two stored numbers. */
function purseOf(real: string | undefined, bonus: string | undefined): Purse {
  return { real: BigInt(real ?? 0), bonus: BigInt(bonus ?? 0) };
}
