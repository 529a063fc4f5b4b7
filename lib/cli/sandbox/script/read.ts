import type { FaultRequest } from '../../../rgs/sandbox/view/state';
import { schemasOf } from '../../../platform/validation';
import type { symbols } from '../../../proof/demo/game-bells';
import { CommandFailure } from '../../terminal/failure';
import { parseJsonText, readTextFile } from '../../terminal/read-json-file';

/** What a step expects; each is checked on its own. */
export interface Expectation {
  /** Of the spin, in minor units. */
  readonly winAmount?: number;
  /** Of the spin: the error id, or the code of a failed call such as `NETWORK_FAILURE`. */
  readonly error?: number | string;
  /** The calls about the spin's round at the wallet, such as `debit 100` and `credit 250 + end (cut)`. */
  readonly wallet?: readonly string[];
  /** By player, in minor units. */
  readonly balance?: Readonly<Record<string, number>>;
  readonly books?: 'agree' | 'differ';
  /** How many transactions are due at the wallet. */
  readonly due?: number;
  readonly findings?: number;
}

/** A spin of game-bells. */
export interface SpinStep {
  readonly player: string;
  /** Minor units. */
  readonly stake: number;
  readonly force?: readonly (typeof symbols)[number][];
  readonly useTicket?: boolean;
}

/** One step of a script: one thing to do, and for a spin what to expect of it. */
export interface Step {
  readonly launch?: string;
  readonly spin?: SpinStep;
  readonly fault?: FaultRequest;
  readonly clearFaults?: true;
  /** Such as `2h`. */
  readonly advance?: string;
  readonly janitor?: true;
  readonly kill?: true;
  readonly expect?: Expectation;
}

/** A script, read. */
export interface Script {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** For the help of the command. */
export const scriptHelp = `
A script is JSON: {"steps": [...]}, each step one of
  {"launch": "ann"}                                         a session for the player
  {"spin": {"player": "ann", "stake": 100, "force": ["bell", "bell", "star"]},
   "expect": {"winAmount": 100, "wallet": ["debit 100", "credit 100 + end"]}}
  {"fault": {"line": "rgs-wallet", "call": "doTransactions", "kind": "cut", "next": 1}}, {"clearFaults": true}
  {"advance": "2h"}, {"janitor": true}, {"kill": true}
  {"expect": {"balance": {"ann": 100000}, "books": "agree", "due": 0, "findings": 0}}
A spin may expect {"error": 9100} instead. Amounts are minor units.`;

const schemas = schemasOf('options', ['sandbox-script'], true);
const actions = [
  'launch',
  'spin',
  'fault',
  'clearFaults',
  'advance',
  'janitor',
  'kill',
] as const satisfies readonly (keyof Step)[];

/** @throws CommandFailure that names the file, the number of the step, counted from 1, and the fault. */
export function readScript(file: string): Script {
  const { value } = parseJsonText(readTextFile(file), file);
  const fault = schemas.findFault('sandbox-script', value);
  if (fault !== null) throw new CommandFailure(`${file}: ${byStep(fault)}`);
  const { name = file, steps } = value as unknown as { name?: string; steps: readonly Step[] };
  for (const [at, step] of steps.entries()) {
    const problem = problemOf(step);
    if (problem !== null) throw new CommandFailure(`${file}: step ${at + 1}: ${problem}`);
  }
  return { name, steps };
}

/** What the schema cannot say. */
function problemOf(step: Step): string | null {
  const { spin, expect = {} } = step;
  const given = actions.filter((action) => step[action] !== undefined);
  if (given.length > 1) return `has ${given.join(' and ')}; a step does one thing`;
  if (given.length === 1 && spin === undefined && step.expect !== undefined) {
    return `has expect beside ${given.join()}; make it a step of its own`;
  }
  const ofSpins = (['winAmount', 'error', 'wallet'] as const).filter((name) => name in expect);
  if (spin === undefined && ofSpins.length > 0)
    return `expects ${ofSpins.join(', ')} without a spin`;
  const { next, probability } = step.fault ?? {};
  if (next !== undefined && probability !== undefined) return 'fault has both next and probability';
  return null;
}

/** `steps/4/spin must ...` counts from 0; people count from 1. */
function byStep(fault: string): string {
  return fault.replace(/^steps\/(\d+)[/ ]/, (_, at: string) => `step ${Number(at) + 1}: `);
}
