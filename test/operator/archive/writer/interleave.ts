import { nextTurn } from '../../../../lib/platform/turn';
import type { MemoryDisk } from './memory-disk';

/** Writers whose steps of the disk are taken one at a time, in an order that a test chooses. */
export class Interleaving {
  readonly #waiting: { readonly writer: number; readonly go: () => void; readonly step: string }[] =
    [];
  readonly #running = new Set<number>();
  readonly order: string[] = [];

  /** Starts a writer's work; each step of its disk waits until it is chosen. */
  start(writer: number, disk: MemoryDisk, work: () => Promise<void>): void {
    disk.before = (step) => new Promise<void>((go) => this.#waiting.push({ writer, go, step }));
    this.#running.add(writer);
    void work().finally(() => this.#running.delete(writer));
  }

  /** The writers that wait for their next step, once each that runs does. */
  async ready(): Promise<readonly number[]> {
    for (;;) {
      await nextTurn();
      const writers = new Set(this.#waiting.map(({ writer }) => writer));
      if ([...this.#running].every((writer) => writers.has(writer)))
        return [...writers].toSorted((one, other) => one - other);
    }
  }

  /** Lets a writer do its next step. */
  step(writer: number): void {
    const at = this.#waiting.findIndex((one) => one.writer === writer);
    const [next] = this.#waiting.splice(at, 1);
    this.order.push(`${'ABC'[writer] ?? ''}:${next?.step ?? ''}`);
    next?.go();
  }
}
