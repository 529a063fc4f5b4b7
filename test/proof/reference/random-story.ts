import * as fc from 'fast-check';

import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import type { Delivery } from './reference-log';
import { type CallStep, callStep, GAME_ROUND, readStep, type Step } from './story';

/** A step before the story is known: `of` counts the calls before it, the last one is 0. */
type Draft =
  | { readonly kind: 'fresh'; readonly transactions: readonly Transaction[]; readonly fate: Fate }
  | { readonly kind: 'resend'; readonly of: number; readonly change: Change; readonly fate: Fate }
  | { readonly kind: 'voids'; readonly of: number; readonly keepsFirst: boolean }
  | { readonly kind: 'mark'; readonly of: number }
  | { readonly kind: 'block'; readonly isBlocked: boolean }
  | { readonly kind: 'deposit'; readonly amount: bigint };

type Fate = CallStep['fate'];

/** What is other in a resend: at a place, so many transactions make way for others. */
interface Change {
  readonly at: number;
  readonly without: number;
  readonly with: readonly Transaction[];
}

/** What a random story may hold. */
export interface StoryOptions {
  /** Hashes that all debits have; most have the gameRound or one of three others unless set. */
  readonly debits?: readonly string[];
  readonly hasVoids?: boolean;
  readonly hasLosses?: boolean;
  readonly maxSteps?: number;
}

const DEBITS = [GAME_ROUND, 'a', 'a', 'b', 'b', 'c'];
const CREDITS = ['w', 'w', 'x', 'x', 'y'];
const ENDS = ['e', 'e', 'f'];

/** What a story begins with: rounds that were just started, paid, ended, in doubt or declined to. */
const OPENINGS: readonly string[] = [
  '',
  'first r 3',
  'first r 3',
  'first r 3; debit a 3, credit x 12',
  'first r 3; debit a 3, credit x 12; debit c 12',
  'first r 3; debit a 3, credit w 3, end e',
  'first r 3; debit a 3, credit y 3 USD',
  'first r 3; lost: debit a 3, credit w 3, end e',
  'first r 3; unwritten: debit a 3',
  'first r 3, debit c 12',
  'first r 3; lost: debit c 12',
  'first r 3; unmarked: debit c 12, credit w 3',
  'lost: first r 12',
  'first r 12',
  'first r 3, debit a 3, debit b 6',
  'first r 3; debit a 3, credit w 3, debit b 6, end e',
  'first r 3; debit a 3; end e',
  'first r 3; unwritten: credit x 12, debit a 3, credit w 3, end e',
  'first r 3; debit c 12; unwritten: debit a 3, credit w 3',
  'debit r 3',
];

/** What a hash mostly moves, in units. There is too little for `c`, and `y` is of another currency. */
const USUAL: Readonly<Record<string, readonly [bigint, string]>> = {
  b: [6n, 'EUR'],
  c: [12n, 'EUR'],
  x: [12n, 'EUR'],
  y: [3n, 'USD'],
};

/** Stories in which what is rare is common: few hashes, few amounts, a balance for few debits. */
export function randomStory(options: StoryOptions = {}): fc.Arbitrary<Step[]> {
  const { maxSteps = 9, hasVoids = true, hasLosses = true } = options;
  const drafts = fc.array(draft(options), { maxLength: maxSteps });
  const openings = OPENINGS.filter((text) => hasLosses || !text.includes(':'));
  return fc.tuple(fc.constantFrom(...openings), drafts).map(([opening, rest]) => {
    const steps = toSteps([...readOpening(opening), ...rest]);
    return hasVoids ? steps : steps.filter((step) => !holdsVoid(step));
  });
}

/** A call of two or three debits, which there may be too little for together, and of what stands between them. */
function randomDebits(options: StoryOptions): fc.Arbitrary<Transaction[]> {
  const { debits = DEBITS } = options;
  const hashes = fc.array(fc.constantFrom(...debits), { minLength: 2, maxLength: 3 });
  const others = fc.array(fc.tuple(fc.nat(3), fc.constantFrom(...CREDITS).chain(credit)), {
    maxLength: 2,
  });
  const all = hashes.chain((names) => fc.tuple(...names.map(debit)));
  return fc
    .tuple(all, others)
    .map(([taken, paid]) =>
      paid.reduce((call, [at, one]) => call.toSpliced(at, 0, one), [...taken]),
    );
}

/** A call of one to five transactions. */
export function randomTransactions(options: StoryOptions = {}): fc.Arbitrary<Transaction[]> {
  const { debits = DEBITS, hasVoids = true } = options;
  const everyHash = fc.constantFrom(...debits, ...CREDITS, ...ENDS);
  const mostly = (own: readonly string[]): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 24, arbitrary: fc.constantFrom(...own) },
      { weight: 1, arbitrary: everyHash },
    );
  const ofDebits = options.debits === undefined ? mostly(debits) : fc.constantFrom(...debits);
  return fc.array(
    fc.oneof(
      { weight: 6, arbitrary: ofDebits.chain(debit) },
      { weight: 5, arbitrary: mostly(CREDITS).chain(credit) },
      { weight: 2, arbitrary: mostly(ENDS).map((hash) => ({ type: 'end', hash }) as const) },
      { weight: hasVoids ? 1 : 0, arbitrary: mostly(['a', 'b', 'c']).map(voidOf) },
    ),
    { minLength: 1, maxLength: 5 },
  );
}

