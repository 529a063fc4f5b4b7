import type { MovementRefusal } from '../../../operator/gameround';
import {
  addPurses,
  emptyPurse,
  type Purse,
  splitDebit,
  subtractPurses,
} from '../../../protocol/money/purse';
import { maxUnits } from '../../../protocol/money/amount';
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
  PostedQuery,
  PostedRound,
  RoundKey,
} from '../../../operator/wallet';
import { systemClock } from '../../../platform';
import { checkOptionNames } from '../../../platform/validation/known-names';
import type {
  ContractCash,
  ContractCashResult,
  ContractPlayer,
  ContractPlayers,
} from '../../subject/players';

/** A ledger in memory, and the services that open, fund and block its players. */
export interface MemoryLedger extends Ledger, ContractPlayers {}

/**
 * A ledger in this process's memory: exactly the port and nothing else, to read next to `Ledger` and to run
 * tests on. Everything is lost when the process ends.
 * @throws TypeError for any option: it has none.
 */
export function createMemoryLedger(options: Readonly<Record<string, never>> = {}): MemoryLedger {
  checkOptionNames('createMemoryLedger', options, {});
  return new LedgerInMemory();
}

interface StoredPlayer {
  readonly purses: Map<string, Purse & { readonly hasBonus: boolean }>;
  blocked: boolean;
}

/** The record of a key: the final outcome, and what to undo. */
interface Note {
  readonly content: string;
  readonly refusal: MovementRefusal | null;
  readonly player: PlayerKey;
  readonly gameRound: string;
  readonly at: number;
  readonly currency: string;
  readonly moved: Purse;
}

/** What a posting does to the balances, or why it is refused. */
type Decide = (has: Purse, player: StoredPlayer) => Purse | MovementRefusal;

/** Each method works synchronously: that makes it one transaction. */
class LedgerInMemory implements MemoryLedger {
  private readonly players = new Map<string, StoredPlayer>();
  private readonly notes = new Map<string, Note>();
  private readonly reversed = new Set<string>();

  async debit(posting: LedgerDebit): Promise<LedgerDone | LedgerRefused> {
    const { currency, amount, bonusFirst } = posting;
    return this.post(posting, ['debit', currency, amount, bonusFirst], (has, player) => {
      if (player.blocked) return 'blocked';
      const paid = splitDebit(amount, has, bonusFirst);
      return paid === null ? 'tooLow' : negated(paid);
    });
  }

  async credit(posting: LedgerCredit): Promise<LedgerDone | LedgerRefused> {
    const { currency, purse } = posting;
    return this.post(posting, ['credit', currency, purse.real, purse.bonus], (has) => {
      const { real, bonus } = addPurses(has, purse);
      return real > maxUnits || bonus > maxUnits ? 'outOfRange' : purse;
    });
  }

  async reverse({ key }: LedgerReversal): Promise<LedgerDone | LedgerRefused> {
    const note = this.notes.get(key);
    if (note !== undefined && !this.reversed.has(key)) {
      this.move(note.player, note.currency, negated(note.moved));
    }
    this.reversed.add(key); // also a key that never arrived: it is refused from now on
    return { kind: 'done' };
  }

  async balances(key: PlayerKey): Promise<readonly Account[] | null> {
    const player = this.players.get(nameOf(key));
    return player === undefined ? null : accountsOf(player);
  }

  async *postedRounds(query: PostedQuery): AsyncGenerator<PostedRound> {
    const sums = new Map<string, PostedRound>();
    for (const [key, { refusal, player, gameRound, at, currency, moved }] of this.notes) {
      const { operatorId, playerId } = player;
      const round = { operatorId, playerId, gameRound };
      if (refusal !== null || !matches(query, round)) continue;
      const name = JSON.stringify([operatorId, playerId, gameRound, currency]);
      const sum = sums.get(name) ?? { ...round, currency, moved: emptyPurse, lastAt: at };
      const added = this.reversed.has(key) ? emptyPurse : moved;
      const lastAt = Math.max(sum.lastAt, at);
      sums.set(name, { ...sum, moved: addPurses(sum.moved, added), lastAt });
    }
    const ordered = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
    for (const [, sum] of ordered) if (sum.lastAt >= (query.since ?? 0)) yield sum;
  }

