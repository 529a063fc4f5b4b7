import type { OperatorEvent } from './event';

/** How urgent an event is for a person; the level of its log line. */
export type EventLevel = 'info' | 'warn' | 'error';

/** A receiver of events. */
export interface EventListener {
  /** Called before a per-call event is built, to skip it; if absent, the listener receives all of them. */
  wants?(kind: OperatorEvent['kind'], level: EventLevel): boolean;
  /** Called for each event, including those that it does not want. What it throws is dropped. */
  on(event: OperatorEvent): void;
}

/** Notifies listeners. An event never changes what the wallet does, whatever a listener does with it. */
export class Events {
  constructor(private readonly listeners: readonly EventListener[]) {}

  /** Whether any listener wants an event: otherwise a per-call event is not built. */
  wants(kind: OperatorEvent['kind'], level: EventLevel): boolean {
    return this.listeners.some((listener) => isWanted(listener, kind, level));
  }

  /** Notifies every listener. Never throws: no one is left to report an error to. */
  emit(event: OperatorEvent): void {
    for (const listener of this.listeners) {
      try {
        listener.on(event);
      } catch {
        // A listener must not change the answer, nor keep other listeners from the event.
      }
    }
  }

  /** The same events with these listeners too. */
  with(...more: readonly (EventListener | undefined)[]): Events {
    return new Events([...this.listeners, ...more.filter((one) => one !== undefined)]);
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
