import type { ListedHash } from '../../../lib/rgs/settlement/answer';
import type { RoundReport } from '../../../lib/operator/wallet';
import type { World } from '../world/scheduler';
import type { BookedItem } from './booked-item';
import type { Ending, Kept } from './keeping';
import type { RoundBook } from './round-book';
import { verdictOf } from './verdicts';

/** The refusal where nothing is known of the round (D4.3). */
const notStarted = 'GAMEROUNDNOTSTARTED';

/** What the store has of a round (D10), as far as the service can know it. */
export function keptOf(book: RoundBook): Kept {
  return book.keeping.at(endingOf(book));
}

function endingOf({ state, repairs, first, isVoided }: RoundBook): Ending {
  if (repairs.ids.size > 0) return 'forEver';
  if (state === 'open' || state === 'stranded' || state === 'crashed') return 'forEver';
  if (repairs.isTouched) return 'either';
  return isVoided || first?.isRefused || state === 'closed' ? 'over' : 'either';
}

/**
 * What a reply tells of credits and ends of a round that is forgotten, or may be: they are refused, and never
 * processed again (D10). Where it may still be known they may have the verdict that they had.
 */
export function hearLate(
  world: World,
  book: RoundBook,
  kept: Kept,
  items: readonly BookedItem[],
  listed: readonly ListedHash[],
): void {
  for (const { hash, answer } of listed.map((one) => verdictOf(one))) {
    const item = items.find((one) => one.hash === hash);
    if (item === undefined || [notStarted, ...book.byVoid(item)].includes(answer)) continue;
    if (kept === 'unclear' && answer === item.answer) continue;
    world.fail('D10', `${book.id}: ${hash} is ${answer} though the round is ${kept}`);
  }
  const when = kept === 'forgotten' ? 'after' : 'about the end of';
  world.count(`retention: a call sent again ${when} it`);
}

/** What the store must have of a round in the end: what is kept as it was, and nothing of what is forgotten. */
export function checkKept(world: World, book: RoundBook, stored: RoundReport | null): void {
  const { id, state: must } = book;
  const kept = keptOf(book);
  const state = stored?.head.state ?? 'none';
  if (kept === 'unclear') return;
  if (kept === 'kept') {
    if (must === null || state === must) return;
    return world.fail('the state of a round', `${id} is ${state}, and must be ${must}`);
  }
  // What came later began another one: refusals, and voids of what is not known.
  world.count('retention: a round forgotten');
  const isAnother = state === 'none' || state === 'voided';
  if (!isAnother) world.fail('D10', `${id} is ${state}, and its retention is over`);
}
