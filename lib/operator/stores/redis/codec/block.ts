import type { Actor, BlockRecord } from '../../../wallet';
import type { CheckedAct } from '../../check-input';
import type { CheckedBlock } from '../../check-restrictions';
import { unreadable } from '../../codec/record';
import { decodeTime, encodeTime } from './time';

/** An order as block-player.lua is given it. */
export function encodeBlock({ blocked, until, ...act }: CheckedBlock, at: number) {
  const state = !blocked ? '0' : until === null ? '1' : `1 ${until}`;
  const content = [state.replace(' ', ','), ...encodePerson(act)].join(' ');
  return { blocked: state, content, time: encodeTime(at) };
}

/** A stored record: "1", "1,end" or "0", id and name of the person, reason, time. @throws Error for any other text. */
export function decodeBlock(text: string): BlockRecord {
  const [state = '', id = '', name = '', reason = '', at] = text.split(' ');
  const [, letter, end] = /^([01])(?:,(\d+))?$/.exec(state) ?? [];
  if (at === undefined || letter === undefined) throw unreadable('block', text);
  return {
    blocked: letter === '1',
    until: end === undefined ? null : Number(end),
    at: decodeTime(at),
    ...decodePerson(id, name, reason),
  };
}

/** Id and name of a person, and the reason: texts without spaces, empty for none. */
export function encodePerson({ by, reason }: CheckedAct): string[] {
  return [by?.id ?? '', by?.name ?? '', reason ?? ''].map(encodeURIComponent);
}

/** The person and the reason of {@link encodePerson}. */
export function decodePerson(
  id: string,
  name: string,
  reason: string,
): { readonly by: Actor | null; readonly reason: string | null } {
  return {
    by:
      id === ''
        ? null
        : { id: decodeURIComponent(id), name: name === '' ? null : decodeURIComponent(name) },
    reason: reason === '' ? null : decodeURIComponent(reason),
  };
}
