import type { Act, Item, Plan, PlayerPlan, RoundPlan, Step, VoidOrder } from '../plan/types';

/** A short history whose every point is walked: the ways in which rounds go. */
export interface Scenario {
  readonly name: string;
  readonly player?: PlayerPlan;
  readonly policy?: Plan['policy'];
  /** Steps of each round; all of them begin at once, and are of one player. */
  readonly rounds: readonly (readonly Step[])[];
  readonly acts?: readonly Act[];
}

interface CallMore {
  readonly patienceMs?: number;
  readonly voids?: VoidOrder;
  readonly pauseMs?: number;
  readonly afterEnd?: true;
}

const first = (amount = 10, round = 1): Item => {
  return { type: 'debit', hash: `g${round}`, amount, first: true };
};
const free: Item = { ...first(0), serial: 's1' };
const debit = (hash: string, amount = 5): Item => ({ type: 'debit', hash, amount });
const credit = (hash: string, amount = 7): Item => ({ type: 'credit', hash, amount });
const end: Item = { type: 'end', hash: 'e1', amount: 0 };
const call = (items: readonly Item[], more: CallMore = {}): Step => {
  return { do: 'call', pauseMs: 10, items, patienceMs: 5000, voids: 'together', ...more };
};
const takeBack = (hash: string, amount = 10): Step => ({ do: 'void', pauseMs: 10, hash, amount });
const again = (at: number, other = false): Step => ({ do: 'again', pauseMs: 10, call: at, other });
const cash = (kind: 'deposit' | 'withdraw', units: number, atMs: number): Act => {
  return { do: kind, atMs, player: 0, units, reference: `r${atMs}` };
};
const block = (atMs: number, blocked: boolean): Act => ({ do: 'block', atMs, player: 0, blocked });
const three = [first(), debit('d2'), debit('d3')];

