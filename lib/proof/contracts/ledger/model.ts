import type { MovementRefusal } from '../../../operator/gameround';
import {
  addPurses,
  emptyPurse,
  type Purse,
  splitDebit,
  subtractPurses,
} from '../../../protocol/money/purse';
import { maxUnits } from '../../../protocol/money/amount';

/** An action on the ledger of one player in one currency. */
export type LedgerAction =
  | {
      readonly kind: 'debit';
      readonly key: number;
      readonly amount: bigint;
      readonly bonusFirst: boolean;
    }
  | { readonly kind: 'credit'; readonly key: number; readonly purse: Purse }
  | { readonly kind: 'reverse'; readonly key: number }
  | { readonly kind: 'deposit' | 'withdraw'; readonly amount: bigint }
  | { readonly kind: 'block' | 'unblock' };

/** The answer to an action. `paid` is null except for a debit; a `reason` of null matches any. */
export type LedgerAnswer =
  | { readonly kind: 'done'; readonly paid: Purse | null }
  | { readonly kind: 'refused'; readonly reason: MovementRefusal | null };

/** What the model remembers of a key. */
export interface KeyNote {
  readonly content: string;
  readonly paid: Purse | null;
  readonly moved: Purse;
  readonly outcome: 'done' | 'refused' | 'reversed';
}

/** The whole state of the model; never mutated. */
export interface LedgerState {
  readonly purse: Purse;
  readonly isBlocked: boolean;
  readonly notes: ReadonlyMap<number, KeyNote>;
}

/** A possible result of an action. */
interface Branch {
  readonly state: LedgerState;
  readonly answer: LedgerAnswer;
}

/** The player as opened. */
export function firstState(purse: Purse): LedgerState {
  return { purse, isBlocked: false, notes: new Map() };
}

/** All valid results of an action in this state; mostly there is one. */
export function branchesOf(state: LedgerState, action: LedgerAction): readonly Branch[] {
  switch (action.kind) {
    case 'debit':
    case 'credit':
      return post(state, action);
    case 'reverse':
      return [reverse(state, action.key)];
    case 'deposit':
      return [moved(state, { real: action.amount, bonus: 0n })];
    case 'withdraw':
      if (state.purse.real < action.amount) return [{ state, answer: refused(null) }];
      return [moved(state, { real: -action.amount, bonus: 0n })];
    case 'block':
    case 'unblock':
      return [{ state: { ...state, isBlocked: action.kind === 'block' }, answer: done(null) }];
  }
}

type PostAction = Extract<LedgerAction, { readonly kind: 'debit' | 'credit' }>;

function post(state: LedgerState, action: PostAction): readonly Branch[] {
  const content = contentOf(action);
  const known = state.notes.get(action.key);
  if (known !== undefined) {
    const isDone = known.outcome === 'done' && known.content === content;
    return [{ state, answer: isDone ? done(known.paid) : refused(null) }];
  }
  const refuse = (reason: MovementRefusal): Branch => {
    const note: KeyNote = { content, paid: null, moved: emptyPurse, outcome: 'refused' };
    return { state: withNote(state, action.key, note), answer: refused(reason) };
  };
  if (action.kind === 'credit') {
    const { real, bonus } = addPurses(state.purse, action.purse);
    if (real > maxUnits || bonus > maxUnits) return [refuse('outOfRange')];
    const note: KeyNote = { content, paid: null, moved: action.purse, outcome: 'done' };
    return [{ state: withNote(state, action.key, note), answer: done(null) }];
  }
  const paid = splitDebit(action.amount, state.purse, action.bonusFirst);
  const blocked = state.isBlocked ? [refuse('blocked')] : [];
  if (paid === null) return [refuse('tooLow'), ...blocked];
  if (state.isBlocked) return blocked;
  const note: KeyNote = {
    content,
    paid,
    moved: subtractPurses(emptyPurse, paid),
    outcome: 'done',
  };
  const take: Branch = { state: withNote(state, action.key, note), answer: done(paid) };
  // Whether a balance below zero counts against the other one is up to the platform.
  const { real, bonus } = state.purse;
  const isShort = action.amount > 0n && real + bonus < action.amount;
  return isShort ? [take, refuse('tooLow')] : [take];
}

function reverse(state: LedgerState, key: number): Branch {
  const known = state.notes.get(key);
  const back = known?.outcome === 'done' ? subtractPurses(emptyPurse, known.moved) : emptyPurse;
  const note: KeyNote = { content: '', paid: null, moved: back, outcome: 'reversed' };
  return { state: withNote(state, key, note), answer: done(null) };
}

/** The key recorded, and its money moved. */
function withNote(state: LedgerState, key: number, note: KeyNote): LedgerState {
  const notes = new Map(state.notes).set(key, note);
  return { ...state, purse: addPurses(state.purse, note.moved), notes };
}

function moved(state: LedgerState, by: Purse): Branch {
  return { state: { ...state, purse: addPurses(state.purse, by) }, answer: done(null) };
}

function contentOf(action: PostAction): string {
  if (action.kind === 'credit') return `credit ${action.purse.real} ${action.purse.bonus}`;
  return `debit ${action.amount} ${action.bonusFirst}`;
}

function done(paid: Purse | null): LedgerAnswer {
  return { kind: 'done', paid };
}

function refused(reason: MovementRefusal | null): LedgerAnswer {
  return { kind: 'refused', reason };
}
