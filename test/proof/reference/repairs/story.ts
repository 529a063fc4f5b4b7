import * as fc from 'fast-check';

import type { RepairKind } from '../../../../lib/operator/gameround';
import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import { randomStory, randomTransactions, voidsOf } from '../random-story';
import { type CallStep, callStep, GAME_ROUND, readStep, type Step, writeStep } from '../story';

/** People of the operator. */
export const persons = ['maria', 'ines', 'juan'] as const;
export type PersonId = (typeof persons)[number];

/** A person proposes a repair. */
export interface Propose {
  readonly kind: 'propose';
  readonly repair: RepairKind;
  /** The credit to pay or the debit to void; null for what there is. */
  readonly hash: string | null;
  readonly by: PersonId;
}

/** A person decides. `of` counts the proposals before it: the last one is 0. */
export interface Decide {
  readonly kind: 'approve' | 'reject';
  readonly of: number;
  readonly by: PersonId;
}

/** What one of those at once does: a person, or the RGS. */
export type Act = Propose | Decide | Step;

/** What happens besides what the RGS does alone. */
export type PeopleStep =
  | Propose
  | Decide
  /** Several people and calls at once; `order` is for who has it in hand. */
  | { readonly kind: 'atOnce'; readonly acts: readonly Act[]; readonly order: readonly number[] }
  /** More than a day passes. */
  | { readonly kind: 'day' };

export type RepairStory = readonly (Step | PeopleStep)[];

type Draft =
  | { readonly kind: 'story'; readonly steps: readonly Step[] }
  | { readonly kind: 'people'; readonly steps: readonly (Propose | Decide | PeopleStep)[] }
  | { readonly kind: 'call'; readonly call: DraftCall }
  | {
      readonly kind: 'atOnce';
      readonly acts: readonly DraftAct[];
      readonly order: readonly number[];
    };

/** An earlier call again, voids of its debits, or its late mark; or one of its own. */
type DraftCall =
  | { readonly kind: 'mark'; readonly of: number }
  | { readonly kind: 'resend' | 'voids'; readonly of: number }
  | { readonly kind: 'fresh'; readonly transactions: readonly Transaction[]; readonly fate: Fate };
type DraftAct = Propose | Decide | DraftCall;
type Fate = CallStep['fate'];

/** Rounds in which something waits for a person, or will soon. */
const OPENINGS: readonly string[] = [
  'first r 3; debit c 12; credit w 3',
  'first r 3; debit a 3, credit x 12; debit c 12; credit w 3',
  'first r 3; debit a 3, credit y 3 USD',
  'first r 3; credit y 3 USD',
  'first r 3, credit v 1, credit y 3 USD; credit w 3',
  'first r 3; debit c 12; credit w 3, credit x 12',
  'first r 3; lost: debit a 3, credit w 3, end e',
  'lost: first r 3, credit w 3',
  'first r 3; unwritten: debit a 3',
  'first r 3; debit c 12; credit z 3 SEK',
  'first r 12; credit w 3',
  'first r 3, end e; credit w 3',
  'first r 3; debit a 3, end e; credit w 3, credit x 12',
  'first r 3; debit a 3; end e; debit a 3, credit w 3',
  'first r 3; unmarked: debit a 3, credit w 3, end e; credit x 12',
  'first r 3; unwritten: debit a 3, credit w 3; void a; credit y 3 USD',
  'first r 3; credit y 3 USD, debit a 3, credit w 3',
  'first r 3; credit z 3 SEK',
  'first r 3; unmarked: debit a 3, credit y 3 USD',
  'first r 3; unmarked: debit a 3; debit c 12; credit w 3',
  'first r 3; unmarked: debit a 3, credit v 1; debit c 12; credit w 3',
];

/** Stories in which rounds wait for a person, and people repair them while the RGS goes on. */
export function randomRepairStory(): fc.Arbitrary<RepairStory> {
  const drafts = fc.array(draft(), { minLength: 2, maxLength: 9 });
  return fc.tuple(fc.constantFrom(...OPENINGS), drafts).map(([opening, rest]) => {
    const steps = opening.split(';').map((part) => readStep(part.trim(), 0, new Map()));
    return toStory([{ kind: 'story', steps }, ...rest]);
  });
}

function draft(): fc.Arbitrary<Draft> {
  return fc.oneof(
    { weight: 2, arbitrary: callsOfRgs() },
    { weight: 5, arbitrary: earlierCall().map((call) => ({ kind: 'call', call }) as const) },
    { weight: 3, arbitrary: peopleStep().map((step) => people(step)) },
    { weight: 6, arbitrary: repaired() },
    { weight: 5, arbitrary: atOnce() },
  );
}

const again = ['resend', 'resend', 'voids', 'voids', 'mark'] as const;

function earlierCall(): fc.Arbitrary<DraftCall> {
  const of = fc.oneof(fc.constant(0), fc.nat(6));
  return fc.record({ kind: fc.constantFrom(...again), of });
}

function freshCall(): fc.Arbitrary<DraftCall> {
  const fate: fc.Arbitrary<Fate> = fc.constantFrom('answered', 'answered', 'lost', 'unmarked');
  const transactions = randomTransactions().map((all) => all.slice(0, 3));
  return fc.record({ kind: fc.constant('fresh' as const), transactions, fate });
}

