import { apply } from '../../../lib/rgs/rounds/apply';
import type { Round } from '../../../lib/rgs/rounds/round';
import type { Desk } from './desk';

/** A round before and after an event of it. */
export type RoundChange = readonly [before: Round | null, after: Round];

/** Every change of every round of a desk, as a replay of its journal has them. */
export function changesOf(desk: Desk): readonly RoundChange[] {
  return [...desk.journal.values()].flatMap((events) => {
    let before: Round | null = null;
    return events.map((event): RoundChange => {
      const change: RoundChange = [before, apply(before, event)];
      before = change[1];
      return change;
    });
  });
}
