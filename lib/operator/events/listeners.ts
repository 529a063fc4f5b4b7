import type { OperatorEvent } from './event';

/** How soon a person should see an event; the level of its line in the log. */
export type EventLevel = 'info' | 'warn' | 'error';

/** Who is told of events. */
export interface EventListener {
  /** Asked before an event of every call is put together; absent: it wants all of them. */
  wants?(kind: OperatorEvent['kind'], level: EventLevel): boolean;
  /** Told of each event, also of those that it does not want. What it throws is dropped. */
  on(event: OperatorEvent): void;
}

/** Tells listeners. An event changes nothing of what the wallet does, whatever a listener makes of it. */
export class Events {
  constructor(private readonly listeners: readonly EventListener[]) {}

  /** Whether anybody wants an event: one of every call is not put together otherwise. */
  wants(kind: OperatorEvent['kind'], level: EventLevel): boolean {
    return this.listeners.some((listener) => isWanted(listener, kind, level));
  }

  /** Tells every listener. Never throws: there is nobody else who could be told of it. */
  tell(event: OperatorEvent): void {
    for (const listener of this.listeners) {
      try {
        listener.on(event);
      } catch {
        // A listener must not change what was answered, nor keep the others from being told.
      }
    }
  }

  /** The same with one more listener. */
  with(listener: EventListener): Events {
    return new Events([...this.listeners, listener]);
  }
}

function isWanted(
  listener: EventListener,
  kind: OperatorEvent['kind'],
  level: EventLevel,
): boolean {
  try {
    return listener.wants === undefined || listener.wants(kind, level);
  } catch {
    return true;
  }
}
