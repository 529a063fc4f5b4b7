import { createHash } from 'node:crypto';

import { engineErrors } from '../../../lib/protocol/engine-api/errors';
import type { RoundCall, RoundQuery, StartGameRound } from '../../../lib/protocol/engine-api/calls';
import {
  type Answered,
  answerOf,
  type Change,
  type Decision,
  type Refused,
} from '../../../lib/rgs/rounds/decision';
import { apply } from '../../../lib/rgs/rounds/apply';
import { applyAnswer, type Batching, nextCall } from '../../../lib/rgs/rounds/delivery';
import {
  type Context,
  defaultSettings,
  type Lookup,
  type Offer,
  type RoundSettings,
  type Session,
} from '../../../lib/rgs/rounds/context';
import { decideOnRound } from '../../../lib/rgs/rounds/round-call';
import { decideQuery } from '../../../lib/rgs/rounds/query';
import type { Due, Owner, Round } from '../../../lib/rgs/rounds/round';
import type { RoundEvent } from '../../../lib/rgs/rounds/event';
import { start, startOrAddDebit } from '../../../lib/rgs/rounds/start';
import type { Answer } from '../../../lib/rgs/settlement/answer';

/** What a wallet answers to a call; null ends the delivery for now. */
export type Wallet = (call: readonly Due[], gameRound: string) => Answer | null;

/** What a call came to. */
export interface Outcome {
  readonly answer: Answered | Refused;
  readonly sent: readonly (readonly Due[])[];
  readonly findings: readonly string[];
}

export const ann: Owner = {
  gameProviderId: 'studio',
  operatorId: 'casino',
  playerId: 'ann',
  gameCode: 'bells',
  mode: 'REAL',
  currency: 'EUR',
  currencyMultiplier: '1',
};

const emptyOffer: Offer = {
  stakes: { ladder: null, min: null, max: null },
  freePlaySerial: null,
  discount: null,
};

/** The service around the rules, as far as a test needs it: rounds in memory, and a wallet that answers. */
export class Desk {
  readonly rounds = new Map<string, Round>();
  readonly journal = new Map<string, RoundEvent[]>();
  readonly spent = new Set<string>();
  at = 1_000;
  session: Session = { owner: ann, kind: 'player' };
  settings: RoundSettings = defaultSettings;
  offer: Offer = emptyOffer;
  batching: Batching = 'combined';
  #ids = 0;

  constructor(public wallet: Wallet) {}

  /** A start, or a debit that joins a round. */
  play(call: StartGameRound): Outcome {
    const decide = (hasTried: boolean): Decision => {
      const rule = call.call === 'startGameRound' ? start : startOrAddDebit;
      return rule(this.context(), this.#lookup(call, hasTried), call);
    };
    return this.#carryOut(decide);
  }

  /** A call on a round. */
  work(call: RoundCall): Outcome {
    const round = this.rounds.get(call.gameRound) ?? null;
    return this.#carryOut(() => decideOnRound(this.context(), round, call));
  }

  /** A query. */
  ask(call: RoundQuery): Answered | Refused {
    const answer = decideQuery(this.context(), this.rounds.get(call.gameRound) ?? null, call);
    if (answer.kind === 'refused' && answer.spendsId) {
      this.spent.add(`${this.session.owner.playerId} ${call.gameRound}`);
    }
    return answer;
  }

  /** Sends what is due of a round, until nothing is or the wallet leaves something due. */
  deliver(gameRound: string): { sent: Due[][]; findings: string[] } {
    const sent: Due[][] = [];
    const findings: string[] = [];
    for (;;) {
      const round = this.round(gameRound);
      const call = [...nextCall(round, this.batching)];
      const answer = call.length === 0 ? null : this.wallet(call, gameRound);
      if (answer === null) return { sent, findings };
      const heard = applyAnswer(round, call, answer, this.at);
      this.keep(heard.event, heard.round);
      sent.push(call);
      findings.push(...heard.findings.map(({ code }) => code));
    }
  }

  /** A round that is there. */
  round(gameRound: string): Round {
    const round = this.rounds.get(gameRound);
    if (round === undefined) throw new Error(`no round ${gameRound}`);
    return round;
  }

  context(): Context {
    const { session, at, settings } = this;
    return { session, at, settings, hashOf, isGambleEnabled: true, maxExposure: null };
  }

  keep(event: RoundEvent, round: Round): void {
    const events = [...(this.journal.get(round.gameRound) ?? []), event];
    this.journal.set(round.gameRound, events);
    this.rounds.set(round.gameRound, round);
  }

  /** The rounds as the journal alone makes them. */
  replayed(): Map<string, Round | null> {
    return new Map(
      [...this.journal].map(([id, events]) => [id, events.reduce<Round | null>(apply, null)]),
    );
  }

  #carryOut(decide: (hasTried: boolean) => Decision): Outcome {
    const sent: Due[][] = [];
    const findings: string[] = [];
    const deliver = (gameRound: string): void => {
      const done = this.deliver(gameRound);
      sent.push(...done.sent);
      findings.push(...done.findings);
    };
    let decision = decide(false);
    while (decision.kind === 'tryFirst') {
      if (decision.change !== null) this.#keepAll(decision.change);
      deliver(decision.round.gameRound);
      decision = decide(true);
    }
    if (decision.kind !== 'changed') return { answer: decision, sent, findings };
    findings.push(...decision.findings);
    for (const change of decision.changes) this.#keepAll(change);
    for (const change of decision.changes) deliver(change.round.gameRound);
    const last = this.round(decision.changes.at(-1)?.round.gameRound ?? '');
    return { answer: answerOf(last, decision.debit), sent, findings };
  }

  #keepAll({ events, round }: Change): void {
    for (const event of events) this.keep(event, round);
  }

  #lookup({ externalGameProviderRoundId: id }: StartGameRound, hasTried: boolean): Lookup {
    const { owner } = this.session;
    const all = [...this.rounds.values()];
    const isOwn = (round: Round): boolean => {
      return round.owner.playerId === owner.playerId && round.owner.mode === owner.mode;
    };
    this.#ids += 1;
    return {
      known: id === null ? null : (this.rounds.get(id) ?? null),
      openRounds: all.filter((round) => round.state === 'open' && isOwn(round)),
      isSpent: id !== null && this.spent.has(`${owner.playerId} ${id}`),
      isElsewhere: false,
      newRoundId: `ours-${this.#ids}`,
      hasTried,
      offer: this.offer,
    };
  }
}

/** The id that a refusal has on the wire. */
export function idOf({ refusal }: Refused): number {
  return refusal.kind === 'operator' ? refusal.id : engineErrors[refusal.code].id;
}

/** The same hash for the same name; a test needs no UUID. */
export function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}
