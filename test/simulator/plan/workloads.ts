import type { Dice } from '../../../lib/proof/subject/dice';
import type { Item, Step, VoidOrder } from './types';

/** A kind of round, and how often it is drawn. */
export interface Workload {
  readonly kind: string;
  readonly weight: number;
  readonly steps: (dice: Dice, round: string) => Step[];
}

/** What the service waits for an answer (W1). */
const patienceMs = 5000;

/** The rounds of a world. Longer ones are drawn less often: what counts is their share of the calls. */
export const workloads: readonly Workload[] = [
  { kind: 'plain', weight: 40, steps: plain },
  { kind: 'one call', weight: 14, steps: oneCall },
  { kind: 'several debits', weight: 16, steps: severalDebits },
  { kind: 'free play', weight: 5, steps: freePlay },
  { kind: 'voided', weight: 8, steps: voided },
  { kind: 'follow-up voided', weight: 5, steps: followUpVoided },
  { kind: 'void first', weight: 3, steps: voidFirst },
  { kind: 'impatient', weight: 6, steps: impatient },
  { kind: 'several in one call', weight: 9, steps: severalInOneCall },
  { kind: 'stranded', weight: 3, steps: stranded },
  { kind: 'discount', weight: 3, steps: discount },
  { kind: 'long', weight: 0.4, steps: long },
  { kind: 'thousand', weight: 0.012, steps: (dice, round) => long(dice, round, 500) },
];

function plain(dice: Dice, round: string): Step[] {
  const credit = dice.chance(60) ? [creditOf(dice, 'c1')] : [];
  const steps = [call(dice, [firstOf(dice, round)]), call(dice, [...credit, endOf('e1')])];
  return withResends(dice, steps);
}

function oneCall(dice: Dice, round: string): Step[] {
  const credit = dice.chance(60) ? [creditOf(dice, 'c1')] : [];
  return withResends(dice, [call(dice, [firstOf(dice, round), ...credit, endOf('e1')])]);
}

function severalDebits(dice: Dice, round: string): Step[] {
  const steps: Step[] = [call(dice, [firstOf(dice, round)])];
  const times = dice.between(1, 4);
  for (let n = 1; n <= times; n++) {
    steps.push(call(dice, [debitOf(dice, `d${n}`)]));
    if (dice.chance(50)) steps.push(call(dice, [creditOf(dice, `c${n}`)]));
  }
  if (dice.chance(85)) steps.push(call(dice, [creditOf(dice, 'c0'), endOf('e1')]));
  return withResends(dice, steps);
}

function freePlay(dice: Dice, round: string): Step[] {
  const serial = `s${dice.between(1, 3)}`;
  const free: Item = { type: 'debit', hash: round, amount: 0, first: true, serial };
  return withResends(dice, [call(dice, [free]), call(dice, [creditOf(dice, 'c1'), endOf('e1')])]);
}

/** The service takes the whole round back, at some point of it. */
function voided(dice: Dice, round: string): Step[] {
  const first = firstOf(dice, round);
  const steps: Step[] = [call(dice, [first])];
  if (dice.chance(50)) steps.push(call(dice, [debitOf(dice, 'd1')]));
  if (dice.chance(50)) steps.push(call(dice, [creditOf(dice, 'c1')]));
  if (dice.chance(30)) steps.push(call(dice, [endOf('e1')]));
  steps.push(voidOf(dice, first));
  if (dice.chance(50)) steps.push(voidOf(dice, first));
  return withResends(dice, steps);
}

/** The service takes a follow-up debit back, and goes on. */
function followUpVoided(dice: Dice, round: string): Step[] {
  const [one, other] = [debitOf(dice, 'd1'), debitOf(dice, 'd2')];
  const credit = dice.chance(50) ? [creditOf(dice, 'c1')] : [];
  const end = dice.chance(30) ? [endOf('e0')] : [];
  const steps: Step[] = [call(dice, [firstOf(dice, round)]), call(dice, [one, ...credit, ...end])];
  if (dice.chance(50)) steps.push(call(dice, [other]));
  steps.push(
    ...(dice.chance(50) ? [one, other] : [other, one]).map((debit) => voidOf(dice, debit)),
  );
  steps.push(call(dice, [creditOf(dice, 'c2'), endOf('e1')]));
  return withResends(dice, steps);
}

/** The void is there before its debit (operator-api 3, rule 2). */
function voidFirst(dice: Dice, round: string): Step[] {
  const first = firstOf(dice, round);
  if (dice.chance(50)) {
    return [voidOf(dice, first), call(dice, [first, creditOf(dice, 'c1'), endOf('e1')])];
  }
  const late = debitOf(dice, 'd1');
  const end = call(dice, [creditOf(dice, 'c2'), endOf('e1')]);
  return [call(dice, [first]), voidOf(dice, late), call(dice, [late, creditOf(dice, 'c1')]), end];
}

/** The service gives a call up within the time that it takes, so that the void may overtake it. */
function impatient(dice: Dice, round: string): Step[] {
  const [first, debit] = [firstOf(dice, round), debitOf(dice, 'd1')];
  const hasty = (items: readonly Item[]) => call(dice, items, dice.between(1, 40));
  const steps = dice.chance(50)
    ? [hasty([first, creditOf(dice, 'c1'), endOf('e1')])]
    : [call(dice, [first]), hasty([debit, creditOf(dice, 'c1')])];
  return withResends(dice, [...steps, call(dice, [creditOf(dice, 'c2'), endOf('e2')])]);
}

