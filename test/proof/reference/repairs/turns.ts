import { nextTurn } from '../../../../lib/platform/turn';

/** So many passes that whoever goes on is going in circles. */
const maxPasses = 20_000;
/** So many pauses in turn that whoever is awaited gets a turn too, whatever the order says. */
const maxPauses = 40;

/** Who waits for a turn; who pauses is told whether everybody does, so that time passes. */
interface Waiting {
  readonly isPause: boolean;
  readonly goOn: (doAllPause: boolean) => void;
}

/**
 * Has what people and calls do at once go on in any order: each of them stops wherever it asks the store, and one of
 * them goes on at a time.
 */
export class Turns {
  private readonly waiting: Waiting[] = [];
  private pauses = 0;
  private isRacing = false;

  /** Waits for its turn; at once, but in a race. */
  readonly pass = (): Promise<void> =>
    this.isRacing ? this.wait(false).then(() => {}) : Promise.resolve();

  /** Waits for its turn in a race; resolves to whether time passes: in a race only where all of them pause. */
  readonly pause = (): Promise<boolean> =>
    this.isRacing ? this.wait(true) : Promise.resolve(true);

  /** Does all of it at once; `order` says who goes on, again from its beginning where it is too short. */
  async race<T>(order: readonly number[], works: readonly (() => Promise<T>)[]): Promise<T[]> {
    this.isRacing = true;
    let isOver = false;
    const all = Promise.all(works.map((work) => this.pass().then(work))).finally(() => {
      isOver = true;
    });
    all.catch(() => {});
    for (let passes = 0; ; passes += 1) {
      await nextTurn();
      if (isOver) break;
      if (passes > maxPasses) throw new Error('what happens at once does not end');
      this.letOneGoOn(order[passes % order.length] ?? 0);
    }
    this.isRacing = false;
    for (const { goOn } of this.waiting.splice(0)) goOn(false);
    return all;
  }

  /** The same object, but that these methods wait for their turn before they do their work and before they answer. */
  around<T extends object>(target: T, names: readonly (keyof T & string)[]): T {
    const { pass } = this;
    const stopping = new Set<string | symbol>(names);
    return new Proxy(target, {
      get(known, name) {
        const value: unknown = Reflect.get(known, name, known);
        if (typeof value !== 'function') return value;
        if (!stopping.has(name)) return value.bind(known);
        return async (...args: unknown[]): Promise<unknown> => {
          await pass();
          const answer: unknown = await Reflect.apply(value, known, args);
          await pass();
          return answer;
        };
      },
    });
  }

  private wait(isPause: boolean): Promise<boolean> {
    return new Promise((goOn) => this.waiting.push({ isPause, goOn }));
  }

  private letOneGoOn(choice: number): void {
    const asking = this.waiting.filter(({ isPause }) => !isPause);
    const among = asking.length > 0 && this.pauses >= maxPauses ? asking : this.waiting;
    const next = among[choice % Math.max(1, among.length)];
    if (next === undefined) return;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.pauses = next.isPause ? this.pauses + 1 : 0;
    next.goOn(asking.length === 0);
  }
}
