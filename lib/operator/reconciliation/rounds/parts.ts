import type { EventText } from './event-line';
import type { PlayedRound } from './round';
import { RoundDraft } from './round-draft';
import { parts, type Spool } from './spool';
import type { UnmatchedVoids } from './unmatched-voids';

/**
 * The rounds of a part, from all events of the part. An event that is there twice counts once: every transaction counts
 * once by its hash. A round that moved nothing is left out.
 * @param voids Gets the voids without a debit.
 * @param isRepairEnough Whether to list those that never began and that people paid.
 */
export function roundsOf(
  texts: readonly EventText[],
  voids?: UnmatchedVoids,
  isRepairEnough = false,
): PlayedRound[] {
  const drafts = new Map<string, RoundDraft>();
  const finished: PlayedRound[] = [];
  for (const text of texts) {
    // The length keeps two pairs of ids apart, whatever characters they have.
    const key = `${text[0].length} ${text[0]}${text[1]}`;
    let draft = drafts.get(key);
    if (draft?.isUsedAgainBy(text)) {
      draft.addTo(finished, voids, isRepairEnough);
      draft = undefined;
    }
    if (draft === undefined) drafts.set(key, (draft = RoundDraft.begin(text)));
    draft.add(text);
  }
  for (const draft of drafts.values()) draft.addTo(finished, voids, isRepairEnough);
  return finished;
}

/** All rounds, a part in memory at a time. @param voids Gets the voids without a debit. */
export function* eachRound(
  spool: Spool<EventText>,
  voids?: UnmatchedVoids,
): IterableIterator<PlayedRound> {
  for (let part = 0; part < parts; part++) yield* roundsOf(spool.read(part), voids);
}