function severalInOneCall(dice: Dice, round: string): Step[] {
  const one = debitOf(dice, 'd1');
  const other = dice.chance(30) ? largeOf(dice, 'd2') : debitOf(dice, 'd2');
  const first = firstOf(dice, round);
  const behind = [creditOf(dice, 'c1'), one, creditOf(dice, 'c2'), other];
  const items = behind.slice(0, dice.between(2, 4));
  const calls = dice.chance(50) ? [[first], items] : [[first, ...items]];
  const steps = [...calls, [creditOf(dice, 'c3'), endOf('e1')]].map((list) => call(dice, list));
  return withResends(dice, steps);
}

/** A debit that few players can pay. */
function largeOf(dice: Dice, hash: string): Item {
  return { type: 'debit', hash, amount: dice.between(2000, 9000) };
}

/** Such a debit, and a credit behind it that so strands the round (D4.5): people look after it. */
function stranded(dice: Dice, round: string): Step[] {
  const large = largeOf(dice, 'd1');
  const first = firstOf(dice, round);
  const steps = [call(dice, [first]), call(dice, [large]), call(dice, [creditOf(dice, 'c1')])];
  const debit = debitOf(dice, 'd0');
  if (dice.chance(60)) steps.splice(1, 0, call(dice, [debit, creditOf(dice, 'c0')]));
  // A smaller one that it gives up, perhaps before it arrives.
  const small = call(dice, [debitOf(dice, 'd2')], dice.between(1, 40));
  if (dice.chance(30)) steps.splice(-1, 0, small);
  // The service takes it back, mostly when people have done something.
  const pauseMs = dice.between(1, dice.pick([30, 60_000]));
  const back = voidOf(dice, dice.pick([first, first, large, debit]));
  return withResends(dice, dice.chance(60) ? [...steps, { ...back, pauseMs }] : steps);
}

/** A debit that is less for a campaign; some discounts are not eligible. */
function discount(dice: Dice, round: string): Step[] {
  const less = (item: Item): Item => ({ ...item, discount: dice.between(1, item.amount) });
  const first = dice.chance(70) ? less(firstOf(dice, round)) : firstOf(dice, round);
  const steps: Step[] = [call(dice, [first])];
  if (dice.chance(50)) steps.push(call(dice, [less(debitOf(dice, 'd1')), creditOf(dice, 'c1')]));
  if (dice.chance(20)) steps.push(voidOf(dice, first));
  return withResends(dice, [...steps, call(dice, [creditOf(dice, 'c2'), endOf('e1')])]);
}

/** A round of up to 200 calls, or of 1,000 (property 5). */
function long(dice: Dice, round: string, debits?: number): Step[] {
  const steps: Step[] = [call(dice, [firstOf(dice, round)])];
  const times = debits ?? dice.between(20, 100);
  for (let n = 1; n <= times; n++) {
    steps.push(call(dice, [debitOf(dice, `d${n}`)]), call(dice, [creditOf(dice, `c${n}`)]));
  }
  return withResends(dice, [...steps, call(dice, [endOf('e1')])]);
}

/** Some calls come again: with the same content, and with other amounts. */
function withResends(dice: Dice, steps: readonly Step[]): Step[] {
  const calls = steps.filter((step) => step.do === 'call').length;
  const again: Step[] = [];
  while (dice.chance(18)) {
    const other = dice.chance(30);
    again.push({ do: 'again', pauseMs: pauseOf(dice), call: dice.between(0, calls - 1), other });
  }
  const at = dice.between(1, steps.length);
  return [...steps.slice(0, at), ...again, ...steps.slice(at)];
}

function call(dice: Dice, items: readonly Item[], patience = patienceMs): Step {
  const voids = dice.pick<VoidOrder>(['together', 'apart', 'lastFirst']);
  return { do: 'call', pauseMs: pauseOf(dice), items, patienceMs: patience, voids };
}

function voidOf(dice: Dice, { hash, amount }: Item): Step {
  return { do: 'void', pauseMs: pauseOf(dice), hash, amount };
}

/** Mostly short; now and then longer than anything takes. */
function pauseOf(dice: Dice): number {
  return dice.chance(2) ? dice.between(1000, 60_000) : dice.between(1, 30);
}

/** The hash of a first debit is the gameRound (W6). */
function firstOf(dice: Dice, round: string): Item {
  return { type: 'debit', hash: round, amount: stakeOf(dice), first: true };
}

function debitOf(dice: Dice, hash: string): Item {
  return { type: 'debit', hash, amount: stakeOf(dice) };
}

function stakeOf(dice: Dice): number {
  return dice.chance(5) ? dice.between(100, 2000) : dice.between(1, 50);
}

function creditOf(dice: Dice, hash: string): Item {
  return { type: 'credit', hash, amount: dice.chance(10) ? 0 : dice.between(1, 70) };
}

function endOf(hash: string): Item {
  return { type: 'end', hash, amount: 0 };
}
