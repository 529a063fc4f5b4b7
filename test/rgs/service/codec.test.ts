import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { JournalEvent } from '../../../lib/rgs/journal/port';
import { decode, encode, type ServiceEvent } from '../../../lib/rgs/service/state/event-shape';
import { ownedRound } from '../../../lib/rgs/service/state/round-shape';
import { UnreadableEventError } from '../../../lib/rgs/service/state/shape';
import type { JsonObject, JsonValue } from '../../../lib/protocol/json/parse';
import { round, serviceEvents } from './arbitrary';

const anyEvent: fc.Arbitrary<ServiceEvent> = fc.oneof(...Object.values(serviceEvents));

/** As a journal keeps it and gives it back. */
const kept = (event: ServiceEvent): JournalEvent => JSON.parse(JSON.stringify(encode(event)));

describe('the journal keeps events as JSON (B4)', () => {
  test.each(Object.keys(serviceEvents) as ServiceEvent['type'][])(
    'an event of type %s is read back as it was written',
    (type) => {
      fc.assert(
        fc.property(serviceEvents[type], (event) => {
          expect(decode(kept(event))).toEqual(event);
        }),
        { numRuns: 60 },
      );
    },
  );

  test('a round at rest is read back as it was written', () => {
    fc.assert(
      fc.property(round, ({ owner, ...owned }) => {
        const read = ownedRound.read(ownedRound.write(owned), 'round');
        expect({ owner, ...read }).toEqual({ owner, ...owned });
      }),
      { numRuns: 60 },
    );
  });

  test('a round that is packed for its rest is unpacked as it was', () => {
    fc.assert(
      fc.property(round, ({ owner, ...owned }) => {
        const packed = JSON.parse(JSON.stringify(ownedRound.pack(owned))) as JsonValue;
        expect({ owner, ...ownedRound.unpack(packed) }).toEqual({ owner, ...owned });
      }),
      { numRuns: 60 },
    );
  });

  test('packed rounds take less than two thirds of their JSON', () => {
    const rounds = fc.sample(round, { numRuns: 100, seed: 7 });
    const packed = JSON.stringify(rounds.map((one) => ownedRound.pack(one)));
    const written = JSON.stringify(rounds.map((one) => ownedRound.write(one)));
    expect(packed.length).toBeLessThan((2 * written.length) / 3);
  });

  test('an event that lacks a member, or has one more, is refused by its place', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        for (const place of placesOf(kept(event), new Set(['info', 'protectedInfo', 'options']))) {
          const damaged = kept(event);
          delete objectAt(damaged, place.slice(0, -1))[place.at(-1) ?? ''];
          expect(() => decode(damaged)).toThrow(UnreadableEventError);
        }
        expect(() => decode({ ...kept(event), further: 1 })).toThrow(UnreadableEventError);
      }),
      { numRuns: 10 },
    );
  });

  test.each<[string, JournalEvent]>([
    ['an unknown type', { type: 'noSuchType' }],
    ['a number for an amount', taken(5)],
    ['an amount with a leading zero', taken('05')],
    ['an amount with a fraction', taken('5.0')],
    ['an empty amount', taken('')],
    ['a null amount', taken(null)],
  ])('%s is refused', (_, event) => {
    expect(() => decode(event)).toThrow(UnreadableEventError);
  });
});

/** A collected credit, with this as its amount. */
function taken(amount: JsonValue): JournalEvent {
  const due = { type: 'credit', hash: 'c', at: 1, reason: 'win', amount, currency: 'EUR' };
  const credit = { due, key: null, content: '', state: 'due' };
  const event = { type: 'collected', at: 1, credit };
  return { type: 'round', gameProviderId: 'studio', gameRound: 'R', event };
}

/** Every member of every object in a value, but for maps. */
function placesOf(value: JsonValue, maps: ReadonlySet<string>, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const place = [...path, key];
    const below = maps.has(key) ? [] : placesOf(member, maps, place);
    return Array.isArray(value) ? below : [place, ...below];
  });
}

function objectAt(value: JsonValue, place: readonly string[]): JsonObject {
  return place.reduce<JsonValue>((at, key) => (at as JsonObject)[key] ?? null, value) as JsonObject;
}
