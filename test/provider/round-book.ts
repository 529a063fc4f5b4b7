/** A parsed body. */
export interface Json {
  readonly [name: string]: unknown;
}

type Answer = readonly [status: number, json: unknown];

interface Entry {
  readonly type: string;
  readonly winAmount: number;
  readonly amountWagered?: number;
  collected: number;
  open: number;
  readonly info: Record<string, string>;
}

interface Debit {
  readonly id: string;
  readonly amount: number;
  isVoided: boolean;
}

/** A round as the service keeps it. */
export interface BookRound {
  readonly hash: string;
  status: 'open' | 'closed';
  outcome: 'open' | 'closed' | 'voided';
  readonly debits: Debit[];
  readonly entries: Entry[];
  /** Keys with the content that they came with (E15.1). */
  readonly keys: Map<string, string>;
  credited: number;
  awarded: number;
  used: number;
}

const token = 'token-1';

/** The rounds of one player by E6 to E15, written from the specification alone. */
export class RoundBook {
  readonly rounds = new Map<string, BookRound>();
  /** Hashes that a query was answered 15 for (E14.1). */
  readonly #spent = new Set<string>();
  /** How often a start was taken; never more than one for each round. */
  starts = 0;
  /** Declines every bet from now on, as an operator does. */
  declines = false;
  /** Shows neither ids in result.info nor an outcome, as another RGS may. */
  isPlain = false;
  /** 15 spends the hash, so that a late start is refused (E14.1). */
  spendsQueried = true;

  /** Units paid to the player, less the stakes taken. */
  get net(): number {
    let net = 0;
    for (const { debits, credited, outcome } of this.rounds.values()) {
      if (outcome === 'voided') continue;
      net += credited - stakeOf(debits);
    }
    return net;
  }

  /** The only round. */
  get only(): BookRound {
    const [round] = this.rounds.values();
    if (round === undefined || this.rounds.size > 1) throw new Error('there is not one round');
    return round;
  }

  answer(name: string, body: Json): Answer {
    const hash = String(body['gameRound'] ?? body['externalGameProviderRoundId']);
    const round = this.rounds.get(hash);
    if (name === 'startGameRound') return this.start(hash, body);
    if (name === 'getTokenForGameRound') {
      if (round === undefined) return refused(14);
      return round.status === 'open' ? [200, { tokenData: tokenData(hash) }] : refused(13);
    }
    if (name === 'startGameOrAddBet') {
      return round === undefined ? this.start(hash, body) : this.addBet(round, body);
    }
    if (name === 'getGameRoundInfo' || name === 'getGameRoundHistoryInfo') {
      if (round !== undefined) return [200, this.reply(round)];
      if (this.spendsQueried) this.#spent.add(hash);
      return refused(15);
    }
    if (round === undefined) return refused(14);
    if (round.status !== 'open') return refused(13);
    return this.onOpen(name, round, body);
  }

