import type { MovementRefusal } from '../../lib/gameround';
import {
  addPurses,
  emptyPurse,
  maxUnits,
  type Purse,
  payFrom,
  subtractPurses,
} from '../../lib/money';
import type {
  ContractCash,
  ContractCashResult,
  ContractPlayer,
  ContractPlayers,
} from '../../lib/testing';
import type {
  Account,
  Ledger,
  LedgerCredit,
  LedgerDebit,
  LedgerDone,
  LedgerPosting,
  LedgerRefused,
  LedgerReversal,
  PlayerKey,
} from '../../lib/wallet';

/** What a {@link MemoryLedger} does otherwise than others. */
export interface MemoryLedgerOptions {
  /** Whether answers tell the accounts; true unless set. */
  readonly tellsAccounts?: boolean;
  /** Whether players have bonus money; true unless set. */
  readonly hasBonus?: boolean;
}

interface LedgerPlayer {
  readonly balances: Map<string, Purse & { readonly hasBonus: boolean }>;
  blocked: boolean;
}

interface Posting {
  readonly content: string;
  readonly answer: LedgerDone | LedgerRefused;
  /** What it did to the balances. */
  readonly moved: Purse;
  readonly currency: string;
}

/** A ledger of any number of players, kept to the port's contract, and the service that runs it. */
export class MemoryLedger implements Ledger, ContractPlayers {
  private readonly players = new Map<string, LedgerPlayer>();
  private readonly postings = new Map<string, Posting>();
  private readonly reversed = new Set<string>();

  constructor(private readonly options: MemoryLedgerOptions = {}) {}

  async debit(posting: LedgerDebit): Promise<LedgerDone | LedgerRefused> {
    await new Promise(setImmediate);
    const { currency, amount, bonusFirst } = posting;
    const content = ['debit', currency, amount, bonusFirst].join(' ');
    return this.post(posting, content, currency, (purse, player) => {
      if (player.blocked) return 'blocked';
      const paid = payFrom(purse, amount, bonusFirst);
      return paid === null ? 'tooLow' : subtractPurses(emptyPurse, paid);
    });
  }

  async credit(posting: LedgerCredit): Promise<LedgerDone | LedgerRefused> {
    await new Promise(setImmediate);
    const { currency, purse } = posting;
    const content = ['credit', currency, purse.real, purse.bonus].join(' ');
    return this.post(posting, content, currency, (has) => {
      const after = addPurses(has, purse);
      return after.real > maxUnits || after.bonus > maxUnits ? 'outOfRange' : purse;
    });
  }

  async reverse({ key, ...player }: LedgerReversal): Promise<LedgerDone | LedgerRefused> {
    await new Promise(setImmediate);
    const posting = this.postings.get(key);
    if (posting !== undefined && !this.reversed.has(key)) {
      this.move(player, posting.currency, subtractPurses(emptyPurse, posting.moved));
    }
    this.reversed.add(key);
    return { kind: 'done' };
  }

  async balances(key: PlayerKey): Promise<readonly Account[] | null> {
    await new Promise(setImmediate);
    return this.accountsOf(key);
  }

  async openPlayer({ currency, balances, ...key }: ContractPlayer): Promise<void> {
    const name = nameOf(key);
    const player = this.players.get(name) ?? { balances: new Map(), blocked: false };
    this.players.set(name, player);
    const { real, bonus } = balances;
    if (player.balances.has(currency)) throw new Error('The player has such an account.');
    if (bonus !== undefined && this.options.hasBonus === false) throw new Error('No bonus here.');
    player.balances.set(currency, { real, bonus: bonus ?? 0n, hasBonus: bonus !== undefined });
  }

  async deposit(order: ContractCash): Promise<ContractCashResult> {
    return this.cash(order, order.amount);
  }

  async withdraw(order: ContractCash): Promise<ContractCashResult> {
    return this.cash(order, -order.amount);
  }

  async setBlocked(key: PlayerKey, blocked: boolean): Promise<void> {
    const player = this.players.get(nameOf(key));
    if (player !== undefined) player.blocked = blocked;
  }

  private post(
    { key, ...names }: LedgerPosting,
    content: string,
    currency: string,
    decide: (purse: Purse, player: LedgerPlayer) => Purse | MovementRefusal,
  ): LedgerDone | LedgerRefused {
    const whole = [content, nameOf(names), names.gameRound, names.hash].join(' ');
    const known = this.postings.get(key);
    if (this.reversed.has(key)) return { kind: 'refused', reason: 'refused' };
    if (known !== undefined) {
      const { answer, moved } = known;
      if (known.content !== whole) return { kind: 'refused', reason: 'refused' };
      return answer.kind === 'done' ? this.doneWith(names, moved) : answer;
    }
    const player = this.players.get(nameOf(names));
    const purse = player?.balances.get(currency);
    const decided =
      player === undefined
        ? 'noPlayer'
        : purse === undefined
          ? 'noCurrency'
          : decide(purse, player);
    const moved = typeof decided === 'string' ? emptyPurse : decided;
    this.move(names, currency, moved);
    const answer =
      typeof decided === 'string'
        ? ({ kind: 'refused', reason: decided } as const)
        : this.doneWith(names, moved);
    this.postings.set(key, { content: whole, answer, moved, currency });
    return answer;
  }

  /** Also for a key that is known: what it paid then, and the accounts now. */
  private doneWith(key: PlayerKey, moved: Purse): LedgerDone {
    const { tellsAccounts = true, hasBonus = true } = this.options;
    const accounts = this.accountsOf(key);
    return {
      kind: 'done',
      ...(hasBonus ? { paid: subtractPurses(emptyPurse, moved) } : {}),
      ...(tellsAccounts && accounts !== null ? { accounts } : {}),
    };
  }

  private cash(order: ContractCash, units: bigint): ContractCashResult {
    const { currency, balance = 'real' } = order;
    const known = this.players.get(nameOf(order))?.balances.get(currency);
    if (known === undefined || known[balance] + units < 0n) return { kind: 'refused' };
    this.move(order, currency, { ...emptyPurse, [balance]: units });
    return { kind: 'done' };
  }

  private move(key: PlayerKey, currency: string, purse: Purse): void {
    const balances = this.players.get(nameOf(key))?.balances;
    const known = balances?.get(currency);
    if (balances === undefined || known === undefined) return;
    const hasBonus = known.hasBonus || purse.bonus !== 0n;
    balances.set(currency, { ...addPurses(known, purse), hasBonus });
  }

  private accountsOf(key: PlayerKey): readonly Account[] | null {
    const player = this.players.get(nameOf(key));
    if (player === undefined) return null;
    return Array.from(player.balances, ([currency, { real, bonus, hasBonus }]) => {
      return { currency, real, bonus: hasBonus ? bonus : null };
    });
  }
}

function nameOf({ operatorId, playerId }: PlayerKey): string {
  return JSON.stringify([operatorId, playerId]);
}
