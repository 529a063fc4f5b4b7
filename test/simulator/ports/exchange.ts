import type { Fault } from '../world/faults';
import { forEver, type Lifetime } from '../world/lifetime';

/** Something that a process asks for, beyond its own memory. */
export interface Ask<T> {
  readonly lifetime: Lifetime;
  /** Who counts the point: a gameRound or a player. */
  readonly name: string;
  /** For the trace. */
  readonly what: string;
  readonly work: () => Promise<T>;
  /** Whether it is what keeps the money, and so has outages. */
  readonly keepsMoney: boolean;
  /** How this port tells that it does not know: an answer, or it throws. */
  readonly unknown: () => T;
  /** Called when the work begins to be possible, and when it cannot come any more. */
  readonly enter: () => void;
  readonly leave: () => void;
}

/** Milliseconds until a connection that nobody takes is given up. */
const unreachableMs = 400;

/** Asks over a port where something may go wrong. A process that died meanwhile gets no answer. */
export function exchange<T>(ask: Ask<T>): Promise<T> {
  const { lifetime, name, what } = ask;
  const { world } = lifetime;
  if (!lifetime.isAlive) return forEver();
  const chance = world.chanceOf(name);
  const way = new Way(ask, chance.delay(), chance.delay());
  if (lifetime.isPartitioned || (ask.keepsMoney && world.outages > 0)) {
    world.note('unreachable', name, what);
    return way.fail(unreachableMs);
  }
  const fault = chance.fault('port');
  if (fault === null) return way.run();
  world.note(fault.kind, name, what);
  return faulty(way, ask, fault);
}

function faulty<T>(way: Way<T>, { lifetime }: Ask<T>, { kind, ms }: Fault): Promise<T> {
  switch (kind) {
    case 'slow':
      return way.run(ms);
    case 'silent':
      return forEver();
    case 'done, silent':
      way.goes(0);
      return forEver();
    case 'error':
      return way.fail();
    case 'done, error':
      way.goes(0);
      return way.fail();
    case 'error, done late':
      way.goes(ms);
      return way.fail();
    case 'throws':
      return way.throw();
    case 'done, throws':
      way.goes(0);
      return way.throw();
    case 'done twice':
      way.goes(0);
      return way.run(1);
    case 'done again late':
      way.goes(ms);
      return way.run();
    case 'dies':
      lifetime.end();
      return forEver();
    case 'done, dies':
      way.goes(0);
      lifetime.end();
      return forEver();
    default:
      // A fault of a line, in a list that was cut: it does not fit here.
      return way.run();
  }
}

/** The way to what is asked, and back. */
class Way<T> {
  constructor(
    private readonly ask: Ask<T>,
    private readonly thereMs: number,
    private readonly backMs: number,
  ) {}

  /** It is done, and answered. */
  run(lateMs = 0): Promise<T> {
    const { clock } = this.ask.lifetime;
    return new Promise((resolve, reject) => {
      this.send(
        lateMs,
        (answer) => clock.after(this.backMs, () => resolve(answer)),
        (error) => clock.after(this.backMs, () => reject(error)),
      );
    });
  }

  /** It is done some time, and nobody hears of it. */
  goes(lateMs: number): void {
    this.send(lateMs, ignored, ignored);
  }

  /** It is not done, as far as the asker knows. */
  fail(lateMs = 0): Promise<T> {
    const { lifetime, unknown } = this.ask;
    return lifetime.clock.pause(this.thereMs + this.backMs + lateMs).then(unknown);
  }

  throw(): Promise<T> {
    const { lifetime } = this.ask;
    return lifetime.clock.pause(this.thereMs + this.backMs).then(() => {
      throw new Error('The connection is gone.');
    });
  }

  private send(
    lateMs: number,
    answered: (answer: T) => void,
    failed: (error: unknown) => void,
  ): void {
    const { lifetime, work, enter, leave } = this.ask;
    enter();
    const leaving =
      <A>(next: (outcome: A) => void) =>
      (outcome: A): void => {
        leave();
        next(outcome);
      };
    lifetime.world.clock.after(this.thereMs + lateMs, () => {
      work().then(leaving(answered), leaving(failed));
    });
  }
}

function ignored(): void {}
