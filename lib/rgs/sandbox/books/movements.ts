import { ownText } from '../../../platform/own-text';
import type { Due } from '../../rounds/round';
import type { Fate } from '../../settlement/fate';
import { anyOf, certain, either, isCertain, type Possible, total } from './possible';
import type { Movement } from './service-round';

/** What a sent transaction may have moved. */
interface Booked extends Omit<Movement, 'possible'> {
  readonly gameRound: string;
  possible: Possible;
}

/** The transactions of a round, by their keys. */
type BookedRound = Map<string, Booked>;

/** The key of a transaction within its round. */
function keyOf({ type, hash }: { readonly type: string; readonly hash: string }): string {
  return `${type} ${hash}`;
}

/** Fields of a packed transaction; none holds a line end. */
const fields = 4;

/** A round without a doubt, as one text: a tenth of the memory of its objects. */
function pack(gameRound: string, round: BookedRound): string {
  const parts: string[] = [];
  for (const { type, hash, isFirst, effect, possible } of round.values()) {
    const kind = type === 'credit' ? 'c' : isFirst ? 'f' : 'd';
    // The first debit has the hash of its round (operator-api 3, rule 6).
    parts.push(kind, hash === gameRound ? '' : hash, String(effect), String(possible.least));
  }
  return ownText(parts.join('\n'));
}

/** The round that was packed. */
function unpack(gameRound: string, packed: string): BookedRound {
  const parts = packed === '' ? [] : packed.split('\n');
  const round: BookedRound = new Map();
  for (let at = 0; at + fields <= parts.length; at += fields) {
    const [kind, named, effect = '0', moved = '0'] = parts.slice(at, at + fields);
    const type = kind === 'c' ? 'credit' : 'debit';
    const hash = named === '' || named === undefined ? gameRound : named;
    const possible = certain(BigInt(moved));
    const one: Booked = {
      type,
      hash,
      isFirst: kind === 'f',
      effect: BigInt(effect),
      gameRound,
      possible,
    };
    round.set(keyOf(one), one);
  }
  return round;
}

/** A transaction that was sent, and its fate by the answer. */
export interface Fated {
  readonly type: Due['type'];
  readonly hash: string;
  readonly fate: Fate;
}

interface Change {
  readonly order: number;
  readonly booked: Booked;
  readonly before: Possible;
}

/** Shared: most rounds that were ever played are in the book. */
const nothing = certain(0n);

/** The transactions that were sent, and what they may have moved together. */
export class Movements {
  readonly #rounds = new Map<string, BookedRound | string>();
  /** The rounds that are not packed. */
  readonly #awake = new Set<string>();
  /** The round of the latest call: more calls of it are likely. */
  #latest = '';
  readonly #uncertain = new Set<Booked>();
  #changes: Change[] = [];
  #certainly = 0n;
  #order = 0;

  get order(): number {
    return this.#order;
  }

  send(gameRound: string, due: Due): void {
    if (due.type === 'end') return;
    if (due.type === 'void') {
      for (const one of this.#voidedBy(gameRound, due.hash)) {
        this.#set(one, either(one.possible, nothing));
      }
      return;
    }
    const { type, hash } = due;
    const effect = effectOf(due);
    const isFirst = type === 'debit' && due.isFirstDebit;
    this.restore(gameRound, { type, hash, isFirst, effect, possible: anyOf([0n, effect]) });
  }

  /** Adds a transaction, such as one that was sent before this book. */
  restore(gameRound: string, { possible, ...movement }: Movement): void {
    this.#latest = gameRound;
    const known = this.#find(gameRound) ?? new Map<string, Booked>();
    this.#rounds.set(gameRound, known);
    this.#awake.add(gameRound);
    const key = keyOf(movement);
    if (known.has(key)) return;
    const hash = ownText(movement.hash);
    const one: Booked = { ...movement, hash, gameRound, possible: nothing };
    known.set(key, one);
    this.#set(one, possible);
  }

