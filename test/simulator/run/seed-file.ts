import type { Plan } from '../plan/types';
import type { Fault } from '../world/faults';
import type { Failing } from './shrink';

/** A history as a file has it: what is played, and the only faults that come. */
export interface SeedFile {
  /** The rule that did not hold, and how. */
  readonly broke: { readonly rule: string; readonly text: string };
  readonly plan: Plan;
  readonly faults: readonly Fault[];
}

/** The text of the file that keeps a failing history: a line for each round, act, incident and fault. */
export function writeSeedFile({ plan, faults, violation }: Failing): string {
  const { rule, text } = violation;
  const { rounds, acts, incidents, ...head } = plan;
  const members = Object.entries({ ...head }).map(([name, value]) => {
    return `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  });
  const lists = Object.entries({ rounds, acts, incidents }).map(([name, list]) => {
    return `    ${JSON.stringify(name)}: ${listOf(list, 6)}`;
  });
  const plans = [...members, ...lists].join(',\n');
  const broke = JSON.stringify({ rule, text });
  return `{\n  "broke": ${broke},\n  "plan": {\n${plans}\n  },\n  "faults": ${listOf(faults, 4)}\n}\n`;
}

function listOf(list: readonly unknown[], indent: number): string {
  if (list.length === 0) return '[]';
  const space = ' '.repeat(indent);
  const lines = list.map((one) => `${space}${JSON.stringify(one)}`).join(',\n');
  return `[\n${lines}\n${space.slice(2)}]`;
}

/** Reads such a file. @throws Error that says what is wrong with it. */
export function readSeedFile(text: string): SeedFile {
  const file = parse(text) as Partial<SeedFile> | null;
  const { plan, faults, broke } = file ?? {};
  for (const name of ['players', 'rounds', 'acts', 'incidents'] as const) {
    if (!Array.isArray(plan?.[name])) throw new Error(`no seed file: plan.${name} is no list`);
  }
  if (plan === undefined || typeof plan.seed !== 'number') {
    throw new Error('no seed file: plan.seed is no number');
  }
  if (!Array.isArray(faults)) throw new Error('no seed file: faults is no list');
  return { broke: broke ?? { rule: '', text: '' }, plan, faults: faults as readonly Fault[] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error('no seed file: it is not JSON', { cause });
  }
}
