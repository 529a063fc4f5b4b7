import type { LimitRecord, LimitTerms } from '../../../wallet';
import type { CheckedLimit } from '../../check-restrictions';
import { decodeChangedTerms, encodeChangedTerms } from '../../codec/limits';
import { unreadable } from '../../codec/record';
import type { LimitMoment } from '../../../wallet/limits/moment';
import type { WindowNumbers } from '../../../wallet/limits/windows';
import { decodePerson, encodePerson } from './block';
import { decodeTime, encodeTime } from './time';

/** The moment of a commit or a deposit, as limits/count.lua reads it. */
export function encodeMoment({ now, zones, takenBack }: LimitMoment) {
  const moment = zones.map((one) => `${one.zone} ${one.now.join(' ')}\n`).join('');
  const back = takenBack.map(({ currency, debits, credits, at: movedAt }, at) => {
    const units = [debits.real, debits.bonus, credits.real, credits.bonus, movedAt];
    const times = zones.map(({ takenBack: numbers }) => (numbers[at] as WindowNumbers).join(' '));
    return [currency, ...units, ...times].join(' ');
  });
  return { now: String(now), moment, back: back.join('\n') };
}

/** The zones that a script asks the moment in; null for any other reply. */
export function zonesAsked(reply: unknown): string[] | null {
  const text = Array.isArray(reply) && reply.length === 1 ? (reply[0] as unknown) : reply;
  if (typeof text !== 'string' || !/^limits(?: |$)/.test(text)) return null;
  return [...new Set(text.split(' ').slice(1))];
}

/** What limits/set.lua records. */
export function encodeLimitChange(terms: LimitTerms, order: CheckedLimit, at: number) {
  const content = [encodeChangedTerms(terms, order.amount), ...encodePerson(order)].join(' ');
  return { content, time: encodeTime(at) };
}

/** A recorded change. @throws Error for anything this version cannot read. */
export function decodeLimitChange(text: string): LimitRecord {
  const words = text.split(' ');
  const [id = '', name = '', reason = '', at] = words.slice(6);
  if (at === undefined) throw unreadable('change of a limit', text);
  const terms = decodeChangedTerms(words.slice(0, 6).join(' '));
  return { ...terms, at: decodeTime(at), ...decodePerson(id, name, reason) };
}
