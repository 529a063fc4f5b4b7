import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type {
  EntryText,
  EventText,
  RepairText,
} from '../../../lib/operator/reconciliation/rounds/event-line';
import type { PlayedRound } from '../../../lib/operator/reconciliation/rounds/round';
import { RoundDraft } from '../../../lib/operator/reconciliation/rounds/round-draft';
import { runs } from '../../support/runs';

const noon = Date.parse('2026-10-25T12:00:00Z');
const hashes = ['first', 'second', 'third', 'a hash of another length', ''];

/** A transaction of any kind and hash: voids before debits, parts after the whole, credits after the end, and all of it twice. */
const entries: fc.Arbitrary<EntryText> = fc.tuple(
  fc.constantFrom('d', 'd', 'u', 'x', 'c', 'r', 'v', 'v'),
  fc.constantFrom(...hashes),
  fc.integer({ min: -3, max: 5 }),
  fc.constantFrom('EUR', 'EUR', 'SEK'),
  fc.constantFrom(0, 1),
  fc.constantFrom(0, 0, 1),
  fc.integer({ min: 0, max: 4 }).map((hours) => noon + hours * 3_600_000),
);

const repairs: fc.Arbitrary<RepairText> = fc.tuple(
  fc.constantFrom('fix-1', 'fix-2'),
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom('EUR', 'SEK'),
  fc.constantFrom(null, 'kim, lou'),
  fc.constantFrom(null, noon, noon + 3_600_000),
);

const events: fc.Arbitrary<EventText> = fc.tuple(
  fc.constant('round-1'),
  fc.constant('ann'),
  // A version that is not the next one is an event that came twice or late; 1 may be an id that is used again.
  fc.integer({ min: 1, max: 6 }),
  fc.integer({ min: 0, max: 4 }).map((hours) => noon + hours * 3_600_000),
  fc.constantFrom(null, 'game-1'),
  fc.constantFrom('open', 'open', 'closed', 'voided', 'stranded', 'cancelled', 'crashed', 'none'),
  fc.constantFrom(0, 0, 0, 1),
  fc.array(entries, { maxLength: 4 }),
  fc.array(repairs, { maxLength: 1 }),
);

/** The rounds of these events, after each of them. @param isKept Whether the draft is kept and restored between any two. */
function played(history: readonly EventText[], isKept: boolean): PlayedRound[][] {
  const over: PlayedRound[] = [];
  let draft: RoundDraft | null = null;
  return history.map((event) => {
    if (draft !== null && isKept) draft = RoundDraft.restore(draft.keep(), event[0], event[1]);
    if (draft?.isUsedAgainBy(event) === true) {
      over.push(...draft.rounds());
      draft = null;
    }
    draft ??= RoundDraft.begin(event, isKept);
    draft.add(event);
    return structuredClone([...over, ...draft.rounds()]);
  });
}

function unnamed(list: PlayedRound['repairs']): object[] {
  return list.map(({ by: _by, ...one }) => one);
}

/** Without what is not kept: the credits one by one, and who repaired. */
function kept(rounds: readonly PlayedRound[]): object[] {
  return rounds.map(({ credits: _credits, refusedCredits: _refused, ...round }) => {
    const { repairs: own, repairsElsewhere } = round;
    return { ...round, repairs: unnamed(own), repairsElsewhere: unnamed(repairsElsewhere) };
  });
}

test('a round that is kept and restored between any two events is the round played in one piece', () => {
  const property = fc.property(fc.array(events, { minLength: 1, maxLength: 8 }), (history) => {
    expect(played(history, true).map(kept)).toEqual(played(history, false).map(kept));
  });
  fc.assert(property, { numRuns: runs(20_000, 300) });
});

test('a round of many transactions counts each once, and its voids', () => {
  const sizes = fc.integer({ min: 1, max: 60 });
  const property = fc.property(sizes, fc.nat(59), (count, voided) => {
    const all = Array.from({ length: count }, (_, at): EntryText => {
      return ['d', `debit-${at}`, at + 1, 'EUR', 0, at === 0 ? 1 : 0, noon];
    });
    const back = (voided % count) + 1;
    const moved = voided % count === 0 ? (count * (count + 1)) / 2 : back;
    const order: EntryText = ['v', `debit-${back - 1}`, moved, '', 0, 0, noon + 1];
    const head = ['round-1', 'ann'] as const;
    const opened: EventText = [...head, 1, noon, 'game-1', 'open', 0, [...all, ...all], []];
    const taken: EventText = [...head, 2, noon + 1, 'game-1', 'open', 0, [order, order], []];
    const bet = BigInt((count * (count + 1)) / 2 - moved);
    for (const isKept of [true, false]) {
      expect(played([opened, taken], isKept).at(-1)).toMatchObject([{ bet, win: 0n }]);
    }
  });
  fc.assert(property, { numRuns: runs(400) });
});
