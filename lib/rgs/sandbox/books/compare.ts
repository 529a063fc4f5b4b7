import type { Round } from '../../rounds/round';
import type {
  BookedPlayerView,
  BookedRoundView,
  BooksView,
  DifferenceView,
  OfAccount,
} from '../view/books';
import { allows, certain, isCertain, plus, type Possible, total } from './possible';
import { type ServiceRound, serviceRound } from './service-round';
import type { WalletBook } from './wallet-book';

/** A player's account at the wallet. */
export interface WalletAccount extends OfAccount {
  /** Units, before the first of the rounds. */
  readonly start: bigint;
  /** Units, as getBalance says now. */
  readonly balance: bigint;
  /** Set if the balance is that of an earlier reply: money may have moved since, so `book` alone shows differences. */
  readonly isOld?: boolean;
  /** What the calls accounted for, if it was kept: it names the first round that differs. */
  readonly book?: Pick<WalletBook, 'misfits' | 'changeOf'>;
}

/** A round in the provider's own book. */
export interface ProviderRound {
  readonly gameRound: string;
  /** `unclear`: the provider does not know, and has left it to a person. */
  readonly state: 'taken' | 'notTaken' | 'undone' | 'unclear';
  /** Units of the debits that it believes taken. */
  readonly stake: bigint;
  /** Units that it believes granted to the player: collected, paid or not. */
  readonly win: bigint;
  readonly isOver: boolean;
}

/** The three books (B3). */
export interface Books {
  /** The service's. Rounds of DEMO are left out, since no wallet knows them. */
  readonly rounds: readonly Round[];
  readonly wallets: readonly WalletAccount[];
  /** Null without a book of the provider. */
  readonly provider: readonly ProviderRound[] | null;
  /** Ids of rounds that have left the service's book by their age; the provider may have them still (B4). */
  readonly forgotten?: ReadonlySet<string>;
}

/**
 * Compares the books of the provider, the service and the wallet, by player and by round (B3). Money is
 * exact; while something is in doubt, the balance has to be one of the possible values, and the doubt is
 * listed. Names of states are compared as notes alone. Rounds are compared in the order of their starts.
 */
export function compareBooks({ rounds, wallets, provider, forgotten }: Books): BooksView {
  const booked = rounds
    .filter(({ owner }) => owner.mode === 'REAL')
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .map(serviceRound);
  const theirs = new Map((provider ?? []).map((round) => [round.gameRound, round]));
  const ofRounds = booked.flatMap((one) =>
    provider === null ? [] : roundDifferences(one, theirs.get(one.round.gameRound)),
  );
  const known = new Set([...rounds.map(({ gameRound }) => gameRound), ...(forgotten ?? [])]);
  const unknown = unknownRounds(known, provider ?? []);
  const accounts = wallets.map((wallet) => ({ wallet, ...accountOf(wallet, booked) }));
  const differences = [...accounts.flatMap((one) => one.differences), ...ofRounds, ...unknown];
  const differing = new Set(differences.map(({ round }) => round));
  const bookOf = new Map(wallets.map((wallet) => [keyOf(wallet), wallet.book]));
  return {
    agree: differences.length === 0,
    differences,
    notes: booked.flatMap((one) => notesOf(one, theirs.get(one.round.gameRound))),
    doubts: booked.flatMap(({ round, doubts }) =>
      doubts.map((text) => ({ round: round.gameRound, text })),
    ),
    players: accounts.map((one) =>
      playerView(one, { booked, theirs: provider === null ? null : theirs, differing }),
    ),
    rounds: booked.map((one) =>
      roundView(one, theirs.get(one.round.gameRound), bookOf.get(keyOf(ownedBy(one))), differing),
    ),
  };
}

interface Account {
  readonly expected: Possible;
  readonly differences: readonly DifferenceView[];
}

/** The balance that the rounds lead to, and where the wallet's differs. */
function accountOf(wallet: WalletAccount, booked: readonly ServiceRound[]): Account {
  const { operatorId, playerId, currency, start, balance, isOld = false, book } = wallet;
  const own = booked.filter((one) => keyOf(ownedBy(one)) === keyOf(wallet));
  const expected = plus(certain(start), total(own.map(({ net }) => net)));
  const of = { operatorId, playerId, currency };
  const seen = (book?.misfits ?? []).map(
    (misfit): DifferenceView => ({
      ...of,
      round: misfit.gameRound,
      what: 'balance after a call of the round',
      service: textOf(misfit.expected),
      wallet: String(misfit.balance),
      provider: null,
    }),
  );
  if (isOld || allows(expected, balance)) return { expected, differences: seen };
  const first = seen[0]?.round ?? null;
  const whole: DifferenceView = {
    ...of,
    round: first,
    what: 'balance',
    service: textOf(expected),
    wallet: String(balance),
    provider: null,
  };
  return { expected, differences: [...seen, whole] };
}

