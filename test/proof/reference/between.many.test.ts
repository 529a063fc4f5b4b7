import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { createGate } from './gate';
import { randomStory, randomTransactions } from './random-story';
import { createRealWallet } from './real-wallet';
import { type Answer, type Delivery, partsOf } from './reference-log';
import { createReferencePlayer, isMarked } from './reference-player';
import { ReferenceWallet } from './reference-wallet';
import {
  type CallStep,
  callStep,
  GAME_ROUND,
  START,
  type Step,
  type Wallet,
  writeStep,
} from './story';
import { outcomeOf } from './tell';
import { randomHistories } from '../../support/runs';

const runs = randomHistories(50);
const longestPlayMs = 600_000;

/** A call in two parts: after so many commits another comes, or the store is silent from then on. */
interface Split {
  readonly before: readonly Step[];
  readonly call: Delivery;
  readonly commits: number;
  /** Null for the silence. */
  readonly between: Delivery | null;
  readonly later: readonly Step[];
}

/** What each step came to, in the wallet itself. */
async function playReal({ before, call, commits, between, later }: Split): Promise<string[]> {
  const gate = createGate();
  const wallet = await createRealWallet(gate.around);
  const came = await outcomesOf(wallet, before);
  const answers: string[] = [];
  const act = async (): Promise<void> => {
    if (between === null) gate.setSilent(true);
    else answers.push(replyOf(await wallet.play(answered(between))));
  };
  gate.after(commits, act);
  const said = await wallet.play(between === null ? unmarked(call) : answered(call));
  if (gate.disarm() && between !== null) await act();
  gate.setSilent(false);
  if (between === null) await wallet.play({ kind: 'mark', delivery: call });
  came.push([...answers, replyOf(said), await seen(wallet)].join(' | '));
  return [...came, ...(await outcomesOf(wallet, later))];
}

/** What each step came to in the reference, where the first part of the call is so many transactions. */
async function playReference(
  split: Split,
  commits: number,
  marksFirst: boolean,
): Promise<string[]> {
  const { before, call, between, later } = split;
  const reference = new ReferenceWallet(GAME_ROUND, START);
  const wallet = createReferencePlayer(reference);
  const came = await outcomesOf(wallet, before);
  const said = reference.deliver(call, { commits });
  if (between === null) {
    reference.mark(call);
    came.push(['', await seen(wallet)].join(' | '));
  } else {
    // The mark is a commit as well.
    const isBehindMark = marksFirst && isMarked(answered(call), said);
    if (isBehindMark) reference.mark(call);
    const answers = await wallet.play(answered(between));
    if (!said.includes('unknown')) said.push(...reference.deliver(call, { from: commits }));
    if (!isBehindMark && isMarked(answered(call), said)) reference.mark(call);
    came.push([replyOf(answers), replyOf(said), await seen(wallet)].join(' | '));
  }
  return [...came, ...(await outcomesOf(wallet, later))];
}

async function outcomesOf(wallet: Wallet, steps: readonly Step[]): Promise<string[]> {
  const came: string[] = [];
  for (const step of steps) came.push(`${writeStep(step)} -> ${await outcomeOf(wallet, step)}`);
  return came;
}

async function seen(wallet: Wallet): Promise<string> {
  const balances = await Promise.all(Object.keys(START).map((key) => wallet.balance(key)));
  return `${await wallet.state()} ${balances.join(' ')}`;
}

function answered({ id, transactions }: Delivery): CallStep {
  return callStep(id, transactions);
}

/** No rule says what is listed of a call in parts that is answered 5xx (D4.6, D7). */
function replyOf(answers: readonly Answer[]): string {
  return answers.includes('unknown') ? '5xx' : answers.join(' ');
}

function unmarked({ id, transactions }: Delivery): CallStep {
  return callStep(id, transactions, 'unmarked');
}

function randomSplit(between: fc.Arbitrary<Delivery | null>): fc.Arbitrary<Split> {
  const split = fc.record({
    before: randomStory({ maxSteps: 3 }),
    // A void is committed apart: a call that holds one comes to several commits.
    call: fc
      .tuple(randomTransactions(), randomTransactions())
      .map((parts) => parts.flat())
      .filter((call) => call.some(({ type }) => type === 'void'))
      .map(named('call')),
    commits: fc.integer({ min: 1, max: 3 }),
    between,
    later: randomStory({ maxSteps: 4, hasLosses: true }).map((steps) => steps.map(renamed)),
  });
  return split;
}

function named(id: string): (transactions: Transaction[]) => Delivery {
  return (transactions) => ({ id, transactions });
}

/** The deliveries of the steps behind the call have names of their own. */
function renamed(step: Step): Step {
  if (step.kind !== 'call' && step.kind !== 'mark') return step;
  const { id, transactions } = step.delivery;
  return { ...step, delivery: { id: `later ${id}`, transactions } };
}

async function compare(split: Split): Promise<void> {
  const came = await playReal(split);
  const possible: string[][] = [];
  // It is written part by part (D4.6).
  const starts = partsOf(split.call).map(([start]) => start);
  for (const commits of [...starts, split.call.transactions.length].toReversed()) {
    for (const marksFirst of [false, true]) {
      possible.push(await playReference(split, commits, marksFirst));
      if (isSame(possible.at(-1), came)) return;
    }
  }
  expect({ call: writeSplit(split), possible }).toEqual(came);
}

test.each([
  ['another call', randomTransactions().map(named('between'))],
  ['silence of the store', fc.constant(null)],
])(
  'a call with %s between two of its commits comes to what the reference says of its parts',
  (_, between) => fc.assert(fc.asyncProperty(randomSplit(between), compare), runs),
  longestPlayMs,
);

function writeSplit({ call, commits, between }: Split): string {
  const what = between === null ? 'silence' : writeStep(answered(between));
  return `${writeStep(answered(call))}; after ${commits} commits: ${what}`;
}

function isSame(expected: readonly string[] | undefined, came: readonly string[]): boolean {
  return expected?.join('\n') === came.join('\n');
}
