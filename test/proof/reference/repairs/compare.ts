import { START, type Wallet } from '../story';
import { type Came, historiesAfter } from './orders';
import type { RepairedWallet } from './real-people';
import { RepairedReference } from './reference-people';
import { type Act, type RepairStory, writeAct, writeAnyStep } from './story';

/** Does all of it at once; in some order of its own where it is told one. */
export type AtOnce = <T>(
  order: readonly number[],
  works: readonly (() => Promise<T>)[],
) => Promise<T[]>;

const inItsOwnOrder: AtOnce = (_, works) => Promise.all(works.map((work) => work()));

/** A step of the story as it went, and what was seen after it. */
interface Played {
  readonly text: string;
  /** What came at once, in the order in which it was over; null as a day passed. */
  readonly came: readonly Came[] | null;
  readonly seen: string;
}

/**
 * Plays a story with repairs, and compares it with the text: answers, state and balances after each step, and that
 * nothing came that it does not allow. Of what comes at once, it must be as in some order of it.
 */
export async function compareRepairs(
  real: RepairedWallet,
  story: RepairStory,
  atOnce: AtOnce = inItsOwnOrder,
): Promise<void> {
  const played: Played[] = [];
  const ids: string[] = [];
  for (const step of story) {
    try {
      played.push(await play(real, step, ids, atOnce));
    } catch (error) {
      throw toldOf(played, writeAnyStep(step), error);
    }
  }
  new Comparison(played, real.isOverLedger).run();
}

async function play(
  real: RepairedWallet,
  step: RepairStory[number],
  ids: string[],
  atOnce: AtOnce,
): Promise<Played> {
  if (step.kind === 'day') {
    real.passDay();
    return { text: writeAnyStep(step), came: null, seen: await seen(real) };
  }
  const [acts, order] = step.kind === 'atOnce' ? [step.acts, step.order] : [[step], [0]];
  const known = [...ids];
  const came: Came[] = [];
  const texts: string[] = [];
  const works = acts.map((one) => async () => {
    const what = await act(real, known, one);
    came.push(what);
    texts.push(`${writeAct(one)} -> ${wordsOf(what)}`);
    if (what.kind === 'propose' && what.proposed.word === 'proposed') ids.push(what.proposed.id);
  });
  await atOnce(order, works);
  return { text: texts.join(' | '), came, seen: await seen(real) };
}

/** A comparison tries no more histories; three that come at once, three times in a story, have some tens of thousands. */
const maxTries = 300_000;

/** Looks for a history that the text allows. */
class Comparison {
  private tries = 0;
  /** The step that no history came to the end of, so far. */
  private furthest = 0;
  private why: unknown = null;

  constructor(
    private readonly played: readonly Played[],
    private readonly isOverLedger: boolean,
  ) {}

  /** @throws Error that tells the story up to the step that the text does not allow. */
  run(): void {
    if (this.isAllowed(new RepairedReference(), 0)) return;
    if (this.tries > maxTries) throw new Error(`not decided after ${maxTries} histories`);
    const { text = '' } = this.played[this.furthest] ?? {};
    throw toldOf(this.played.slice(0, this.furthest), text, this.why);
  }

  private isAllowed(reference: RepairedReference, at: number): boolean {
    const step = this.played[at];
    if (step === undefined) return true;
    for (const after of this.after(reference, step, at)) {
      if ((this.tries += 1) > maxTries) return false;
      const should = stateOf(after);
      if (should !== step.seen) {
        this.refuse(at, new Error(`should be ${should}, is ${step.seen}`));
      } else if (this.isAllowed(after, at + 1)) return true;
    }
    return false;
  }

  private after(
    reference: RepairedReference,
    { came }: Played,
    at: number,
  ): Iterable<RepairedReference> {
    if (came !== null) {
      const options = { isOverLedger: this.isOverLedger };
      return historiesAfter(reference, came, options, (why) => this.refuse(at, why));
    }
    const next = reference.copy();
    next.passDay();
    return [next];
  }

  private refuse(at: number, why: unknown): void {
    if (at < this.furthest) return;
    this.furthest = at;
    this.why = why;
  }
}

function toldOf(before: readonly Played[], text: string, why: unknown): Error {
  const told = [...before.map((step) => step.text), text, String(why)];
  return new Error(told.join('\n'), { cause: why });
}

/** @param ids Of the proposals so far. */
async function act(real: RepairedWallet, ids: readonly string[], one: Act): Promise<Came> {
  switch (one.kind) {
    case 'propose':
      return {
        kind: 'propose',
        step: one,
        proposed: await real.propose(one.repair, one.hash, one.by),
      };
    case 'approve':
    case 'reject': {
      const { kind, by } = one;
      const id = ids.toReversed()[one.of] ?? 'unknown';
      return { kind, by, id, word: await real[kind](id, by) };
    }
    case 'call':
      return { kind: 'call', step: one, answers: await real.play(one) };
    default:
      await real.play(one);
      return { kind: 'step', step: one };
  }
}

function wordsOf(came: Came): string {
  if (came.kind === 'call') return came.answers.join(' ');
  if (came.kind === 'step') return '';
  return came.kind === 'propose' ? came.proposed.word : came.word;
}

async function seen(wallet: Wallet): Promise<string> {
  const balances: string[] = [];
  for (const currency of Object.keys(START)) balances.push(`${await wallet.balance(currency)}`);
  return [await wallet.state(), ...balances].join(' ');
}

function stateOf(reference: RepairedReference): string {
  const balances = Object.keys(START).map((currency) => `${reference.balance(currency)}`);
  return [reference.state(), ...balances].join(' ');
}
