/** What the provider believes of a round, by what it asked for and how it was answered. */
export interface BelievedRound {
  readonly gameRound: string;
  readonly playerId: string;
  state: 'taken' | 'notTaken' | 'undone' | 'unclear';
  isOver: boolean;
  /** Units of the bets, by their transaction ids; the first bet's is the round's id. */
  readonly bets: Map<string, bigint>;
  /** Won and not collected. */
  open: bigint;
  /** Collected. */
  win: bigint;
  /** Keys that have counted (E15.1). */
  readonly keys: Set<string>;
}

/** A call as it was sent. */
export type Sent = Readonly<Record<string, unknown>>;

/**
 * The game provider's own book. It is kept by the text of the Game Engine API: it takes no amount from a reply,
 * and knows nothing of the remote game server's.
 */
export class ProviderBook {
  readonly rounds = new Map<string, BelievedRound>();

  /** The call was answered 200. */
  done(name: string, request: Sent, { playerId, isOpen }: { playerId: string; isOpen: boolean }) {
    if (name.startsWith('start')) return this.#started(request, playerId, isOpen);
    const round = this.rounds.get(textOf(request, 'gameRound'));
    if (round === undefined) return;
    if (name.startsWith('get')) {
      // Somebody else ended it, as an operator's staff can; what was open is collected (E12.2).
      if (!isOpen && !round.isOver) end(round);
      return;
    }
    if (!this.#isRepeated(round, name, request)) change(round, name, request);
    // E6: a credit that is refused for good closes the round for the game.
    if (!isOpen && round.state === 'taken') round.isOver = true;
  }

  /** A start was not taken. */
  notTaken(gameRound: string, playerId: string): void {
    if (this.rounds.has(gameRound)) return;
    this.rounds.set(gameRound, {
      ...newRound(gameRound, playerId),
      state: 'notTaken',
      isOver: true,
    });
  }

  /** Nobody knows how a call of the round ended. */
  unclear(gameRound: string, playerId: string): void {
    const round = this.rounds.get(gameRound) ?? newRound(gameRound, playerId);
    this.rounds.set(gameRound, { ...round, state: 'unclear' });
  }

  /** The round was voided without the provider's asking. */
  undone(gameRound: string): void {
    const round = this.rounds.get(gameRound);
    if (round !== undefined) undo(round);
  }

  #started(request: Sent, playerId: string, isOpen: boolean): void {
    const id = textOf(request, 'externalGameProviderRoundId');
    const debit = membersOf(request, 'debitInformation');
    const bet = amountOf(debit, 'debitAmount');
    const txId = textOf(debit, 'externalGameProviderTransactionId');
    const known = this.rounds.get(id);
    if (known?.state === 'taken') {
      if (txId !== '' && !known.bets.has(txId)) known.bets.set(txId, bet);
      return;
    }
    if (request['closeOpenGame'] === true) {
      for (const other of this.rounds.values()) {
        if (other.playerId === playerId && other.state === 'taken' && !other.isOver) end(other);
      }
    }
    const round = newRound(id, playerId);
    round.bets.set(txId, bet);
    round.win += amountOf(membersOf(request, 'creditInformation'), 'creditAmount');
    round.isOver = !isOpen;
    this.rounds.set(id, round);
  }

  /** Notes the key of a call; true if it has counted before. */
  #isRepeated({ keys }: BelievedRound, name: string, request: Sent): boolean {
    const { rngCallId } = membersOf(request, 'rngResult');
    const own = membersOf(request, 'wagerInformation')['externalGameProviderTransactionId'];
    const key = request['externalGameProviderTransactionId'] ?? own ?? rngCallId;
    if (typeof key !== 'string' || name.startsWith('void')) return false;
    const whole = `${name} ${key} ${textOf(request, 'counterType')}`;
    if (keys.has(whole)) return true;
    keys.add(whole);
    return false;
  }
}

function change(round: BelievedRound, name: string, request: Sent): void {
  const rng = membersOf(request, 'rngResult');
  switch (name) {
    case 'addWin':
      round.open += amountOf(rng, 'winAmount');
      if (request['collect'] === true) end(round);
      return;
    case 'wagerWin':
      round.open = amountOf(rng, 'winAmount');
      return;
    case 'collectWin': {
      const amount = request['amount'] === undefined ? round.open : amountOf(request, 'amount');
      round.open -= amount;
      round.win += amount;
      return;
    }
    case 'endGameRound':
      return end(round);
    case 'voidGameRound': {
      const txId = textOf(request, 'externalGameProviderTransactionId');
      const [first = ''] = round.bets.keys();
      if (txId === '' || txId === first) undo(round);
      else round.bets.delete(txId);
      return;
    }
    default:
  }
}

function end(round: BelievedRound): void {
  round.win += round.open;
  round.open = 0n;
  round.isOver = true;
}

function undo(round: BelievedRound): void {
  round.state = 'undone';
  round.isOver = true;
  round.open = 0n;
}

function newRound(gameRound: string, playerId: string): BelievedRound {
  const none = { bets: new Map<string, bigint>(), open: 0n, win: 0n, keys: new Set<string>() };
  return { gameRound, playerId, state: 'taken', isOver: false, ...none };
}

function membersOf(value: Sent, name: string): Sent {
  return (value[name] ?? {}) as Sent;
}

function textOf(value: Sent, name: string): string {
  return typeof value[name] === 'string' ? value[name] : '';
}

function amountOf(value: Sent, name: string): bigint {
  return BigInt((value[name] ?? 0) as number | string);
}
