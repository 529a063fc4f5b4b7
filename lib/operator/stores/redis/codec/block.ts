import type { BlockRecord } from '../../../wallet';
import type { CheckedBlock } from '../../check-input';
import { unreadable } from '../../codec/record';
import { decodeTime, encodeTime } from './time';

/** An order as block-player.lua is given it. */
export function encodeBlock({ blocked, by, reason }: CheckedBlock, at: number) {
  const letter = blocked ? '1' : '0';
  const texts = [by?.id ?? '', by?.name ?? '', reason ?? ''];
  const content = [letter, ...texts.map(encodeURIComponent)].join(' ');
  return { blocked: letter, content, time: encodeTime(at) };
}

/** A stored record: "1" or "0", id and name of the person, reason, time. @throws Error for any other text. */
export function decodeBlock(text: string): BlockRecord {
  const [letter, id, name, reason, at] = text.split(' ');
  if (at === undefined || (letter !== '1' && letter !== '0')) throw unreadable('block', text);
  return {
    blocked: letter === '1',
    at: decodeTime(at),
    by: id === '' ? null : { id: decoded(id), name: name === '' ? null : decoded(name) },
    reason: reason === '' ? null : decoded(reason),
  };
}

function decoded(text = ''): string {
  return decodeURIComponent(text);
}
