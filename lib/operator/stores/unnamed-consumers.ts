import type { Events, StoreName } from '../events';

const cure =
  'Start every process with the same names: the option events, or serve --events NAME. Forget a consumer that is gone.';
const unknownCure =
  'Let the store read them (docs/operations.md), or start the process with the names: the option events.';

/**
 * Reports that consumers of events are declared where a store names none: what its commits do is then
 * hidden from them. Each finding once: readiness probes repeat the check.
 */
export class UnnamedConsumers {
  #areReported = false;
  #isFaultReported = false;

  constructor(
    private readonly store: StoreName,
    private readonly events: Events,
    private readonly declared: () => Promise<readonly string[]>,
    private readonly reasonOf: (error: unknown) => string,
  ) {}

  /** Looks, and reports what it finds. Never throws: money does not wait for events. */
  async look(): Promise<void> {
    const { store } = this;
    if (this.#areReported) return;
    try {
      const consumers = await this.declared();
      if (consumers.length === 0 || this.#areReported) return;
      this.#areReported = true;
      this.events.emit({ kind: 'consumersUnnamed', store, consumers, cure });
    } catch (error) {
      if (this.#isFaultReported) return;
      this.#isFaultReported = true;
      const reason = this.reasonOf(error);
      this.events.emit({ kind: 'consumersUnknown', store, reason, cure: unknownCure });
    }
  }
}
