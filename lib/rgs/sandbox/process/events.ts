import { ownText } from '../../../platform/own-text';
import { type Journal, type JournalEvent, writeEvent } from '../../journal';
import { maskTokens } from '../wire/mask';

/** An event of a round, as the journal keeps it. */
interface KeptEvent {
  /** The number of the latest call on the wire when it happened. */
  readonly behind: number;
  /** Milliseconds of the service's clock. */
  readonly at: number;
  readonly type: string;
  /** JSON text; tokens are masked. */
  readonly event: string;
}

/** The latest events of the journal, by round. */
export interface EventLog {
  /** The journal, with every event in the log. */
  follow(journal: Journal): Journal;
  about(gameRound: string): readonly KeptEvent[];
}

/** Rounds whose events are kept: twice those of which the wire still has the calls, where a round has four. */
const maxRounds = 5_000;

/** Characters of events that are kept; beyond that, the rounds recorded first are dropped. */
const usualLength = 16 * 1024 * 1024;

/** An empty log. */
export function createEventLog(
  now: () => number,
  behind: () => number,
  maxLength = usualLength,
): EventLog {
  const byRound = new Map<string, KeptEvent[]>();
  let length = 0;
  const isFull = (): boolean =>
    byRound.size > 1 && (byRound.size > maxRounds || length > maxLength);
  const dropOldest = (): void => {
    for (const [oldest, events] of byRound) {
      for (const { event } of events) length -= event.length;
      byRound.delete(oldest);
      return;
    }
  };
  const note = (event: JournalEvent): void => {
    const { gameRound } = event;
    if (typeof gameRound !== 'string') return;
    const known = byRound.get(gameRound);
    const events = known ?? [];
    const text = writeEvent(event);
    events.push({ behind: behind(), at: now(), type: typeOf(event), event: text });
    if (known === undefined) byRound.set(ownText(gameRound), events);
    length += text.length;
    while (isFull()) dropOldest();
  };
  return {
    follow: (journal) => ({
      append(events) {
        for (const event of events) note(event);
        return journal.append(events);
      },
      replay: () => journal.replay(),
      compact: (snapshot) => journal.compact(snapshot),
      needsCompaction: () => journal.needsCompaction(),
      close: () => journal.close(),
    }),
    about: (gameRound) =>
      (byRound.get(gameRound) ?? []).map((kept) => ({ ...kept, event: maskTokens(kept.event) })),
  };
}

/** The change of a round by its own name, such as `settled`. */
function typeOf({ type, event }: JournalEvent): string {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return type;
  const inner = event['type' as keyof typeof event] as unknown;
  return typeof inner === 'string' ? inner : type;
}

/** The rounds that have left the service by their age (B4, E19.1), as far as the journal still names them. */
interface Forgotten {
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