/** Two or three of everything at once. */
function atOnce(): fc.Arbitrary<Draft> {
  const by = fc.constantFrom(...persons);
  const of = fc.constant(0);
  const act: fc.Arbitrary<DraftAct> = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('approve' as const), of, by }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('reject' as const), of, by }) },
    { weight: 2, arbitrary: proposal() },
    { weight: 4, arbitrary: earlierCall() },
    { weight: 3, arbitrary: freshCall() },
  );
  return fc.record({
    kind: fc.constant('atOnce' as const),
    acts: fc.array(act, { minLength: 2, maxLength: 3 }),
    order: randomOrder(),
  });
}

function randomOrder(): fc.Arbitrary<number[]> {
  return fc.array(fc.nat(11), { minLength: 1, maxLength: 40 });
}

function callsOfRgs(): fc.Arbitrary<Draft> {
  return randomStory({ maxSteps: 2 }).map((steps) => ({ kind: 'story', steps }));
}

function people(...steps: readonly PeopleStep[]): Draft {
  return { kind: 'people', steps };
}

/** A proposal, and what one, two or all people who approve it at once come to. */
function repaired(): fc.Arbitrary<Draft> {
  const approvers = fc.subarray([...persons], { minLength: 1 });
  return fc.tuple(proposal(), approvers, randomOrder()).map(([step, by, order]) => {
    const acts = by.map((one) => ({ kind: 'approve', of: 0, by: one }) as const);
    return people(step, { kind: 'atOnce', acts, order });
  });
}

function peopleStep(): fc.Arbitrary<PeopleStep> {
  const by = fc.constantFrom(...persons);
  const of = fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.nat(3) },
  );
  return fc.oneof(
    { weight: 4, arbitrary: proposal() },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('approve' as const), of, by }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reject' as const), of, by }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'day' } as const) },
  );
}

function proposal(): fc.Arbitrary<Propose> {
  const by = fc.constantFrom(...persons);
  const credits = fc.constantFrom(null, null, null, 'w', 'x', 'y', 'z', 'a');
  const debits = fc.constantFrom(null, GAME_ROUND, 'a', 'c', 'w');
  const propose = (repair: RepairKind, hash: fc.Arbitrary<string | null>) =>
    fc.record({ kind: fc.constant('propose' as const), repair: fc.constant(repair), hash, by });
  return fc.oneof(
    { weight: 4, arbitrary: propose('pay', credits) },
    { weight: 1, arbitrary: propose('resolve', fc.constant(null)) },
    { weight: 1, arbitrary: propose('void', debits) },
  );
}

/** The steps, each call with a name of its own; what refers to nothing falls away. */
function toStory(drafts: readonly Draft[]): RepairStory {
  const story: (Step | PeopleStep)[] = [];
  const calls: CallStep[] = [];
  const noted = <T extends Act>(step: T): T => {
    if (step.kind === 'call' && step.delivery.transactions.some(({ type }) => type !== 'void')) {
      calls.push(step);
    }
    return step;
  };
  for (const [index, one] of drafts.entries()) {
    switch (one.kind) {
      case 'people':
        story.push(...one.steps);
        break;
      case 'story':
        for (const step of renamed(one.steps, index)) story.push(noted(step));
        break;
      case 'call':
        story.push(...callOf(one.call, `${index}`, calls).map(noted));
        break;
      case 'atOnce': {
        const acts = one.acts.flatMap((act, n): readonly Act[] =>
          isDraftCall(act) ? callOf(act, `${index}-${n}`, calls) : [act],
        );
        if (acts.length > 0) story.push({ ...one, acts: acts.map(noted) });
      }
    }
  }
  return story;
}

function isDraftCall(act: DraftAct): act is DraftCall {
  return 'of' in act ? !('by' in act) : act.kind === 'fresh';
}

function callOf(call: DraftCall, id: string, steps: readonly CallStep[]): readonly Step[] {
  if (call.kind === 'fresh') {
    return call.transactions.length === 0 ? [] : [callStep(id, call.transactions, call.fate)];
  }
  const which = call.kind === 'mark' ? steps.filter(({ fate }) => fate === 'unmarked') : steps;
  const earlier = which.toReversed()[call.of % Math.max(1, which.length)]?.delivery;
  if (earlier === undefined) return [];
  if (call.kind === 'mark') return [{ kind: 'mark', delivery: earlier }];
  const transactions = call.kind === 'voids' ? voidsOf(earlier) : earlier.transactions;
  return transactions.length === 0 ? [] : [callStep(id, transactions)];
}

/** Their deliveries with names of their own; a mark keeps that of its call. */
function renamed(steps: readonly Step[], index: number): Step[] {
  return steps.map((step, n) => {
    if (!('delivery' in step)) return step;
    const id = `${index}-${step.delivery.id === '0' ? n : step.delivery.id}`;
    return { ...step, delivery: { ...step.delivery, id } };
  });
}

/** A step as text, for what is printed of a story. */
export function writeAnyStep(step: Step | PeopleStep): string {
  if (step.kind === 'day') return 'a day passes';
  if (step.kind !== 'atOnce') return writeAct(step);
  return `${step.acts.map(writeAct).join(' | ')} in the order ${step.order.join(' ')}`;
}

/** What one does, as text. */
export function writeAct(act: Act): string {
  switch (act.kind) {
    case 'propose':
      return `${act.by} proposes ${act.repair} ${act.hash ?? ''}`.trim();
    case 'approve':
      return `${act.by} approves ${act.of}`;
    case 'reject':
      return `${act.by} rejects ${act.of}`;
    default:
      return writeStep(act);
  }
}
