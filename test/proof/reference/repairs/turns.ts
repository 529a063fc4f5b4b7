import { nextTurn } from '../../../../lib/platform/turn';

/** So many passes that whoever goes on is going in circles. */
const maxPasses = 20_000;

/**
 * Has what people and calls do at once go on in any order: each of them stops wherever it asks the store, and one of
 * them goes on at a time.
 */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private isRacing = false;

  /** Waits for its turn; at once, but in a race. */
  readonly pass = (): Promise<void> =>
    this.isRacing ? new Promise((resolve) => this.waiting.push(resolve)) : Promise.resolve();

  /** Whether {@link race} is under way. */
  get isUnderWay(): boolean {
    return this.isRacing;
  }

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
    for (const resolve of this.waiting.splice(0)) resolve();
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

  private letOneGoOn(choice: number): void {
    const [next] = this.waiting.splice(choice % Math.max(1, this.waiting.length), 1);
    next?.();
  }
}
