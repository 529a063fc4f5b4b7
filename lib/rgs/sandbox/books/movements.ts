import { ownText } from '../../../platform/own-text';
import type { Due } from '../../rounds';
import type { Fate } from '../../settlement';
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

/** A round of which nothing is in doubt, as one text: a tenth of the memory of its objects. */
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
interface Movements {
  send(gameRound: string, due: Due): void;
  /** A transaction that was sent before this book. */
  restore(gameRound: string, movement: Movement): void;
  settle(gameRound: string, fated: Fated): void;
  /** What all may have moved; of what has changed since `order`, by calls of others, both states. */
  moved(since?: { readonly order: number; readonly own: ReadonlySet<Booked> }): Possible;
  of(gameRound: string, hashes: readonly string[]): Booked[];
  /** The least that the round may have moved, and whether it is certain. */
  leastOf(gameRound: string): { readonly least: bigint; readonly isSure: boolean };
  /** What the round may have moved; it counts no more. */
  forget(gameRound: string): Possible;
  readonly order: number;
  /**
   * No call is in flight: changes before now are of no interest any more, and rounds of which nothing is in doubt are
   * packed, since most rounds that were ever played are in the book.
   */
  rest(): void;
}

/** No transaction at first. */
export function createMovements(): Movements {
  const rounds = new Map<string, BookedRound | string>();
  /** The rounds that are not packed. */
  const awake = new Set<string>();
  /** Of the latest call: more calls of it are likely. */
  let latest = '';
  const uncertain = new Set<Booked>();
  let changes: Change[] = [];
  let certainly = 0n;
  let order = 0;

  const set = (one: Booked, possible: Possible): void => {
    changes.push({ order: ++order, booked: one, before: one.possible });
    if (isCertain(one.possible)) certainly -= one.possible.least;
    uncertain.delete(one);
    one.possible = possible;
    if (isCertain(possible)) certainly += possible.least;
    else uncertain.add(one);
  };
  const find = (gameRound: string): BookedRound | undefined => {
    const kept = rounds.get(gameRound);
    if (typeof kept !== 'string') return kept;
    const unpacked = unpack(gameRound, kept);
    rounds.set(gameRound, unpacked);
    awake.add(gameRound);
    return unpacked;
  };
  const add = (gameRound: string, { possible, ...movement }: Movement): void => {
    latest = gameRound;
    const known = find(gameRound) ?? new Map<string, Booked>();
    rounds.set(gameRound, known);
    awake.add(gameRound);
    const key = keyOf(movement);
    if (known.has(key)) return;
    const hash = ownText(movement.hash);
    const one: Booked = { ...movement, hash, gameRound, possible: nothing };
    known.set(key, one);
    set(one, possible);
  };
  const ofRound = (gameRound: string): Booked[] => [...(find(gameRound)?.values() ?? [])];
  /** The void of the first debit takes the whole round back, that of another debit this one alone. */
  const voidedBy = (gameRound: string, hash: string): Booked[] => {
    const target = ofRound(gameRound).find((one) => one.type === 'debit' && one.hash === hash);
    if (target === undefined) return [];
    return target.isFirst ? ofRound(gameRound) : [target];
  };
  return {
    get order() {
      return order;
    },
    send(gameRound, due) {
      if (due.type === 'end') return;
      if (due.type === 'void') {
        for (const one of voidedBy(gameRound, due.hash)) set(one, withNothing(one.possible));
        return;
      }
      const { type, hash } = due;
      const effect = effectOf(due);
      const isFirst = type === 'debit' && due.isFirstDebit;
      add(gameRound, { type, hash, isFirst, effect, possible: anyOf([0n, effect]) });
    },
    restore: add,
    settle(gameRound, { type, hash, fate }) {
      if (type === 'void') {
        const taken = fate === 'processed' ? voidedBy(gameRound, hash) : [];
        for (const one of taken) set(one, nothing);
        return;
      }
      const one = find(gameRound)?.get(keyOf({ type, hash }));
      if (one === undefined) return;
      if (fate === 'processed') set(one, certain(one.effect));
      else if (fate === 'declined') set(one, nothing);
    },
    moved(since) {
      const both = new Map<Booked, Possible>();
      for (const { booked, order: at, before } of since === undefined ? [] : changes) {
        if (since === undefined || at <= since.order || since.own.has(booked)) continue;
        both.set(booked, either(both.get(booked) ?? booked.possible, before));
      }
      let sure = certainly;
      for (const one of both.keys()) if (isCertain(one.possible)) sure -= one.possible.least;
      const open = [...uncertain].filter((one) => !both.has(one));
      return total([certain(sure), ...open.map(({ possible }) => possible), ...both.values()]);
    },
    forget(gameRound) {
      const all = ofRound(gameRound);
      const moved = total(all.map(({ possible }) => possible));
      for (const one of all) set(one, nothing);
      rounds.delete(gameRound);
      awake.delete(gameRound);
      changes = changes.filter(({ booked }) => booked.gameRound !== gameRound);
      return moved;
    },
    of: (gameRound, hashes) => ofRound(gameRound).filter(({ hash }) => hashes.includes(hash)),
    leastOf(gameRound) {
      let [least, isSure] = [0n, true];
      for (const { possible } of find(gameRound)?.values() ?? []) {
        least += possible.least;
        isSure &&= isCertain(possible);
      }
      return { least, isSure };
    },
    rest() {
      changes = [];
      for (const gameRound of awake) {
        const round = rounds.get(gameRound);
        if (gameRound === latest || typeof round !== 'object') continue;
        if (![...round.values()].every(({ possible }) => isCertain(possible))) continue;
        rounds.set(gameRound, pack(gameRound, round));
        awake.delete(gameRound);
      }
    },
  };
}

function effectOf(due: Extract<Due, { type: 'debit' | 'credit' }>): bigint {
  return due.type === 'credit' ? due.amount : (due.discount?.amount ?? 0n) - due.amount;
}

function withNothing(possible: Possible): Possible {
  return either(possible, nothing);
}
