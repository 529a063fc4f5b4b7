import type { Journal, JournalEvent } from '../../journal';

/** The rounds that have left the service by their age (B4, E19.1), as far as the journal still names them. */
export interface Forgotten {
  /** The journal, with every round that leaves. */
  follow(journal: Journal): Journal;
  readonly ids: ReadonlySet<string>;
}

/** @param onForget Is called while the service still has the round. */
export function createForgotten(
  onForget: (gameProviderId: string, gameRound: string) => void,
): Forgotten {
  const ids = new Set<string>();
  return {
    follow: (journal) => ({
      async append(events) {
        await journal.append(events);
        for (const [gameProviderId, gameRound] of events.flatMap(idsOf)) {
          ids.add(gameRound);
          onForget(gameProviderId, gameRound);
        }
      },
      async *replay() {
        for await (const event of journal.replay()) {
          for (const [, gameRound] of idsOf(event)) ids.add(gameRound);
          yield event;
        }
      },
      compact: (snapshot) => journal.compact(snapshot),
      needsCompaction: () => journal.needsCompaction(),
      close: () => journal.close(),
    }),
    ids,
  };
}

/** The provider and the id of the round that leaves; empty for every other event. */
function idsOf({ type, gameProviderId, gameRound }: JournalEvent): readonly [string, string][] {
  const isOne = typeof gameProviderId === 'string' && typeof gameRound === 'string';
  return type === 'roundForgotten' && isOne ? [[gameProviderId, gameRound]] : [];
}