/** Each once without any fault; together they have every kind of call, void and refusal. */
export const scenarios: readonly Scenario[] = [
  { name: 'debit, credit and end in one call', rounds: [[call([first(), credit('c1'), end])]] },
  { name: 'debit, credit, end', rounds: [[call([first()]), call([credit('c1')]), call([end])]] },
  { name: 'debit, then credit and end', rounds: [[call([first()]), call([credit('c1'), end])]] },
  {
    name: 'a follow-up debit',
    rounds: [[call([first()]), call([debit('d2')]), call([credit('c1'), end])]],
  },
  {
    name: 'credits between debits',
    rounds: [
      [call([first()]), call([credit('c1')]), call([debit('d2')]), call([credit('c2'), end])],
    ],
  },
  {
    name: 'a credit and a follow-up debit in one call',
    rounds: [[call([first()]), call([credit('c1'), debit('d2')]), call([end])]],
  },
  {
    name: 'a follow-up debit, its credit and the end in one call',
    rounds: [[call([first()]), call([debit('d2'), credit('c1'), end])]],
  },
  {
    name: 'two debits and a credit in one call',
    rounds: [[call([first(), debit('d2'), credit('c1')])]],
  },
  {
    name: 'two debits in one call, too little for the second',
    player: { real: 12, bonus: null },
    rounds: [[call([first(), debit('d2'), credit('c1')])]],
  },
  {
    name: 'too little money',
    player: { real: 9, bonus: null },
    rounds: [[call([first(), credit('c1'), end])]],
  },
  {
    name: 'too little money for a follow-up debit',
    player: { real: 12, bonus: null },
    rounds: [[call([first()]), call([debit('d2')]), call([credit('c1'), end])]],
  },
  { name: 'a free play', rounds: [[call([free]), call([credit('c1'), end])]] },
  { name: 'a free play and its credit in one call', rounds: [[call([free, credit('c1'), end])]] },
  { name: 'a credit of nothing', rounds: [[call([first()]), call([credit('c1', 0), end])]] },
  { name: 'a debit and its void', rounds: [[call([first()]), takeBack('g1')]] },
  {
    name: 'a void before its debit',
    rounds: [[takeBack('g1'), call([first(), credit('c1'), end])]],
  },
  {
    name: 'the void of a follow-up debit',
    rounds: [[call([first()]), call([debit('d2')]), takeBack('d2', 5), call([credit('c1'), end])]],
  },
  {
    name: 'the void of a round with debits and credits',
    rounds: [[call([first()]), call([credit('c1', 20)]), call([debit('d2')]), takeBack('g1')]],
  },
  {
    name: 'three debits of a call that the service gives up, voided together',
    rounds: [[call(three, { patienceMs: 3 })]],
  },
  {
    name: 'three debits of a call that the service gives up, voided apart',
    rounds: [[call(three, { patienceMs: 3, voids: 'apart' })]],
  },
  {
    name: 'three debits of a call that the service gives up, the last voided first',
    rounds: [[call(three, { patienceMs: 3, voids: 'lastFirst' })]],
  },
  {
    name: 'a call that comes again',
    rounds: [[call([first(), credit('c1')]), again(0), call([end])]],
  },
  {
    name: 'a call that comes again with other content',
    rounds: [[call([first()]), again(0, true), call([credit('c1'), end])]],
  },
  {
    name: 'calls that come again after the end',
    rounds: [[call([first()]), call([credit('c1'), end]), again(0), again(1)]],
  },
  {
    name: 'a win after the end of its round',
    rounds: [
      [call([first()]), call([credit('c1'), end]), call([credit('c2')], { afterEnd: true })],
    ],
  },
  {
    name: 'two rounds at once',
    rounds: [
      [call([first(10, 1)]), call([credit('c1'), end])],
      [call([first(10, 2)]), call([credit('c1'), end])],
    ],
  },
  {
    name: 'two rounds at once, and money for one',
    player: { real: 12, bonus: null },
    rounds: [[call([first(10, 1), end])], [call([first(10, 2), end])]],
  },
  {
    name: 'bonus money first',
    player: { real: 20, bonus: 4 },
    policy: { useBonusFirst: true, creditTo: 'real' },
    rounds: [[call([first()]), call([credit('c1'), end])]],
  },
  {
    name: 'credits by shares of bonus money',
    player: { real: 8, bonus: 6 },
    policy: { useBonusFirst: false, creditTo: 'stakeShares' },
    rounds: [[call([first(), credit('c1', 5)]), call([credit('c2', 9), end])]],
  },
  {
    name: 'a deposit between debits',
    player: { real: 10, bonus: null },
    rounds: [[call([first()]), call([debit('d2')], { pauseMs: 60 }), call([end])]],
    acts: [cash('deposit', 50, 40)],
  },
  {
    name: 'a withdrawal between debits',
    player: { real: 15, bonus: null },
    rounds: [[call([first()]), call([debit('d2')], { pauseMs: 60 }), call([end])]],
    acts: [cash('withdraw', 5, 40)],
  },
  {
    name: 'a player who is blocked between debits',
    rounds: [[call([first()]), call([debit('d2')], { pauseMs: 60 }), call([credit('c1'), end])]],
    acts: [block(40, true)],
  },
];

/** A scenario as a plan of one player and two wallets, in which nothing goes wrong by itself. */
export function planOf(scenario: Scenario, store: Plan['store']): Plan {
  const { player, policy, acts = [] } = scenario;
  return {
    seed: 1,
    store,
    wallets: 2,
    policy: policy ?? { useBonusFirst: false, creditTo: 'real' },
    rates: { line: 0, port: 0 },
    players: [player ?? { real: 100, bonus: null }],
    rounds: scenario.rounds.map((steps, at): RoundPlan => {
      return { id: `g${at + 1}`, kind: scenario.name, player: 0, atMs: 20, steps };
    }),
    acts,
    incidents: [],
  };
}