  private start(hash: string, body: Json): Answer {
    const known = this.rounds.get(hash);
    if (known !== undefined) return refused(known.status === 'open' ? 12 : 13);
    if ([...this.rounds.values()].some(({ status }) => status === 'open')) return refused(12);
    if (this.#spent.has(hash)) return refused(9100);
    if (this.declines) return refused(9001, 'Your balance is too low.');
    const debit = debitIn(body);
    this.starts++;
    const round: BookRound = {
      hash,
      status: 'open',
      outcome: 'open',
      debits: [debit],
      entries: [entry('debit', 0, { externalGameProviderTransactionId: debit.id })],
      keys: new Map(),
      credited: Number((body['creditInformation'] as Json | undefined)?.['creditAmount'] ?? 0),
      awarded: 0,
      used: 0,
    };
    this.rounds.set(hash, round);
    if (body['endGame'] === true) close(round);
    return [200, this.reply(round)];
  }

  private addBet(round: BookRound, body: Json): Answer {
    if (round.status !== 'open') return refused(13);
    const debit = debitIn(body);
    if (round.debits.some(({ id }) => id === debit.id)) return refused(37);
    if (this.declines) return refused(9001, 'Your balance is too low.');
    round.debits.push(debit);
    round.entries.push(entry('debit', 0, { externalGameProviderTransactionId: debit.id }));
    return [200, this.reply(round)];
  }

  private onOpen(name: string, round: BookRound, body: Json): Answer {
    const rng = (body['rngResult'] ?? {}) as Json & { readonly rngCallId?: string };
    const wager = (body['wagerInformation'] ?? {}) as Json;
    const transactionId = (body['externalGameProviderTransactionId'] ??
      wager['externalGameProviderTransactionId']) as string | undefined;
    const info = {
      ...(rng.rngCallId === undefined ? {} : { rngCallId: rng.rngCallId }),
      ...(transactionId === undefined ? {} : { externalGameProviderTransactionId: transactionId }),
    };
    const winAmount = Number(rng['winAmount'] ?? 0);
    const key = transactionId ?? rng.rngCallId;
    if (['addWin', 'wagerWin', 'addSpinCounterGameState', 'collectWin'].includes(name)) {
      const content = JSON.stringify({ ...body, token: null });
      const known = key === undefined ? undefined : round.keys.get(`${name} ${key}`);
      if (known !== undefined) {
        return known === content ? [200, this.reply(round)] : refused(37);
      }
      if (key !== undefined) round.keys.set(`${name} ${key}`, content);
    }
    switch (name) {
      case 'addWin':
        round.entries.push({ ...entry('genericwin', winAmount, info), open: winAmount });
        if (body['collect'] === true) close(round);
        break;
      case 'wagerWin':
        if (Number(wager['wagerAmount']) > openOf(round)) return refused(19);
        for (const one of round.entries) one.open = 0;
        round.entries.push({
          ...entry('wager', winAmount, info),
          open: winAmount,
          amountWagered: Number(wager['wagerAmount']),
        });
        break;
      case 'addSpinCounterGameState': {
        const { awarded = 0, used = 0 } = rng['result'] as { awarded?: number; used?: number };
        if (round.used + used > round.awarded + awarded) return refused(9103);
        round.awarded += awarded;
        round.used += used;
        round.entries.push(entry('spincounter', 0, info));
        return [200, { ...this.reply(round), spinsAvailable: round.awarded - round.used }];
      }
      case 'getAvailableSpinCounter':
        return [200, { ...this.reply(round), spinsAvailable: round.awarded - round.used }];
      case 'collectWin':
        collect(round, Number(body['amount'] ?? openOf(round)));
        break;
      case 'endGameRound':
        close(round);
        break;
      case 'voidGameRound':
        return this.void(round, transactionId);
      default:
        return refused(19);
    }
    return [200, this.reply(round)];
  }

  private void(round: BookRound, transactionId: string | undefined): Answer {
    if (round.credited > 0) return refused(26);
    const added = round.debits.slice(1).find(({ id }) => id === transactionId);
    if (added !== undefined) added.isVoided = true;
    else {
      round.status = 'closed';
      round.outcome = 'voided';
    }
    return [200, this.reply(round)];
  }

  /** The round reply (C2). */
  reply(round: BookRound): Json {
    const { hash, status, outcome, entries, credited, debits } = round;
    const stake = outcome === 'voided' ? 0 : stakeOf(debits);
    return {
      tokenData: tokenData(hash),
      gameRoundInfo: { hash, status, stake, baseStake: stake, mode: 'REAL', currency: 'EUR' },
      commonGameRoundInfo: {},
      gameState: entries.map(({ type, winAmount, amountWagered, collected, info }, at) => ({
        hash: `entry-${at}`,
        type,
        processedOn: '2026-03-01T12:00:00.000Z',
        result: { winAmount, info: this.isPlain ? {} : info },
        amountWagered,
        collected,
        reason: type,
      })),
      amountToCollect: openOf(round),
      amountCredited: credited,
      ...(this.isPlain ? {} : { passThroughData: { outcome, creditPending: '0' } }),
    };
  }
}

function close(round: BookRound): void {
  collect(round, openOf(round));
  round.status = 'closed';
  round.outcome = 'closed';
}

function collect(round: BookRound, amount: number): void {
  let left = amount;
  for (const one of round.entries) {
    const part = Math.min(one.open, left);
    one.open -= part;
    one.collected += part;
    left -= part;
  }
  round.credited += amount;
}

function openOf({ entries }: BookRound): number {
  return entries.reduce((sum, { open }) => sum + open, 0);
}

function stakeOf(debits: readonly Debit[]): number {
  return debits.reduce((sum, { amount, isVoided }) => sum + (isVoided ? 0 : amount), 0);
}

function entry(type: string, winAmount: number, info: Record<string, string>): Entry {
  return { type, winAmount, collected: 0, open: 0, info };
}

function debitIn(body: Json): Debit {
  const { debitAmount, externalGameProviderTransactionId: id } = body['debitInformation'] as {
    debitAmount: number;
    externalGameProviderTransactionId?: string;
  };
  return { id: id ?? '', amount: debitAmount, isVoided: false };
}

function tokenData(gameRound: string): Json {
  return {
    operatorId: 'casino',
    playerId: 'ann',
    gameId: 'bells',
    mode: 'REAL',
    currency: 'EUR',
    currentToken: token,
    gameRound,
    walletMode: 'real',
    language: 'EN',
    currencyMultiplier: 1,
    device: 'desktop',
  };
}

function refused(id: number, clientmsg = 'Sorry.'): Answer {
  return [400, { errorCode: { id, msg: `error ${id}`, clientmsg } }];
}
