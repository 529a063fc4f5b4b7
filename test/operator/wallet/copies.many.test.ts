import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import {
  changed,
  type Copy,
  declined,
  followUp,
  isDebit,
  opening,
  type Play,
  play,
  type Played,
  second,
  standing,
  type Status,
  statusOf,
  takenBack,
  unitsBefore,
  voidedAhead,
  win,
  wonBefore,
} from './copies-play';
import { answers, credit, debit, end, startUnits, voidOf } from './rig';
import type { Script } from './scripted-store';
import { randomHistories } from '../../support/runs';

const runs = randomHistories(100);
const longestPlayMs = 300_000;

function sumOf(transactions: readonly { readonly amount: bigint }[]): bigint {
  return transactions.reduce((sum, { amount }) => sum + amount, 0n);
}

const accepted = new Set([opening.hash, followUp.hash]);

/** What the RGS takes the player to have, after what it heard and did; cash apart. */
function unitsAfter(call: readonly Transaction[], heard: Status, left: Played['left']): bigint {
  const debits = call.filter((one) => one.type === 'debit');
  const wins = (isBound: (one: Transaction) => boolean) => sumOf(wonBefore(call, isBound));
  if (heard === '200') {
    const stakes = sumOf(debits.filter(({ hash }) => !accepted.has(hash)));
    return unitsBefore - stakes + wins(() => false);
  }
  if (heard === '4xx') return unitsBefore + wins((one) => isDebit(one) && !accepted.has(one.hash));
  if (debits.some(({ hash }) => hash === opening.hash)) return startUnits;
  const reversed = debits.reduce((sum, { hash }) => sum + (standing.get(hash) ?? 0n), 0n);
  return (
    unitsBefore + reversed + sumOf(wonBefore(call, isDebit).filter((one) => !left.has(one.hash)))
  );
}

const debitUnits = fc.constantFrom(0n, 7n, 300n, 600n, 5000n);
const known = {
  opening,
  followUp,
  win,
  declined,
  takenBack,
  voidedAhead,
  changed,
  second,
};
type Kind = 'debit' | 'credit' | 'void' | keyof typeof known;
/** Debits that an earlier call had refused. */
const recorded = ['declined', 'takenBack'] as const;
const repeated = ['opening', 'followUp', 'win', 'voidedAhead', 'changed', 'second'] as const;

function kindAmong(kinds: readonly (keyof typeof known)[]): fc.Arbitrary<Kind> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant<Kind>('debit') },
    { weight: 6, arbitrary: fc.constant<Kind>('credit') },
    { weight: 2, arbitrary: fc.constant<Kind>('void') },
    { weight: 4, arbitrary: fc.constantFrom<Kind>(...kinds) },
  );
}

/** A call with a debit, in which nothing is twice, and an end is the last. */
function callOf(kind: fc.Arbitrary<Kind>): fc.Arbitrary<readonly Transaction[]> {
  return fc
    .tuple(
      fc.array(fc.tuple(kind, debitUnits, fc.bigInt(1n, 9n)), { minLength: 1, maxLength: 5 }),
      fc.boolean(),
    )
    .map(([parts, ends]) => {
      const all = parts.map(([what, stake, won], index): Transaction => {
        if (what === 'debit') return debit(`d${index + 2}`, stake);
        if (what === 'credit') return credit(`c${index + 1}`, won * 100n);
        return what === 'void' ? voidOf(`u${index}`) : known[what];
      });
      const once = all.filter(
        (one, index) => all.findIndex(({ hash }) => hash === one.hash) === index,
      );
      return ends && once.length < 5 ? [...once, end('e1')] : once;
    })
    .filter((transactions) => transactions.some(isDebit));
}

const moments = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 20 }) },
  { weight: 1, arbitrary: fc.integer({ min: 900, max: 1200 }) },
);
const script: fc.Arbitrary<Script> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Script>('answers') },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Script>(
      'unknown',
      'done, unknown',
      'unknown, give up',
      'unknown, done late',
      'throws',
      'done, throws',
      'hangs',
      'done, hangs',
      'late',
      'stale',
    ),
  },
);
const copy: fc.Arbitrary<Copy> = fc.record({
  starts: fc.record({ isAfterPrevious: fc.boolean(), ms: moments }),
  marksAfterMs: moments,
});
/** Plays of a call with such transactions, which arrives at least and at most so often. */
function playOf(
  kinds: readonly (keyof typeof known)[],
  minLength: number,
  maxLength: number,
): fc.Arbitrary<Play> {
  return fc
    .record({
      call: callOf(kindAmong(kinds)),
      copies: fc.array(copy, { minLength, maxLength }),
      heard: fc.nat(2),
      voidsAfterMs: moments,
      creditTo: fc.constantFrom<Play['creditTo']>('real', 'stakeShares'),
      follows: fc.boolean(),
      commits: fc.array(script, { maxLength: 6 }),
      loads: fc.array(
        fc.oneof(
          { weight: 5, arbitrary: fc.constant<Script>('answers') },
          fc.constantFrom<Script>('unknown', 'hangs', 'late'),
        ),
        { maxLength: 3 },
      ),
      cash: fc.option(fc.record({ atMs: moments, units: fc.constantFrom(3000n, -900n, -400n) })),
      landsAtMs: moments,
    })
    .map((given) => ({ ...given, heard: given.heard % given.copies.length }));
}

/**
 * Whether the call is one commit, over a store that always answers, and its refusals are recorded: then there is no
 * unknown outcome (D7).
 */
function isPlain({ call, creditTo, commits, loads }: Play): boolean {
  if (creditTo !== 'real' || call.some(({ type }) => type === 'void')) return false;
  if (call.some((one) => one === voidedAhead || one === changed || one === second)) return false;
  return [...commits, ...loads].every((one) => one === 'answers' || one === 'stale');
}

/** Plays it, and compares what the player has with what the RGS takes for true. */
async function compare(given: Play): Promise<void> {
  const { outcomes, heard, left, cash, balance } = await play(given);
  const status = statusOf(heard);
  const told = outcomes.map((one) => `${statusOf(one)}: ${answers(one).join(', ')}`);
  const expected = unitsAfter(given.call, status, left) + cash;
  expect({ status, told, balance }).toEqual({ status, told, balance: expected });
  if (isPlain(given)) expect(told).not.toContainEqual(expect.stringMatching(/^5xx/));
}

test(
  `whichever answer to the copies of a call the RGS hears, the player has what it acts on, in ${runs.numRuns} random plays`,
  () => fc.assert(fc.asyncProperty(playOf([...repeated, ...recorded], 2, 3), compare), runs),
  longestPlayMs,
);

test(
  `the same holds for a call that arrives once, also if it repeats a refused debit, in ${runs.numRuns} random plays`,
  () => fc.assert(fc.asyncProperty(playOf([...repeated, ...recorded], 1, 1), compare), runs),
  longestPlayMs,
);