  settle(gameRound: string, { type, hash, fate }: Fated): void {
    if (type === 'void') {
      const taken = fate === 'processed' ? this.#voidedBy(gameRound, hash) : [];
      for (const one of taken) this.#set(one, nothing);
      return;
    }
    const one = this.#find(gameRound)?.get(keyOf({ type, hash }));
    if (one === undefined) return;
    if (fate === 'processed') this.#set(one, certain(one.effect));
    else if (fate === 'declined') this.#set(one, nothing);
  }

  /** What all may have moved; of what other calls changed since `order`, both states. */
  moved(since?: { readonly order: number; readonly own: ReadonlySet<Booked> }): Possible {
    const both = new Map<Booked, Possible>();
    for (const { booked, order, before } of since === undefined ? [] : this.#changes) {
      if (since === undefined || order <= since.order || since.own.has(booked)) continue;
      both.set(booked, either(both.get(booked) ?? booked.possible, before));
    }
    let sure = this.#certainly;
    for (const one of both.keys()) if (isCertain(one.possible)) sure -= one.possible.least;
    const open = [...this.#uncertain].filter((one) => !both.has(one));
    return total([certain(sure), ...open.map(({ possible }) => possible), ...both.values()]);
  }

  of(gameRound: string, hashes: readonly string[]): Booked[] {
    return this.#ofRound(gameRound).filter(({ hash }) => hashes.includes(hash));
  }

  /** The least that the round may have moved, and whether it is certain. */
  leastOf(gameRound: string): { readonly least: bigint; readonly isSure: boolean } {
    let [least, isSure] = [0n, true];
    for (const { possible } of this.#find(gameRound)?.values() ?? []) {
      least += possible.least;
      isSure &&= isCertain(possible);
    }
    return { least, isSure };
  }

  /** What the round may have moved; it counts no more. */
  forget(gameRound: string): Possible {
    const all = this.#ofRound(gameRound);
    const moved = total(all.map(({ possible }) => possible));
    for (const one of all) this.#set(one, nothing);
    this.#rounds.delete(gameRound);
    this.#awake.delete(gameRound);
    this.#changes = this.#changes.filter(({ booked }) => booked.gameRound !== gameRound);
    return moved;
  }

  /**
   * No call is in flight: earlier changes no longer matter, and rounds without a doubt are packed, since most rounds
   * that were ever played are in the book.
   */
  rest(): void {
    this.#changes = [];
    for (const gameRound of this.#awake) {
      const round = this.#rounds.get(gameRound);
      if (gameRound === this.#latest || typeof round !== 'object') continue;
      if (![...round.values()].every(({ possible }) => isCertain(possible))) continue;
      this.#rounds.set(gameRound, pack(gameRound, round));
      this.#awake.delete(gameRound);
    }
  }

  #set(one: Booked, possible: Possible): void {
    this.#changes.push({ order: ++this.#order, booked: one, before: one.possible });
    if (isCertain(one.possible)) this.#certainly -= one.possible.least;
    this.#uncertain.delete(one);
    one.possible = possible;
    if (isCertain(possible)) this.#certainly += possible.least;
    else this.#uncertain.add(one);
  }

  #find(gameRound: string): BookedRound | undefined {
    const kept = this.#rounds.get(gameRound);
    if (typeof kept !== 'string') return kept;
    const unpacked = unpack(gameRound, kept);
    this.#rounds.set(gameRound, unpacked);
    this.#awake.add(gameRound);
    return unpacked;
  }

  #ofRound(gameRound: string): Booked[] {
    return [...(this.#find(gameRound)?.values() ?? [])];
  }

  /** The void of the first debit takes the whole round back, that of another debit this one alone. */
  #voidedBy(gameRound: string, hash: string): Booked[] {
    const all = this.#ofRound(gameRound);
    const target = all.find((one) => one.type === 'debit' && one.hash === hash);
    if (target === undefined) return [];
    return target.isFirst ? all : [target];
  }
}

function effectOf(due: Extract<Due, { type: 'debit' | 'credit' }>): bigint {
  return due.type === 'credit' ? due.amount : (due.discount?.amount ?? 0n) - due.amount;
}
