import type { Patch } from './patch';

const groups = { file: 'operator/wallet/limits/groups.ts' } as const;
const blocks = { file: 'operator/stores/memory/limits.ts' } as const;

/** Bugs of limits and of blocks that end (D13), in what all stores share and in memory. */
export const limitPatches: readonly Patch[] = [
  {
    ...groups,
    name: 'limits: a debit beyond a limit is accepted',
    breaks: 'D13.3',
    from: "if (kind === 'take' && counted.some((one) => isConcerned(one) && isOverMost(one))) return null;",
    to: '',
  },
  {
    ...groups,
    name: 'limits: a credit is refused beyond a limit',
    breaks: 'D13.3: only debits and deposits are',
    from: "if (kind === 'take' && counted.some(",
    to: "if (kind !== 'take' && counted.some(",
  },
  {
    ...groups,
    name: 'limits: a debit that reaches a limit is refused',
    breaks: 'D13.3: only one that would exceed it is',
    from: 'most !== null && used > most',
    to: 'most !== null && used >= most',
  },
  {
    ...groups,
    name: 'limits: a credit reduces no loss',
    breaks: 'D13.4',
    from: "return group.kind === 'loss' ? add(group, -units) : group;",
    to: 'return group;',
  },
  {
    ...groups,
    name: 'limits: bonus money always counts',
    breaks: 'D13.3: the real balance alone, unless it is told',
    from: "return counts === 'all' ? real + bonus : real;",
    to: "return counts === 'all' ? real + bonus : real + bonus;",
  },
  {
    ...groups,
    name: 'limits: a window goes on when the next one has begun',
    breaks: 'D13.5',
    from: 'return number > counter.number ? { ...counter, number, used: 0n } : counter;',
    to: 'return number > counter.number ? { ...counter, number } : counter;',
  },
  {
    ...groups,
    name: 'limits: a void gives room from yesterday',
    breaks: 'D13.4: it takes back what was counted in the same window',
    from: 'times[place]?.[at] === counter.number,',
    to: 'times[place]?.[at] !== undefined,',
  },
  {
    ...groups,
    name: 'limits: a void gives room for what moved before the limit',
    breaks: 'D13.4: that counted nothing',
    from: 'movedAt > group.since &&',
    to: '',
  },
  {
    ...groups,
    name: 'limits: another limit of a kind counts from 0 again',
    breaks: 'D13.6',
    from: 'known === undefined || isOther ? newGroup(',
    to: 'true ? newGroup(',
  },
  {
    ...groups,
    name: 'limits: a deposit beyond a limit is done',
    breaks: 'D13.3',
    from: 'return counted.some(isOver) ? null : counted;',
    to: 'return counted;',
  },
  {
    name: 'limits: a deposit is not counted',
    breaks: 'D13.3: the next one exceeds the limit',
    file: 'operator/stores/memory/accounts.ts',
    from: 'player.balances.set(currency, moved);\n    player.limits = limits;',
    to: 'player.balances.set(currency, moved);',
  },
  {
    name: 'limits: the void of a round takes back nothing',
    breaks: 'D13.4',
    file: 'operator/wallet/limits/moment.ts',
    from: 'one.isWholeRound ? eachOf(view) : [one]',
    to: 'one.isWholeRound ? [] : [one]',
  },
  {
    name: 'limits: a credit that goes back with its debit stays in the loss',
    breaks: 'D13.4',
    file: 'operator/gameround/void.ts',
    from: 'takenBack: [own, ...back.given]',
    to: 'takenBack: [own]',
  },
  {
    name: 'limits: what a repair paid stays in the loss when it goes back',
    breaks: 'D13.4: repairs count as credits',
    history: 'repair-back-against-a-limit',
    file: 'operator/gameround/repair.ts',
    from: 'takenBack.push({ currency, at, debits: emptyPurse, credits: purse });',
    to: '',
  },
  {
    ...blocks,
    name: 'limits: a block that ends blocks for ever',
    breaks: 'D13.2',
    from: 'return blocked && (blockedUntil === null || now < blockedUntil);',
    to: 'return blocked;',
  },
  {
    ...blocks,
    name: 'limits: a block that ends blocks nothing',
    breaks: 'D13.2',
    from: 'return blocked && (blockedUntil === null || now < blockedUntil);',
    to: 'return blocked && blockedUntil === null;',
  },
];
