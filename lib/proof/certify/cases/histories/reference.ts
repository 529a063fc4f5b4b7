/** A transaction as the reference knows it. */
export interface Move {
  readonly type: 'debit' | 'credit' | 'end' | 'void';
  /** Short name in place of the hash. A void has the name of its debit. */
  readonly name: string;
  readonly isFirst: boolean;
  /** In units; 0 of an end. */
  readonly amount: bigint;
}

/** A debit, credit or end that the wallet has answered. */
interface KnownMove {
  readonly move: Move;
  readonly isProcessed: boolean;
  readonly isVoided: boolean;
  /** Whether a credit or an end followed it in its call: what its void takes back is not specified. */
  readonly isFollowed: boolean;
}

/**
 * A gameround as Operator API 3 describes it. `awaited`: the void of the first debit came, its debit did
 * not. `ended`: by an end. `declined`: closed, since the first debit failed. `unclear`: only voids and
 * resends are specified (a second initial debit failed, or a credit was refused for good).
 */
export interface ReferenceRound {
  readonly state: 'none' | 'awaited' | 'open' | 'ended' | 'declined' | 'unclear' | 'voided';
  /** Of an open round. `declined`: after a failed debit (rule 1); `either`: two readings. */
  readonly credits: 'paid' | 'declined' | 'either';
  /** Debits, credits and ends by their names. */
  readonly known: ReadonlyMap<string, KnownMove>;
  /** Debits whose void came first. */
  readonly voidedEarly: ReadonlySet<string>;
}

/**
 * What must happen to a transaction. `either`: the wallet may process or refuse it, and money moves only as
 * it says. `unmoved`: the wallet may say either, and no money moves.
 */
export type Expected = 'processed' | 'refused' | 'either' | 'unmoved';

/** What the specification says about a transaction. */
export interface Ruling {
  readonly expected: Expected;
  /** Where it stands. */
  readonly rule: string;
  /** Id of the error that must come. */
  readonly errorId?: number;
  /** Of `unmoved`, alone in its call: the one error that may come in place of a success. */
  readonly mayBeError?: number;
}

/** A round before its first call. */
export const newRound: ReferenceRound = Object.freeze({
  state: 'none',
  credits: 'paid',
  known: new Map(),
  voidedEarly: new Set<string>(),
});

/** GAMEROUNDALREADYSTARTED (operator-api 4.1, rule 3). */
const alreadyStarted = 12;

/**
 * What Operator API 3 and 4.1 say about a transaction, by their letter alone; null where they are silent.
 * @param balance What the player has now, in units.
 */
export function rulingOn(round: ReferenceRound, move: Move, balance: bigint): Ruling | null {
  if (move.type === 'void') return rulingOnVoid(round, move);
  const known = round.known.get(move.name);
  if (known !== undefined) return rulingOnResend(round, known, balance);
  if (move.type === 'debit' && round.voidedEarly.has(move.name)) {
    return { expected: 'unmoved', rule: '3, rule 2' };
  }
  if (round.state === 'voided') return { expected: 'refused', rule: '3, rule 4' };
  if (move.type === 'debit') return rulingOnDebit(round, move, balance);
  return move.type === 'credit' ? rulingOnCredit(round) : rulingOnEnd(round);
}

function rulingOnDebit({ state }: ReferenceRound, move: Move, balance: bigint): Ruling | null {
  if (state === 'ended') return { expected: 'refused', rule: '3, rule 3' };
  if (state === 'declined') return { expected: 'refused', rule: '3, states' };
  if (state === 'open' && move.isFirst) {
    return { expected: 'refused', rule: '4.1, rule 3', errorId: alreadyStarted };
  }
  if (state !== (move.isFirst ? 'none' : 'open')) return null;
  const isCovered = move.amount <= balance;
  return { expected: isCovered ? 'processed' : 'refused', rule: '4.1, rule 1' };
}

function rulingOnCredit({ state, credits }: ReferenceRound): Ruling | null {
  if (state === 'ended') return { expected: 'refused', rule: '3, rule 3' };
  if (state === 'declined') return { expected: 'refused', rule: '3, rule 1' };
  if (state !== 'open') return null;
  if (credits === 'declined') return { expected: 'refused', rule: '3, rule 1' };
  return { expected: credits === 'paid' ? 'processed' : 'either', rule: '4.1, rule 1' };
}

function rulingOnEnd({ state }: ReferenceRound): Ruling | null {
  return state === 'open' ? { expected: 'processed', rule: '4.1, rule 1' } : null;
}

/** The specification says that a void is processed in every state, and that a voided round answers 400. */
function rulingOnVoid(round: ReferenceRound, move: Move): Ruling | null {
  const { state } = round;
  if (state === 'voided') return { expected: 'unmoved', rule: '3, rules 3 and 4' };
  const known = round.known.get(move.name);
  if (known === undefined) {
    const isNew = state === 'none' || (state === 'open' && !move.isFirst);
    const isPossible = isNew || round.voidedEarly.has(move.name);
    return isPossible ? { expected: 'processed', rule: '3, rule 2' } : null;
  }
  if (known.move.isFirst && known !== firstDebitOf(round)) return null;
  if (!known.move.isFirst && known.isProcessed && known.isFollowed) return null;
  return { expected: 'processed', rule: '3, rule 3' };
}

