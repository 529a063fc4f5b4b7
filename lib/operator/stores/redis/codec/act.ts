import {
  type ActContent,
  type PersonAct,
  type PlayerKey,
  repairAct,
  repairSteppedBy,
  type RoundKey,
} from '../../../wallet';
import type { RoundChange } from '../../../gameround';
import type { CheckedAct } from '../../check-input';
import { unreadable } from '../../codec/record';
import { decodeNoted, isNotedKey } from '../../codec/noted-act';
import { decodeRepair, encodeRepair } from '../../codec/repairs';
import {
  type ActPlace,
  keyOfRepair,
  prefixes,
  readActPlace,
  writeActPlace,
} from '../../lists/act-places';
import { decodeBlock } from './block';
import { decodeMovement } from './cash';
import { decodeLimitChange } from './limits';

/**
 * The place of an act as a script is given it: empty where a program acts. A script adds the number of a record to that of a
 * block or a limit.
 */
export function encodePlace(
  { playerId, by }: PlayerKey & CheckedAct,
  type: 'cash' | 'block' | 'limit',
  at: number,
  reference = '',
): string {
  return by === null ? '' : writeActPlace({ at, playerId, key: `${prefixes[type]}${reference}` });
}

/** What people did by a change of a round, as members of the set of acts with line ends between. */
export function encodeRepairActs(
  round: RoundKey,
  { before, after }: Pick<RoundChange, 'before' | 'after'>,
): string {
  const members = repairSteppedBy(before.repairs, after.repairs).flatMap(({ repair, step }) => {
    const act = repairAct(round, repair, step);
    if (act === null) return [];
    const key = keyOfRepair(round.gameRound, repair.id, step);
    const place = writeActPlace({ at: act.at, playerId: round.playerId, key });
    return [`${place} ${JSON.stringify(encodeRepair(repair))}`];
  });
  return members.join('\n');
}

/** A member of the set of acts, and its place. @throws Error for any other text. */
export function decodePersonAct(
  operatorId: string,
  member: string,
): { readonly act: PersonAct; readonly place: ActPlace } {
  const end = member.indexOf(' ');
  const place = readActPlace(member.slice(0, end));
  if (place === null || end < 0) throw unreadable('act', member);
  const act = actOf(operatorId, place, member.slice(end + 1));
  if (act === null) throw unreadable('act', member);
  return { act, place };
}

function actOf(operatorId: string, place: ActPlace, text: string): PersonAct | null {
  const { playerId, at, key } = place;
  if (isNotedKey(key)) return decodeNoted(operatorId, place, text);
  const player = { operatorId, playerId };
  const letter = key.charAt(0);
  if (letter === prefixes.repair) {
    const [gameRound = '', , step] = key.slice(1).split('#');
    if (step !== 'proposed' && step !== 'approved' && step !== 'rejected') return null;
    return repairAct({ ...player, gameRound }, decodeRepair(JSON.parse(text)), step);
  }
  const { by, reason, ...content } = recordOf(letter, key.slice(1), text);
  return by === null ? null : { ...player, at, by, reason, ...content };
}

function recordOf(letter: string, name: string, text: string): CheckedAct & ActContent {
  if (letter === prefixes.cash) {
    const { kind, reference, currency, balance, units, by, reason } = decodeMovement(name, text);
    return { type: 'cash', kind, reference, currency, balance, units, by, reason };
  }
  if (letter === prefixes.block) {
    const { blocked, until, by, reason } = decodeBlock(text);
    return { type: 'block', blocked, until, by, reason };
  }
  if (letter !== prefixes.limit) throw unreadable('kind of an act', letter);
  const { at: _, by, reason, ...limit } = decodeLimitChange(text);
  return { type: 'limit', limit, by, reason };
}
