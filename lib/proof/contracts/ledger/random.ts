import assert from 'node:assert/strict';
import type { Purse } from '../../../protocol/money/purse';
import { toText } from '../../oracle/broken-rule';
import { systemRandom, wholeBelow } from '../../../platform/random';
import type { RoundKey } from '../../../operator/wallet';
import { orderOf, playerWith } from '../case';
import type { Case } from '../suite';
import { creditOf, debitOf, keyOf, type RetryingLedger, paidOf, type PostingAnswer } from './case';
import { type Batch, generateBatches } from './generator';
import {
  branchesOf,
  firstState,
  type KeyNote,
  type LedgerAction,
  type LedgerState,
  type LedgerAnswer,
} from './model';

const sequences = 60;
const sequencesPerCase = 20;
const sequencesAtOnce = 4;

/** Random postings, repeats and reversals, several concurrently, checked against a model. */
export function randomRules(hasBonus: boolean, seed = wholeBelow(systemRandom, 2 ** 31)) {
  return (it: Case<RetryingLedger>): void => {
    for (let first = 0; first < sequences; first += sequencesPerCase) {
      const name = `sequences ${first + 1} to ${first + sequencesPerCase}`;
      it(`${name} match some order of them: else books drift`, async (ledger) => {
        const seeds = Array.from({ length: sequencesPerCase }, (_, at) => seed + first + at);
        const play = async (): Promise<void> => {
          for (let next = seeds.shift(); next !== undefined; next = seeds.shift()) {
            await playSeed(ledger, next, hasBonus);
          }
        };
        await Promise.all(Array.from({ length: sequencesAtOnce }, play));
      });
    }
  };
}

async function playSeed(ledger: RetryingLedger, seed: number, hasBonus: boolean): Promise<void> {
  const { start, batches } = generateBatches(seed, hasBonus);
  const round = await playerWith(ledger.players, start.real, hasBonus ? start.bonus : undefined);
  const player = new SequencePlayer(ledger, round);
  let states: readonly LedgerState[] = [firstState(start)];
  for (const [at, batch] of batches.entries()) {
    const answers = await Promise.all(batch.map((action) => player.play(action)));
    const purse = await ledger.purse(round);
    const answered = batch.map((action, index) => ({ action, answer: answers[index] ?? null }));
    states = explain(states, [...answered, ...player.thrownOf(batch)]).filter((state) =>
      isSame(state.purse, purse),
    );
    if (states.length > 0) continue;
    const lines = batches.slice(0, at + 1).map((one) => `  ${one.map(toText).join(' | ')}`);
    assert.fail(
      `the sequence of seed ${seed} has no explanation: no order of the last line gives\n` +
        `  ${answers.map(toText).join(' | ')}\nand balances of ${toText(purse)}\n` +
        `opened with ${toText(start)}, one line at a time:\n${lines.join('\n')}`,
    );
  }
}

/** An action of a batch, and its answer; null for an attempt that threw. */
interface Played {
  readonly action: LedgerAction;
  readonly answer: LedgerAnswer | null;
}

/**
 * Every state that some order of the batch, with exactly these answers, can lead to. An attempt that threw
 * may have happened at any time, or not at all.
 */
function explain(
  states: readonly LedgerState[],
  played: readonly Played[],
): readonly LedgerState[] {
  const found = new Map<string, LedgerState>();
  const seen = new Set<string>();
  const visit = (state: LedgerState, left: readonly Played[]): void => {
    const name = nameOf(state);
    const place = `${name} ${left.map((one) => played.indexOf(one)).join()}`;
    if (seen.has(place)) return;
    seen.add(place);
    if (left.every(({ answer }) => answer === null)) found.set(name, state);
    for (const one of left) {
      const others = left.filter((other) => other !== one);
      for (const branch of branchesOf(state, one.action)) {
        if (one.answer === null || agrees(branch.answer, one.answer)) visit(branch.state, others);
      }
    }
  };
  for (const state of states) visit(state, played);
  return [...found.values()];
}

function nameOf({ purse, isBlocked, notes }: LedgerState): string {
  const sortedNotes = [...notes].toSorted(([a], [b]) => a - b).map(noteName);
  return `${purse.real} ${purse.bonus} ${isBlocked} ${sortedNotes.join()}`;
}

function noteName([key, { content, paid, moved, outcome }]: readonly [number, KeyNote]): string {
  return `${key} ${outcome} ${content} ${paid?.real} ${paid?.bonus} ${moved.real} ${moved.bonus}`;
}

function agrees(expected: LedgerAnswer, actual: LedgerAnswer): boolean {
  if (expected.kind === 'refused') {
    return (
      actual.kind === 'refused' && (expected.reason === null || expected.reason === actual.reason)
    );
  }
  if (actual.kind !== 'done') return false;
  return expected.paid === null || (actual.paid !== null && isSame(expected.paid, actual.paid));
}

/** Sends the actions of one sequence. */
class SequencePlayer {
  constructor(
    private readonly ledger: RetryingLedger,
    private readonly round: RoundKey,
  ) {}

  async play(action: LedgerAction): Promise<LedgerAnswer> {
    const { ledger, round } = this;
    switch (action.kind) {
      case 'debit': {
        const { amount, bonusFirst } = action;
        const posting = debitOf(round, amount, { ...this.names(action.key), bonusFirst });
        return answerOf(await ledger.debit(posting), amount);
      }
      case 'credit': {
        const { purse, key } = action;
        return answerOf(
          await ledger.credit(creditOf(round, 0n, { ...this.names(key), purse })),
          null,
        );
      }
      case 'reverse':
        await ledger.reverse(debitOf(round, 0n, this.names(action.key)));
        return { kind: 'done', paid: null };
      case 'deposit':
      case 'withdraw': {
        const { kind } = await ledger.players[action.kind](orderOf(round, action.amount));
        assert.notEqual(kind, 'unknown', 'the players of a suite must know what they did');
        return kind === 'done' ? { kind, paid: null } : { kind: 'refused', reason: null };
      }
      case 'block':
      case 'unblock':
        await ledger.players.setBlocked(round, action.kind === 'block');
        return { kind: 'done', paid: null };
    }
  }

  /** The attempts at these actions that threw, one for each. */
  thrownOf(batch: Batch): readonly Played[] {
    return batch.flatMap((action) => {
      if (!('key' in action)) return []; // the players know what they did
      const { key } = this.names(action.key);
      return this.ledger.hasThrown(action.kind, key) ? [{ action, answer: null }] : [];
    });
  }

  private names(key: number): { readonly key: string; readonly hash: string } {
    const hash = `hash-${key}`;
    return { hash, key: keyOf(this.round, hash) };
  }
}

function answerOf(answer: PostingAnswer, amount: bigint | null): LedgerAnswer {
  if (answer.kind === 'refused') return answer;
  return { kind: 'done', paid: amount === null ? null : paidOf(answer, amount) };
}

function isSame(a: Purse, b: Purse): boolean {
  return a.real === b.real && a.bonus === b.bonus;
}
