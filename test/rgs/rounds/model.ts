/**
 * A small model of one player and one game, written from the specification: it knows no queue and no
 * event, only what a call must be answered, and what the wallet must have moved when all is delivered.
 * Every amount is a number; ids are as the test makes them.
 */
export interface ModelRound {
  /** What the game may do with it. */
  phase: 'open' | 'over' | 'neverTaken';
  /** What a repeated start is answered. */
  refusal: number | null;
  /** Debits that stand, by key, and the outcome of the others. */
  debits: Map<string, { amount: number; state: 'taken' | 'refused' | 'undone'; refusal: number }>;
  /** What is open, what was collected. */
  open: number;
  collected: number;
  wasVoided: boolean;
  /** Keys that were heard, with the amounts that came with them. */
  heard: Map<string, string>;
  awarded: number;
  used: number;
}

/** What a wallet does with a debit that comes. */
export type Luck = 'take' | 'decline' | 'silent';

/** A call as the model reads it. */
export type ModelCall =
  | {
      readonly kind: 'start' | 'bet';
      readonly id: string;
      readonly amount: number;
      readonly key: string;
      readonly endGame: boolean;
      readonly credit: number;
    }
  | {
      readonly kind: 'win';
      readonly id: string;
      readonly amount: number;
      readonly key: string;
      readonly collect: boolean;
    }
  | {
      readonly kind: 'wager';
      readonly id: string;
      readonly amount: number;
      readonly outcome: number;
      readonly key: string;
    }
  | {
      readonly kind: 'spins';
      readonly id: string;
      readonly awarded: number;
      readonly used: number;
      readonly key: string;
    }
  | { readonly kind: 'collect'; readonly id: string; readonly amount: number; readonly key: string }
  | { readonly kind: 'end'; readonly id: string }
  | { readonly kind: 'void'; readonly id: string; readonly key: string | null };

/** An answer: the id of an error, or 0 with what is open and what is staked. */
export type ModelAnswer = number | readonly [open: number, stake: number, isOpen: boolean];

/** The rounds of the player, and how each call changes them. */
export class Model {
  readonly rounds = new Map<string, ModelRound>();

  /** Answers a call; `luck` says what the wallet does with its debit, `isStuck` whether something waits. */
  call(call: ModelCall, luck: Luck, isStuck: boolean): ModelAnswer {
    if (call.kind === 'start') return this.#start(call, luck);
    if (call.kind === 'bet') return this.#bet(call, luck, isStuck);
    const round = this.rounds.get(call.id);
    if (round === undefined) return 14;
    if (round.phase !== 'open') return 13;
    switch (call.kind) {
      case 'win':
        return heard(round, `win ${call.key}`, `${call.amount} ${call.collect}`, () => {
          round.open += call.amount;
          if (call.collect) finish(round);
          return told(round);
        });
      case 'wager':
        return heard(round, `wager ${call.key}`, `${call.amount} ${call.outcome}`, () => {
          if (call.amount < 1 || call.amount > round.open) return 19;
          round.open = call.outcome;
          return told(round);
        });
      case 'spins':
        return heard(round, `spins ${call.key}`, `${call.awarded} ${call.used}`, () => {
          if (call.awarded + call.used === 0) return 19;
          if (round.used + call.used > round.awarded + call.awarded) return 9103;
          round.awarded += call.awarded;
          round.used += call.used;
          return told(round);
        });
      case 'collect':
        return heard(round, `collect ${call.key}`, `${call.amount}`, () => {
          if (call.amount === 0 || call.amount > round.open) return 19;
          round.open -= call.amount;
          round.collected += call.amount;
          return told(round);
        });
      case 'end':
        finish(round);
        return told(round);
      case 'void':
        return voidOne(round, call.key);
    }
  }

  /** What the player's wallet has to have paid out and taken in, once nothing is due. */
  net(): number {
    return [...this.rounds.values()].reduce(
      (sum, round) => sum + round.collected - stake(round),
      0,
    );
  }

  #start(call: ModelCall & { kind: 'start' | 'bet' }, luck: Luck): ModelAnswer {
    const known = this.rounds.get(call.id);
    if (known?.phase === 'open') return 12;
    if (known?.phase === 'neverTaken') return known.refusal ?? 0;
    if (known !== undefined) return 13;
    if ([...this.rounds.values()].some(({ phase }) => phase === 'open')) return 12;
    if (call.amount < 1) return 19;
    const refusal = luck === 'decline' ? 9001 : 9100;
    const isTaken = luck === 'take';
    const state = isTaken ? 'taken' : 'refused';
    const round: ModelRound = {
      phase: isTaken ? 'open' : 'neverTaken',
      refusal: isTaken ? null : refusal,
      debits: new Map([[call.key, { amount: call.amount, state, refusal }]]),
      open: 0,
      collected: isTaken ? call.credit : 0,
      wasVoided: false,
      heard: new Map([['start', `${call.key} ${call.amount} ${call.endGame} ${call.credit}`]]),
      awarded: 0,
      used: 0,
    };
    if (isTaken && call.endGame) round.phase = 'over';
    this.rounds.set(call.id, round);
    return isTaken ? told(round) : refusal;
  }

  #bet(call: ModelCall & { kind: 'start' | 'bet' }, luck: Luck, isStuck: boolean): ModelAnswer {
    const open = [...this.rounds].find(([, { phase }]) => phase === 'open');
    if (open === undefined) return this.#start(call, luck);
    const [id, round] = open;
    if (id !== call.id) return 12;
    const known = round.debits.get(call.key);
    if (known?.state === 'refused') return known.refusal;
    if (known !== undefined) {
      const first = `${call.key} ${call.amount} ${call.endGame} ${call.credit}`;
      return round.heard.get('start') === first ? told(round) : 37;
    }
    if (call.amount < 1) return 19;
    if (isStuck) return 9110;
    const refusal = luck === 'decline' ? 9001 : 9100;
    const state = luck === 'take' ? 'taken' : 'refused';
    round.debits.set(call.key, { amount: call.amount, state, refusal });
    return luck === 'take' ? told(round) : refusal;
  }
}

function heard(
  round: ModelRound,
  key: string,
  content: string,
  act: () => ModelAnswer,
): ModelAnswer {
  const known = round.heard.get(key);
  if (known !== undefined) return known === content ? told(round) : 37;
  const answer = act();
  if (typeof answer !== 'number') round.heard.set(key, content);
  return answer;
}

function voidOne(round: ModelRound, key: string | null): ModelAnswer {
  const [first = ''] = round.debits.keys();
  const debit = round.debits.get(key ?? first);
  if (debit === undefined) return 19;
  if (debit.state !== 'taken') return told(round);
  if (round.collected > 0) return 26;
  debit.state = 'undone';
  if ((key ?? first) === first) {
    round.phase = 'over';
    round.wasVoided = true;
    round.open = 0;
  }
  return told(round);
}

function finish(round: ModelRound): void {
  round.collected += round.open;
  round.open = 0;
  round.phase = 'over';
}

function stake(round: ModelRound): number {
  if (round.wasVoided) return 0;
  const taken = [...round.debits.values()].filter(({ state }) => state === 'taken');
  return taken.reduce((sum, { amount }) => sum + amount, 0);
}

function told(round: ModelRound): ModelAnswer {
  return [round.open, stake(round), round.phase === 'open'];
}
