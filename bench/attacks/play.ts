import { nextTurn } from '../../lib/platform/turn';
import { Dice } from '../../lib/proof/subject/dice';
import { exchange } from './exchange';
import { nextInput } from './inputs/generate';
import { balanceOf } from './inputs/good';
import type { Input, Kind } from './inputs/input';
import { Judge } from './judge';
import { HeldMemory, type MemoryWatch } from './memory';
import { Line, type Moment } from './inputs/moment';
import { type Front, Parties } from './parties';
import { type Tally, newTally } from './tally';
import { firstMs, players, secrets } from './inputs/terms';

/** Inputs of a batch: each begins with an empty store, and ends with the balance of every player. */
export const batchSize = 2000;

/** How long a run is, and who looks on. */
export interface Run {
  readonly seed: number;
  readonly inputs: number;
  /** Plays nothing but the batch of this input; null for all. */
  readonly only: number | null;
  /** Called after each batch. */
  readonly onBatch?: (tally: Tally) => void;
  readonly isStopped?: () => boolean;
  /** Sees every input with its answer, when `only` is set: that one alone. */
  readonly onInput?: (input: Input, status: number, text: string) => void;
  /** A fault that is planted. */
  readonly front?: Front;
  /** Where errors that nobody handles are told: this process, unless set. */
  readonly uncaught?: Pick<NodeJS.Process, 'on' | 'off'>;
  /** How the memory of the process is watched; not at all unless set. */
  readonly memory?: MemoryWatch;
}

/** Most faults that are kept: a run with more is wrong enough. */
const maxFaults = 20;

/** Plays all inputs of a run. Rejections that nobody handles are faults of the input before them. */
export async function playInputs(run: Run): Promise<Tally> {
  const player = new Player(run);
  const memory = run.memory === undefined ? null : new HeldMemory(run.memory);
  const { uncaught = process } = run;
  const onRejection = (error: unknown): void => player.note(`unhandled: ${String(error)}`);
  uncaught.on('unhandledRejection', onRejection);
  uncaught.on('uncaughtException', onRejection);
  try {
    const { only, inputs } = run;
    const first = only === null ? 0 : Math.floor(only / batchSize);
    const last = only === null ? Math.ceil(inputs / batchSize) - 1 : first;
    for (let batch = first; batch <= last && !player.isEnded; batch++) {
      const left = (only === null ? inputs : only + 1) - batch * batchSize;
      await player.batch(batch, Math.min(batchSize, left));
      await nextTurn();
      const held = (await memory?.fault(player.tally.inputs)) ?? null;
      if (held !== null) player.note(held);
      run.onBatch?.(player.tally);
      if (run.isStopped?.() === true) break;
    }
  } finally {
    uncaught.off('unhandledRejection', onRejection);
    uncaught.off('uncaughtException', onRejection);
  }
  return player.tally;
}

class Player {
  readonly tally = newTally();
  private readonly judge = new Judge();
  private readonly parties: Parties;
  private number = 0;
  private kind: Kind = 'good';
  private name = 'nothing yet';
  /** Whether the input is one that a call in doubt answers (503), which is logged as an error. */
  private mayFail = false;

  constructor(private readonly run: Run) {
    this.parties = new Parties((level, text) => {
      if (level === 'error' && !this.mayFail)
        this.note(`a line of level error: ${text.slice(0, 300)}`);
      else if (secrets.some((secret) => text.includes(secret))) this.note('a secret in the log');
    }, run.front);
  }

  get isEnded(): boolean {
    return this.tally.faults.length >= maxFaults;
  }

  note(text: string): void {
    const { number, kind, name } = this;
    if (this.isEnded) return;
    this.tally.faults.push({ number, kind, name, text });
  }

  async batch(batch: number, size: number): Promise<void> {
    const dice = new Dice(Math.imul(this.run.seed, 0x9e3779b1) ^ Math.imul(batch + 1, 0x85ebca6b));
    const line = new Line();
    await this.parties.begin();
    this.judge.begin();
    for (let at = 0; at < size && !this.isEnded; at++) {
      await this.input(dice, this.moment(batch * batchSize + at, line));
      // What a call leaves to the next turn must not pile up.
      if (at % 50 === 49) await nextTurn();
    }
    const end = this.moment(batch * batchSize + size - 1, line);
    for (const [at, playerId] of players.entries()) {
      const timestamp = new Date(end.atMs - 1000 - at).toISOString();
      await this.checkBalance(playerId, dice, { ...end, timestamp });
    }
  }

  private moment(number: number, line: Line): Moment {
    const atMs = firstMs + number;
    this.number = number;
    this.parties.nowMs = atMs;
    return { number, atMs, timestamp: new Date(atMs).toISOString(), line };
  }

  private async input(dice: Dice, moment: Moment): Promise<void> {
    const input = nextInput(dice, moment);
    const { kind, api, name, request } = input;
    this.kind = kind;
    this.name = `${api}: ${name}`;
    this.mayFail = mayBeInDoubt(input.expected);
    const { parties, tally, run } = this;
    const before = parties.reached;
    try {
      const answer = await exchange(parties.listeners[api], request);
      const fault = this.judge.fault(input, answer, parties.reached - before);
      if (fault !== null)
        this.note(`${fault}; answered ${answer.status} ${answer.text.slice(0, 300)}`);
      tally.count(kind, api, answer.times === 0 ? null : answer.status);
      if (run.only === moment.number) run.onInput?.(input, answer.status, answer.text);
    } catch (error) {
      tally.count(kind, api, null);
      this.note(`thrown: ${String(error)}`);
    }
  }

  /** The wallet says what the judge has counted: nothing but the good calls has moved money. */
  private async checkBalance(playerId: string, dice: Dice, moment: Moment): Promise<void> {
    const request = balanceOf(playerId, dice, moment);
    this.name = 'the balances at the end of its batch';
    const expected = { is: 'taken', playerId, units: null } as const;
    const input: Input = { kind: 'good', api: 'wallet', name: this.name, request, expected };
    const answer = await exchange(this.parties.listeners.wallet, request);
    const fault = this.judge.fault(input, answer, 0);
    this.tally.balances++;
    if (fault !== null) this.note(fault);
  }
}

/** Whether 503 is a right answer. */
function mayBeInDoubt(expected: Input['expected']): boolean {
  if (expected.is === 'shut') return expected.mayBeUnknown === true;
  return expected.is === 'refused' && expected.status === 503;
}
