import type { Planted } from '../parties/planted';
import type { Plan, RoundPlan, Step } from '../plan/types';
import type { Fault } from '../world/faults';
import { playPlan, type PlayOptions } from './simulate';
import type { Violation } from '../world/scheduler';

/** A history that fails, with the only faults that come. */
export interface Failing {
  readonly plan: Plan;
  readonly faults: readonly Fault[];
  readonly violation: Violation;
}

/** How far it goes. */
export interface ShrinkOptions {
  /** Worlds that it plays at most; 3,000 unless set. */
  readonly maxPlays?: number;
  /** Opens the server of a store that needs one. */
  readonly openHost?: PlayOptions['openHost'];
  /** What is wrong on purpose, anew for each world. */
  readonly plant?: () => Planted;
}

/**
 * Cuts a failing history to a short one that breaks the same rule: parts of it are left out, larger ones first,
 * for as long as it still fails. Each name has its own chance, so what is left behaves as it did.
 */
export async function shrink(failing: Failing, options: ShrinkOptions = {}): Promise<Failing> {
  return new Shrinking(failing, options).run();
}

class Shrinking {
  private plays = 0;
  private readonly maxPlays: number;

  constructor(
    private best: Failing,
    private readonly options: ShrinkOptions,
  ) {
    this.maxPlays = options.maxPlays ?? 3000;
  }

  async run(): Promise<Failing> {
    for (let size = -1; size !== this.size && this.plays < this.maxPlays; ) {
      size = this.size;
      await this.pass();
    }
    return this.best;
  }

  /** What is left. */
  private get size(): number {
    const { plan, faults } = this.best;
    const steps = plan.rounds.flatMap((round) => round.steps);
    const items = steps.map((step) => (step.do === 'call' ? step.items.length : 1));
    const sum = items.reduce((all, one) => all + one, 0);
    return sum + plan.rounds.length + plan.acts.length + plan.incidents.length + faults.length;
  }

  private async pass(): Promise<void> {
    await this.cut(this.best.plan.rounds, (rounds) => this.withPlan({ rounds }));
    await this.cut(this.best.plan.acts, (acts) => this.withPlan({ acts }));
    await this.cut(this.best.plan.incidents, (incidents) => this.withPlan({ incidents }));
    await this.cut(this.best.faults, (faults) => ({ ...this.best, faults }));
    for (const { id } of this.best.plan.rounds) {
      const round = (): RoundPlan | undefined => {
        return this.best.plan.rounds.find((one) => one.id === id);
      };
      await this.cut(round()?.steps ?? [], (steps) => this.withSteps(id, steps));
      for (const step of round()?.steps ?? []) {
        if (step.do === 'call') await this.cutItems(id, step);
      }
    }
    if (this.best.plan.wallets > 1) await this.attempt(this.withPlan({ wallets: 1 }));
  }

  /** Leaves out transactions of a call, but not all of them. */
  private async cutItems(id: string, step: Extract<Step, { do: 'call' }>): Promise<void> {
    let now: Step = step;
    await this.cut(step.items, (items) => {
      const steps = this.best.plan.rounds.find((one) => one.id === id)?.steps ?? [];
      const shorter: Step = { ...step, items };
      const failing = this.withSteps(
        id,
        steps.map((one) => (one === now ? shorter : one)),
      );
      return items.length === 0
        ? null
        : {
            ...failing,
            keep: () => {
              now = shorter;
            },
          };
    });
  }

  /** Leaves out parts of a list: halves, then quarters, at last single entries. */
  private async cut<T>(
    list: readonly T[],
    make: (rest: readonly T[]) => (Failing & { readonly keep?: () => void }) | null,
  ): Promise<void> {
    let left = list;
    for (let size = Math.ceil(left.length / 2); size >= 1 && left.length > 0; ) {
      for (let at = 0; at < left.length; ) {
        const rest = [...left.slice(0, at), ...left.slice(at + size)];
        const candidate = make(rest);
        if (candidate !== null && (await this.attempt(candidate))) {
          left = rest;
          candidate.keep?.();
        } else {
          at += size;
        }
      }
      size = size === 1 ? 0 : Math.ceil(size / 2);
    }
  }

  /** Whether a shorter history breaks the same rule; then it is the best so far. */
  private async attempt({ plan, faults }: Failing): Promise<boolean> {
    if (this.plays >= this.maxPlays) return false;
    this.plays += 1;
    const { plant, openHost } = this.options;
    const planted = plant?.() ?? {};
    const { violation } = await playPlan(plan, { faults, planted, ...(openHost && { openHost }) });
    if (violation?.rule !== this.best.violation.rule) return false;
    this.best = { plan, faults, violation };
    return true;
  }

  private withPlan(changed: Partial<Plan>): Failing {
    return { ...this.best, plan: { ...this.best.plan, ...changed } };
  }

  private withSteps(id: string, steps: readonly Step[]): Failing {
    const { rounds } = this.best.plan;
    return this.withPlan({
      rounds: rounds.map((round) => (round.id === id ? { ...round, steps } : round)),
    });
  }
}