  async openPlayer({ currency, balances, ...key }: ContractPlayer): Promise<void> {
    const player = this.players.get(nameOf(key)) ?? { purses: new Map(), blocked: false };
    if (player.purses.has(currency)) throw new Error('the player has an account in this currency');
    const { real, bonus } = balances;
    const purse = { real: real.units, bonus: bonus?.units ?? 0n };
    player.purses.set(currency, { ...purse, hasBonus: bonus !== undefined });
    this.players.set(nameOf(key), player);
  }

  async deposit(order: ContractCash): Promise<ContractCashResult> {
    return this.cash(order, order.amount.units);
  }

  async withdraw(order: ContractCash): Promise<ContractCashResult> {
    return this.cash(order, -order.amount.units);
  }

  async setBlocked(key: PlayerKey, blocked: boolean): Promise<void> {
    const player = this.players.get(nameOf(key));
    if (player !== undefined) player.blocked = blocked;
  }

  /** Once per key: a known key gets its recorded answer, and nothing moves again. */
  private post(
    posting: LedgerPosting & { readonly currency: string },
    terms: readonly unknown[],
    decide: Decide,
  ): LedgerDone | LedgerRefused {
    const { key, operatorId, playerId, currency } = posting;
    const content = [...terms, operatorId, playerId].join('\n');
    const known = this.notes.get(key);
    if (this.reversed.has(key) || (known !== undefined && known.content !== content)) {
      return { kind: 'refused', reason: 'refused' };
    }
    const note = known ?? this.noteOf(posting, content, decide);
    if (known === undefined) {
      this.notes.set(key, note);
      this.move(note.player, currency, note.moved);
    }
    if (note.refusal !== null) return { kind: 'refused', reason: note.refusal };
    const player = this.players.get(nameOf(posting));
    const accounts = player === undefined ? {} : { accounts: accountsOf(player) };
    return { kind: 'done', paid: negated(note.moved), ...accounts };
  }

  private noteOf(
    posting: LedgerPosting & { readonly currency: string },
    content: string,
    decide: Decide,
  ): Note {
    const { operatorId, playerId, gameRound, currency } = posting;
    const key = { operatorId, playerId };
    const player = this.players.get(nameOf(key));
    const purse = player?.purses.get(currency);
    let decided: Purse | MovementRefusal = player === undefined ? 'noPlayer' : 'noCurrency';
    if (player !== undefined && purse !== undefined) decided = decide(purse, player);
    const outcome =
      typeof decided === 'string'
        ? { refusal: decided, moved: emptyPurse }
        : { refusal: null, moved: decided };
    return { content, player: key, gameRound, at: systemClock.now(), currency, ...outcome };
  }

  private cash(order: ContractCash, units: bigint): ContractCashResult {
    const { currency, balance = 'real' } = order;
    const purse = this.players.get(nameOf(order))?.purses.get(currency);
    if (purse === undefined) return { kind: 'refused' };
    if (units < 0n && purse[balance] + units < 0n) return { kind: 'refused' };
    this.move(order, currency, { ...emptyPurse, [balance]: units });
    return { kind: 'done' };
  }

  private move(key: PlayerKey, currency: string, by: Purse): void {
    const purses = this.players.get(nameOf(key))?.purses;
    const purse = purses?.get(currency);
    if (purses === undefined || purse === undefined) return;
    purses.set(currency, { ...addPurses(purse, by), hasBonus: purse.hasBonus || by.bonus !== 0n });
  }
}

function matches({ operatorId, playerId, gameRound }: PostedQuery, round: RoundKey): boolean {
  if (operatorId !== undefined && operatorId !== round.operatorId) return false;
  if (playerId !== undefined && playerId !== round.playerId) return false;
  return gameRound === undefined || gameRound === round.gameRound;
}

function accountsOf({ purses }: StoredPlayer): readonly Account[] {
  return Array.from(purses, ([currency, { real, bonus, hasBonus }]) => {
    return { currency, real, bonus: hasBonus ? bonus : null };
  });
}

function negated(purse: Purse): Purse {
  return subtractPurses(emptyPurse, purse);
}

function nameOf({ operatorId, playerId }: PlayerKey): string {
  return JSON.stringify([operatorId, playerId]);
}
