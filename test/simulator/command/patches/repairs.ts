import type { Patch } from './patch';

const approve = 'operator/gameround/repairs/decision.ts';
const repair = 'operator/gameround/repair.ts';
const pay = 'operator/gameround/repairs/pay.ts';

/** Bugs of what people do to rounds (D11), and of discounts. */
export const repairPatches: readonly Patch[] = [
  {
    name: 'a repair that is approved again is made again',
    breaks: 'O1, D11.2',
    file: approve,
    from: "    case 'done':\n    case 'takenBack':\n      return { kind: 'made', repair };",
    to: "    case 'takenBack':\n      return { kind: 'made', repair };\n    case 'done':",
  },
  {
    name: 'an own repair can be approved',
    breaks: 'D11.2',
    file: approve,
    from: 'if (isOwn && needsAnother(repair, policy.fourEyes)) {',
    to: 'if (false) {',
  },
  {
    name: 'a paid repair moves nothing',
    breaks: 'O1',
    file: approve,
    from: "const movements = repair.kind === 'pay' ? movementsOfPay(repair) : [];",
    to: 'const movements: never[] = [];',
  },
  {
    name: 'a repair leaves the round as it is',
    breaks: 'D11.3',
    file: approve,
    from: "const entered = isStuck ? enter(before, 'closed', now) : before;",
    to: 'const entered = before;',
  },
  {
    name: 'a win that comes after the end of its round needs nobody',
    breaks: 'D4.7',
    file: repair,
    from: 'return isStuck(bare.state) ? leaveRepair(bare) : stuckHead(hash, head, now);',
    to: 'return isStuck(bare.state) ? leaveRepair(bare) : head;',
  },
  {
    name: 'a win that comes after the end of its round never crashes it',
    breaks: 'D4.7: a credit of the round was accepted',
    file: repair,
    from: 'leaveRepair(bare) : stuckHead(hash, head, now);',
    to: "leaveRepair(bare) : { ...stuckHead(hash, head, now), state: 'stranded' };",
  },
  {
    name: 'a void leaves what repairs paid',
    history: 'paid-by-a-repair-and-voided',
    breaks: 'O4, D11.4',
    file: repair,
    from: "one.kind === 'pay' && isMade(one) && isConcerned(one);",
    to: 'false;',
  },
  {
    name: 'a credit is paid by every repair that is proposed for it',
    breaks: 'O1, D11.3',
    file: pay,
    from: "if (isPaid(hash, head)) return 'alreadyPaid';",
    to: '',
  },
  {
    name: 'a discount that is not eligible is granted',
    breaks: 'D8: id 33',
    file: 'operator/gameround/debit.ts',
    from: 'if (debit.discount > 0n && !context.eligibleDiscounts.has(debit.hash)) {',
    to: 'if (false) {',
  },
  {
    name: 'a discount is not taken off',
    breaks: 'O1',
    file: 'operator/gameround/debit.ts',
    from: 'amount: debit.amount - debit.discount,',
    to: 'amount: debit.amount,',
  },
];
