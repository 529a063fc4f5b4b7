import { type RoundHead, type RoundState, roundStates, unseenRound } from '../../../gameround';
import type { Purse } from '../../../../protocol/money/purse';
import type { ListedRound } from '../../../wallet';
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
  const end = text.indexOf(' ');
  return { version: Number(text.slice(0, end)), state: stateOf(text.charAt(end + 1)) };
}

/** The stored head; an unseen round if nothing was stored. */
export function decodeHead(
  text: string | null,
  gameCode: string | null,
  pending: string | null,
): RoundHead {
  if (text === null) return unseenRound;
  const parts = text.split(' ');
  const flags = parts[1] ?? '';
  const noted = parts[5] ?? '';
  const currency = parts[7] ?? '';
  const [declined] = noted === '' ? nothingNoted : noted.split('#');
  const head: RoundHead = {
    version: Number(parts[0]),
    state: stateOf(flags.charAt(0)),
    resume: stateOf(flags.charAt(1)),
    changedAt: decodeTime(parts[6]),
    currency: currency === '' ? null : currency,
    gameCode,
    started: flags.charAt(2) === '1',
    credited: Number(parts[2]),
    ended: Number(parts[3]),
    declined: declined === '' || declined === undefined ? null : unpackHash(declined),
    unanswered: Number(parts[4]),
    debits: purseOf(parts[8], parts[9]),
    credits: purseOf(parts[10], parts[11]),
    pending: pending === null ? null : decodePending(pending),
  };
  return withRare(head, noted, parts[12]);
}

/** Of a stored head, what a list needs: thousands are read for a page. */
export function decodeListedHead(text: string, gameCode: string | null): ListedRound['head'] {
  const parts = text.split(' ');
  const currency = parts[7] ?? '';
  const head = {
    version: Number(parts[0]),
    state: stateOf((parts[1] ?? '').charAt(0)),
    changedAt: decodeTime(parts[6]),
    currency: currency === '' ? null : currency,
    gameCode,
    debits: purseOf(parts[8], parts[9]),
    credits: purseOf(parts[10], parts[11]),
  };
  return withRare(head, parts[5] ?? '', parts[12]);
}

const nothingNoted: readonly string[] = [];

/** Adds what few heads have. */
function withRare<Head extends Pick<RoundHead, 'version'>>(
  head: Head,
  noted: string,
  repairs: string | undefined,
): Head {
  const stuckBy = noted.includes('#') ? noted.slice(noted.indexOf('#') + 1) : undefined;
  if (repairs === undefined && stuckBy === undefined) return head;
  return Object.assign(head, {
    ...(stuckBy !== undefined && { stuckBy: unpackHash(stuckBy) }),
    ...(repairs !== undefined && {
      repairs: decodeRepairs(Buffer.from(repairs, 'base64url').toString()),
    }),
  });
}

/** A purse from two stored numbers. */
function purseOf(real: string | undefined, bonus: string | undefined): Purse {
  return { real: unitsIn(real), bonus: unitsIn(bonus) };
}

/** Most are zero, which is made faster so. */
function unitsIn(text: string | undefined): bigint {
  return text === undefined || text === '0' ? 0n : BigInt(text);
}