function rulingOnResend(round: ReferenceRound, known: KnownMove, balance: bigint): Ruling | null {
  if (round.state === 'voided') return { expected: 'unmoved', rule: '3, rule 4; 4.1, rule 1' };
  const rule = '4.1, rule 1';
  if (known.isVoided) return { expected: 'unmoved', rule };
  const { type, isFirst, amount } = known.move;
  const isCredit = type === 'credit';
  if (!known.isProcessed) {
    // A wallet may decide anew on a declined follow-up debit, of which nothing was processed (D3.1).
    const isGoingOn = round.state === 'open' || round.state === 'unclear';
    const isAnew = type === 'debit' && !isFirst && isGoingOn && amount <= balance;
    const isOpen = isAnew || (isCredit && round.credits === 'either');
    return isOpen ? null : { expected: 'refused', rule };
  }
  // A repeated initial debit may be read as a second one (4.1, rule 3).
  if (type === 'debit' && isFirst) return { expected: 'unmoved', rule, mayBeError: alreadyStarted };
  const isBehindFailure = round.credits !== 'paid' || round.state === 'unclear';
  return { expected: isCredit && isBehindFailure ? 'unmoved' : 'processed', rule };
}

/** The round after a transaction that the wallet processed, or refused. */
export function roundAfter(
  round: ReferenceRound,
  move: Move,
  isProcessed: boolean,
  isFollowed = false,
): ReferenceRound {
  if (move.type === 'void') return isProcessed ? roundAfterVoid(round, move) : round;
  if (round.known.has(move.name)) return round;
  const isVoided = move.type === 'debit' && round.voidedEarly.has(move.name);
  const one: KnownMove = { move, isProcessed: isProcessed && !isVoided, isVoided, isFollowed };
  const next = { ...round, known: new Map(round.known).set(move.name, one) };
  if (isVoided) {
    return round.state === 'awaited' ? { ...next, state: 'voided' } : withUnsureCredits(next);
  }
  switch (move.type) {
    case 'debit':
      return roundAfterDebit(next, move, isProcessed);
    case 'credit':
      return isProcessed || round.state !== 'open' ? next : { ...next, state: 'unclear' };
    case 'end':
      return isProcessed ? { ...next, state: 'ended' } : next;
  }
}

function roundAfterDebit(round: ReferenceRound, move: Move, isProcessed: boolean): ReferenceRound {
  if (round.state === 'none') return { ...round, state: isProcessed ? 'open' : 'declined' };
  if (round.state !== 'open') return round;
  if (move.isFirst) return { ...round, state: 'unclear' };
  if (!isProcessed) return { ...round, credits: 'declined' };
  // Whether a debit that is taken ends what rule 1 says of the failed one before is not specified.
  return round.credits === 'paid' ? round : { ...round, credits: 'either' };
}

function roundAfterVoid(round: ReferenceRound, { name }: Move): ReferenceRound {
  const known = round.known.get(name);
  if (known === undefined) {
    const state = round.state === 'none' ? 'awaited' : round.state;
    // Whether the void of a debit that did not come ends what rule 1 says of the failed one before is not specified (D4.5).
    const credits = round.credits === 'declined' ? 'either' : round.credits;
    return { ...round, state, credits, voidedEarly: new Set(round.voidedEarly).add(name) };
  }
  if (known === firstDebitOf(round)) return { ...round, state: 'voided' };
  const voided = new Map(round.known).set(name, { ...known, isVoided: true });
  const next = { ...round, known: voided };
  return known.isProcessed ? next : withUnsureCredits(next);
}

function withUnsureCredits(round: ReferenceRound): ReferenceRound {
  return round.state === 'open' ? { ...round, credits: 'either' } : round;
}

/** The debit that opened the round, or was refused when it should have. */
export function firstDebitOf({ known }: ReferenceRound): KnownMove | undefined {
  return [...known.values()].find(({ move }) => move.type === 'debit' && move.isFirst);
}

/** What the round has paid the player so far, in units; below zero if it took more. */
export function netOf({ state, known }: ReferenceRound): bigint {
  if (state === 'voided') return 0n;
  let net = 0n;
  for (const { move, isProcessed, isVoided } of known.values()) {
    if (!isProcessed || isVoided || move.type === 'end') continue;
    net += move.type === 'credit' ? move.amount : -move.amount;
  }
  return net;
}

/** The debits that were answered, in their order. */
export function debitsOf({ known }: ReferenceRound): readonly Move[] {
  return [...known.values()].map(({ move }) => move).filter(({ type }) => type === 'debit');
}

/** Names of the debits whose void came, and that did not come themselves. */
export function voidedBeforeDebit({ known, voidedEarly }: ReferenceRound): readonly string[] {
  return [...voidedEarly].filter((name) => !known.has(name));
}