/** The provider's book against the service's, for one round. */
function roundDifferences(one: ServiceRound, theirs: ProviderRound | undefined): DifferenceView[] {
  const { fate, stake, win, isOver } = one;
  const of = { ...ownedBy(one), round: one.round.gameRound, wallet: null };
  if (fate === 'unsettled' || theirs?.state === 'unclear') return [];
  if (theirs === undefined) {
    if (fate !== 'taken') return [];
    return [{ ...of, what: 'taken', service: fate, provider: null }];
  }
  if (theirs.state !== fate) {
    // To the player both are the same: no money has moved.
    if (theirs.state !== 'taken' && fate !== 'taken') return [];
    return [{ ...of, what: 'taken', service: fate, provider: theirs.state }];
  }
  if (fate !== 'taken') return [];
  const differences: DifferenceView[] = [];
  const compare = (what: string, service: string, provider: string): void => {
    if (service !== provider) differences.push({ ...of, what, service, provider });
  };
  compare('stake', String(stake), String(theirs.stake));
  compare('win', String(win), String(theirs.win));
  compare('over', isOver ? 'yes' : 'no', theirs.isOver ? 'yes' : 'no');
  return differences;
}

/** Rounds that the provider believes taken, and the service does not know. */
function unknownRounds(
  known: ReadonlySet<string>,
  provider: readonly ProviderRound[],
): DifferenceView[] {
  return provider
    .filter(({ gameRound, state }) => state === 'taken' && !known.has(gameRound))
    .map(({ gameRound }) => ({
      round: gameRound,
      operatorId: '',
      playerId: '',
      currency: '',
      what: 'taken',
      service: null,
      wallet: null,
      provider: 'taken',
    }));
}

function notesOf(
  { round, fate }: ServiceRound,
  theirs: ProviderRound | undefined,
): { readonly round: string; readonly text: string }[] {
  const { gameRound, state } = round;
  const notes: string[] = [];
  if (state === 'stranded' || state === 'crashed') {
    notes.push(`the service has it ${state}; the wallet may have ended it`);
  }
  if (
    theirs !== undefined &&
    theirs.state !== fate &&
    fate !== 'taken' &&
    theirs.state !== 'taken'
  ) {
    notes.push(`the service has it ${state}, the provider has it ${theirs.state}`);
  }
  if (theirs?.state === 'unclear') notes.push('the provider has left it to a person');
  return notes.map((text) => ({ round: gameRound, text }));
}

/** What a player's line in the books is made of. */
interface Compared {
  readonly booked: readonly ServiceRound[];
  /** Null without a book of the provider. */
  readonly theirs: ReadonlyMap<string, ProviderRound> | null;
  readonly differing: ReadonlySet<string | null>;
}

function playerView(
  { wallet, expected, differences }: Account & { readonly wallet: WalletAccount },
  { booked, theirs, differing }: Compared,
): BookedPlayerView {
  const { operatorId, playerId, currency, start, balance } = wallet;
  const own = booked.filter((one) => keyOf(ownedBy(one)) === keyOf(wallet));
  let byProvider = start;
  for (const { round, paidByOperator } of own) {
    const believed = theirs?.get(round.gameRound);
    if (believed?.state !== 'taken') continue;
    byProvider += believed.win - believed.stake + paidByOperator;
  }
  const differs = differences.length > 0 || own.some(({ round }) => differing.has(round.gameRound));
  return {
    operatorId,
    playerId,
    currency,
    start: String(start),
    service: { least: String(expected.least), most: String(expected.most) },
    wallet: String(balance),
    provider: theirs === null ? null : String(byProvider),
    owed: String(own.reduce((sum, one) => sum + one.owed, 0n)),
    verdict: verdictOf(differs, !isCertain(expected)),
  };
}

function roundView(
  one: ServiceRound,
  theirs: ProviderRound | undefined,
  book: WalletAccount['book'],
  differing: ReadonlySet<string | null>,
): BookedRoundView {
  const { round, stake, win, net } = one;
  const change = book?.changeOf(round.gameRound) ?? null;
  const { state } = theirs ?? {};
  return {
    gameRound: round.gameRound,
    ...ownedBy(one),
    service: { state: round.state, stake: String(stake), win: String(win) },
    wallet: change === null ? null : { change: String(change) },
    provider:
      theirs === undefined || state === undefined
        ? null
        : { state, stake: String(theirs.stake), win: String(theirs.win) },
    verdict: verdictOf(differing.has(round.gameRound), !isCertain(net) || one.doubts.length > 0),
  };
}

function verdictOf(differs: boolean, isInDoubt: boolean): 'agree' | 'differ' | 'doubt' {
  if (differs) return 'differ';
  return isInDoubt ? 'doubt' : 'agree';
}

function ownedBy({ round: { owner } }: ServiceRound): OfAccount {
  return { operatorId: owner.operatorId, playerId: owner.playerId, currency: owner.currency };
}

/** An account as one text. */
export function keyOf({ operatorId, playerId, currency }: OfAccount): string {
  return JSON.stringify([operatorId, playerId, currency]);
}

function textOf({ least, most, values }: Possible): string {
  if (least === most) return String(least);
  return values === null ? `${least} to ${most}` : values.join(' or ');
}