/** Voids of all debits of a call, each once. */
export function voidsOf({ transactions }: Pick<Delivery, 'transactions'>): Transaction[] {
  const debits = transactions.filter(({ type }) => type === 'debit');
  return [...new Set(debits.map(({ hash }) => hash))].map(voidOf);
}

/** Whether a step brings a void. */
export function holdsVoid(step: Step): boolean {
  return step.kind === 'call' && step.delivery.transactions.some(({ type }) => type === 'void');
}

function draft(options: StoryOptions): fc.Arbitrary<Draft> {
  const { hasVoids = true, hasLosses = true } = options;
  const of = fc.oneof(fc.constant(0), fc.nat(20));
  const keepsFirst = fc.nat(7).map((chance) => chance > 0);
  const lost = hasLosses ? 3 : 0;
  const fate: fc.Arbitrary<Fate> = fc.oneof(
    { weight: 10, arbitrary: fc.constant('answered') },
    { weight: lost, arbitrary: fc.constantFrom('lost', 'unmarked', 'unwritten') },
  );
  const transactions = randomTransactions(options);
  const several = randomDebits(options);
  const paid = fc
    .constantFrom(...CREDITS)
    .chain(credit)
    .map((one) => [one]);
  const change = fc.record({
    at: fc.nat(5),
    without: fc.nat(2),
    with: fc.oneof(fc.constant([]), transactions),
  });
  return fc.oneof(
    { weight: 9, arbitrary: fc.record({ kind: fc.constant('fresh'), transactions, fate }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('fresh'), transactions: several, fate }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('fresh'), transactions: paid, fate }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('resend'), of, change, fate }) },
    {
      weight: hasVoids ? 6 : 0,
      arbitrary: fc.record({ kind: fc.constant('voids'), of, keepsFirst }),
    },
    { weight: lost, arbitrary: fc.record({ kind: fc.constant('mark'), of }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('block'), isBlocked: fc.boolean() }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('deposit'), amount: fc.constant(5n) }),
    },
  );
}

/** The steps that the drafts come to; what refers to an earlier call where none is falls away. */
function toSteps(drafts: readonly Draft[]): Step[] {
  const steps: Step[] = [];
  const calls: Delivery[] = [];
  const unmarked: Delivery[] = [];
  for (const [index, one] of drafts.entries()) {
    const which = one.kind === 'mark' ? unmarked : calls;
    const earlier =
      'of' in one ? which.toReversed()[one.of % Math.max(1, which.length)] : undefined;
    const step = toStep(`${index + 1}`, one, earlier);
    if (step === null) continue;
    steps.push(step);
    if (step.kind !== 'call') continue;
    if (!holdsOnlyVoids(step)) calls.push(step.delivery);
    if (step.fate === 'unmarked') unmarked.push(step.delivery);
  }
  return steps;
}

function toStep(id: string, one: Draft, earlier: Delivery | undefined): Step | null {
  if (one.kind === 'block' || one.kind === 'deposit') return one;
  if (one.kind === 'fresh') return callStep(id, one.transactions, one.fate);
  if (earlier === undefined) return null;
  if (one.kind === 'mark') return { kind: 'mark', delivery: earlier };
  const transactions =
    one.kind === 'voids'
      ? voidsOf(earlier).filter(({ hash }) => !one.keepsFirst || hash !== GAME_ROUND)
      : earlier.transactions.toSpliced(one.change.at, one.change.without, ...one.change.with);
  if (transactions.length === 0) return null;
  return callStep(id, transactions, one.kind === 'resend' ? one.fate : 'answered');
}

function holdsOnlyVoids({ delivery }: CallStep): boolean {
  return delivery.transactions.every(({ type }) => type === 'void');
}

function debit(hash: string): fc.Arbitrary<Transaction> {
  const likely = hash === GAME_ROUND;
  return fc.record({
    type: fc.constant('debit'),
    hash: fc.constant(hash),
    ...money(hash),
    discount: fc.oneof(
      { weight: 24, arbitrary: fc.constant(0n) },
      { weight: 1, arbitrary: fc.constant(1n) },
    ),
    isFirstDebit: fc.oneof(
      { weight: 20, arbitrary: fc.constant(likely) },
      { weight: 1, arbitrary: fc.constantFrom(null, !likely) },
    ),
  });
}

function credit(hash: string): fc.Arbitrary<Transaction> {
  return fc.record({ type: fc.constant('credit'), hash: fc.constant(hash), ...money(hash) });
}

function money(hash: string): {
  currency: fc.Arbitrary<string>;
  amount: fc.Arbitrary<bigint>;
  serial: fc.Arbitrary<null>;
} {
  const [amount, currency] = USUAL[hash] ?? [3n, 'EUR'];
  return {
    currency: fc.oneof(
      { weight: 24, arbitrary: fc.constant(currency) },
      { weight: 1, arbitrary: fc.constantFrom('EUR', 'USD', 'SEK') },
    ),
    amount: fc.oneof(
      { weight: 24, arbitrary: fc.constant(amount) },
      { weight: 1, arbitrary: fc.constantFrom(0n, 3n, 6n) },
    ),
    serial: fc.constant(null),
  };
}

function voidOf(hash: string): Transaction {
  return { type: 'void', hash, amount: null, currency: null };
}

function readOpening(text: string): Draft[] {
  const steps = text.split(';').filter((part) => part !== '');
  return steps.map((part) => {
    const step = readStep(part.trim(), 0, new Map());
    if (step.kind !== 'call') throw new Error(`no call: ${part}`);
    const { delivery, fate } = step;
    return { kind: 'fresh', transactions: delivery.transactions, fate };
  });
}
