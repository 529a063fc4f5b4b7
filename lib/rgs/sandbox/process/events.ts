import { ownText } from '../../../platform/own-text';
import type { Journal, JournalEvent } from '../../journal/port';
import { writeEvent } from '../../journal/line';
import { maskTokens } from '../wire/mask';

/** An event of a round, as the journal keeps it. */
interface KeptEvent {
  /** The number of the latest call on the wire when it happened. */
  readonly afterCall: number;
  /** Milliseconds of the service's clock. */
  readonly at: number;
  readonly type: string;
  /** JSON text; tokens are masked. */
  readonly event: string;
}

/** Rounds that keep their events: twice as many as the wire has calls of, at four calls a round. */
const maxRounds = 5_000;

/** Characters of events that are kept; beyond that, the rounds recorded first are dropped. */
const usualLength = 16 * 1024 * 1024;

/** What happens at the moment of an event. */
interface Moment {
  /** Milliseconds of the service's clock. */
  readonly now: () => number;
  /** The number of the latest call on the wire. */
  readonly call: () => number;
}

/** The latest events of the journal, by round. */
export class EventLog {
  readonly #byRound = new Map<string, KeptEvent[]>();
  #length = 0;

  constructor(
    private readonly moment: Moment,
    private readonly maxLength = usualLength,
  ) {}

  /** The journal, with every event in the log. */
  follow(journal: Journal): Journal {
    return {
      append: (events) => {
        for (const event of events) this.#note(event);
        return journal.append(events);
      },
      replay: () => journal.replay(),
      compact: (snapshot) => journal.compact(snapshot),
      needsCompaction: () => journal.needsCompaction(),
      close: () => journal.close(),
    };
  }

  about(gameRound: string): readonly KeptEvent[] {
    const events = this.#byRound.get(gameRound) ?? [];
    return events.map((kept) => ({ ...kept, event: maskTokens(kept.event) }));
  }

  #note(event: JournalEvent): void {
    const { gameRound } = event;
    if (typeof gameRound !== 'string') return;
    const known = this.#byRound.get(gameRound);
    const events = known ?? [];
    const text = writeEvent(event);
    const { now, call } = this.moment;
    events.push({ afterCall: call(), at: now(), type: typeOf(event), event: text });
    if (known === undefined) this.#byRound.set(ownText(gameRound), events);
    this.#length += text.length;
    while (this.#isFull()) this.#dropOldest();
  }

  #isFull(): boolean {
    const rounds = this.#byRound.size;
    return rounds > 1 && (rounds > maxRounds || this.#length > this.maxLength);
  }

  #dropOldest(): void {
    const [oldest] = this.#byRound;
    if (oldest === undefined) return;
    const [gameRound, events] = oldest;
    for (const { event } of events) this.#length -= event.length;
    this.#byRound.delete(gameRound);
  }
}

/** The change of a round by its own name, such as `settled`. */
function typeOf({ type, event }: JournalEvent): string {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return type;
  const inner = event['type' as keyof typeof event] as unknown;
  return typeof inner === 'string' ? inner : type;
}

/** The rounds that have left the service by their age (B4, E19.1), as far as the journal still names them. */
export class Forgotten {
  readonly ids = new Set<string>();

  /** @param onForget Called while the service still has the round. */
  constructor(private readonly onForget: (gameProviderId: string, gameRound: string) => void) {}

  /** The journal, with every round that leaves. */
  follow(journal: Journal): Journal {
    const { ids, onForget } = this;
    return {
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
    };
  }
}

/** The provider and the id of the round that leaves; empty for every other event. */
function idsOf({ type, gameProviderId, gameRound }: JournalEvent): readonly [string, string][] {
  const isOne = typeof gameProviderId === 'string' && typeof gameRound === 'string';
  return type === 'roundForgotten' && isOne ? [[gameProviderId, gameRound]] : [];
}
