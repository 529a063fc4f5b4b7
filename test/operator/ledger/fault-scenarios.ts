import type { Item } from '../../rgs/load/protocol-rgs';
import type { Scenario } from './fault-run';

const first: Item = { type: 'debit', hash: 'd1', amount: 10, isFirstDebit: true };
const end: Item = { type: 'end', hash: 'e1' };
const rich = { real: 100, bonus: 0 };

function followUp(hash: string, amount = 5): Item {
  return { type: 'debit', hash, amount };
}

function credit(hash: string, amount = 7): Item {
  return { type: 'credit', hash, amount };
}

/** The ways in which rounds go, each of them once without any fault. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'debit, credit and end in one call',
    start: rich,
    play: (rgs) => rgs.play(first, credit('c1'), end),
  },
  {
    name: 'a debit, then a credit, then an end',
    start: rich,
    play: async (rgs) => {
      if (!(await rgs.play(first))) return;
      await rgs.pay(credit('c1'));
      await rgs.pay(end);
    },
  },
  {
    name: 'an initial and a follow-up debit, with credits after both',
    start: rich,
    play: async (rgs) => {
      if (!(await rgs.play(first))) return;
      await rgs.pay(credit('c1', 3));
      await rgs.play(followUp('d2'));
      await rgs.pay(credit('c2'), credit('c3', 2), end);
    },
  },
  {
    name: 'two debits and a credit in one call',
    start: rich,
    play: (rgs) => rgs.play(first, followUp('d2'), credit('c1')),
  },
  {
    name: 'two debits in one call, too little money for the second',
    start: { real: 12, bonus: 0 },
    play: (rgs) => rgs.play(first, followUp('d2'), credit('c1')),
  },
  {
    name: 'debit, credit and end in one call, with too little money',
    start: { real: 9, bonus: 0 },
    play: (rgs) => rgs.play(first, credit('c1'), end),
  },
  {
    name: 'a credit that the ledger refuses, and one before it',
    start: rich,
    refuses: ['c2'],
    play: async (rgs) => {
      if (!(await rgs.play(first))) return;
      await rgs.pay(credit('c1'), credit('c2'), credit('c3'), end);
    },
  },
  {
    name: 'a credit that the ledger refuses, in the call of its debit',
    start: rich,
    refuses: ['c1'],
    play: (rgs) => rgs.play(first, credit('c1'), end),
  },
  {
    name: 'a debit and its void',
    start: rich,
    play: async (rgs) => {
      await rgs.play(first);
      await rgs.cancel(first);
    },
  },
  {
    name: 'a void before its debit',
    start: rich,
    play: async (rgs) => {
      await rgs.cancel(first);
      await rgs.play(first, credit('c1'), end);
    },
  },
  {
    name: 'the void of a follow-up debit',
    start: rich,
    play: async (rgs) => {
      if (!(await rgs.play(first))) return;
      await rgs.play(followUp('d2'));
      await rgs.cancel(followUp('d2'));
      await rgs.pay(credit('c1'), end);
    },
  },
  {
    name: 'the void of the first debit of a round with several of both',
    start: rich,
    play: async (rgs) => {
      if (!(await rgs.play(first))) return;
      await rgs.pay(credit('c1'), credit('c2', 20));
      await rgs.play(followUp('d2'));
      await rgs.cancel(first);
    },
  },
  {
    name: 'a free play and a credit of 0',
    start: rich,
    play: async (rgs) => {
      const free: Item = { ...first, amount: 0, serial: 'package-1' };
      if (await rgs.play(free)) await rgs.pay(credit('c1', 0), end);
    },
  },
  {
    name: 'a free play with its credit in one call',
    start: rich,
    play: (rgs) => rgs.play({ ...first, amount: 0, serial: 'package-1' }, credit('c1'), end),
  },
  {
    name: 'stakes and credits by shares of a bonus balance',
    start: { real: 20, bonus: 4 },
    creditTo: 'stakeShares',
    play: async (rgs) => {
      if (!(await rgs.play(first, credit('c1', 5)))) return;
      await rgs.play(followUp('d2'));
      await rgs.pay(credit('c2', 9), end);
    },
  },
  {
    name: 'a credit and a follow-up debit in one call',
    start: rich,
    play: async (rgs) => {
      if (!(await rgs.play(first))) return;
      await rgs.play(credit('c1'), followUp('d2'));
      await rgs.pay(end);
    },
  },
  {
    name: 'a follow-up debit and its credit in one call',
    start: rich,
    play: async (rgs) => {
      if (!(await rgs.play(first))) return;
      await rgs.play(followUp('d2'), credit('c1'));
      await rgs.pay(end);
    },
  },
  {
    name: 'a follow-up debit, its credit and the end in one call',
    start: rich,
    play: async (rgs) => {
      if (!(await rgs.play(first))) return;
      if (!(await rgs.play(followUp('d2'), credit('c1'), end))) await rgs.pay(credit('c2'));
    },
  },
  {
    name: 'two follow-up debits with a credit each in one call, and the void of both',
    start: rich,
    play: async (rgs) => {
      if (!(await rgs.play(first))) return;
      await rgs.play(followUp('d2'), credit('c1'), followUp('d3'), credit('c2', 2), end);
      await rgs.cancel(followUp('d2'));
      await rgs.cancel(followUp('d3'));
    },
  },
  {
    name: 'a call that is resent after it was processed',
    start: rich,
    play: async (rgs) => {
      if (!(await rgs.play(first, credit('c1')))) return;
      await rgs.play(first, credit('c1'));
      await rgs.pay(credit('c2'));
      await rgs.pay(credit('c2'));
    },
  },
];

/** A round of more credits than are taken back in one go, and its void. */
export const longRound: Scenario = {
  name: 'the void of a round of 70 credits',
  start: rich,
  play: async (rgs) => {
    if (!(await rgs.play(first))) return;
    const credits = Array.from({ length: 70 }, (_, index) => credit(`c${index}`, 1));
    await rgs.pay(...credits);
    await rgs.cancel(first);
  },
};
