import { Dice } from '../../../lib/proof/subject/dice';
import type { Act, Plan } from './types';

/** Rounds for each reader who comes while they are played. A page costs a model of Redis or PostgreSQL much. */
const roundsAReader = { memory: 12, ledger: 12, lua: 20, sql: 40 } as const;

/** In most worlds consumers follow the events: readers come now and then, and some die with what they have read. */
export function withConsumers(plan: Plan): Plan {
  const dice = new Dice(plan.seed ^ 0x2545f491);
  const consumers = dice.pick([0, 1, 1, 2] as const);
  if (consumers === 0) return plan;
  const { rounds, store } = plan;
  const endMs = 1 + Math.max(0, ...rounds.map(({ atMs }) => atMs));
  const count = Math.ceil(rounds.length / roundsAReader[store]);
  const reads = Array.from({ length: count }, (): Act => {
    return {
      do: 'read',
      atMs: dice.between(0, endMs),
      consumer: dice.between(0, consumers - 1),
      atMost: dice.pick([1, 3, 20, 200]),
      pages: dice.between(1, 4),
      dies: dice.chance(30),
    };
  });
  return { ...plan, consumers, acts: [...plan.acts, ...reads] };
}

/** The names of the consumers of a plan. */
export function consumersOf({ consumers = 0 }: Pick<Plan, 'consumers'>): readonly string[] {
  return Array.from({ length: consumers }, (_, at) => `consumer-${at}`);
}
