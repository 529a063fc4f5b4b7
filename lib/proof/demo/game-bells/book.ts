import type { RoundReply } from '../../../provider';

/**
 * What the provider believes of a round: `requested` and `unclear` are doubts, `notTaken` and `undone` cost nobody
 * anything.
 */
type BookedState = 'requested' | 'taken' | 'ended' | 'notTaken' | 'undone' | 'unclear';

/** A round in the provider's own book; amounts in minor units. */
export interface BookedRound {
  readonly gameRound: string;
  /** Null until a reply named them. */
  readonly operatorId: string | null;
  readonly playerId: string | null;
  readonly currency: string;
  readonly state: BookedState;
  /** All bets that the provider believes taken. */
  readonly stake: bigint;
  /** What is collected. */
  readonly win: bigint;
  /** Granted, and not collected yet. */
  readonly open: bigint;
}

/** The provider's own book: what it asked for, was answered and granted. It copies no figure of the RGS. */
export interface ProviderBook {
  /** Before the start is sent. */
  requested(gameRound: string, currency: string): void;
  /** The RGS took the first bet. */
  taken(reply: RoundReply, stake: bigint): void;
  notTaken(gameRound: string): void;
  /** The outcome of a call is unknown. */
  unclear(gameRound: string): void;
  /** A bet joined the round. */
  debitAdded(gameRound: string, stake: bigint): void;
  /** The void of an added bet. */
  debitVoided(gameRound: string, stake: bigint): void;
  won(gameRound: string, amount: bigint): void;
  /** A gamble: the open amount is this from now on. */
  gambled(gameRound: string, open: bigint): void;
  /** So much of the open amount was collected; all of it unless given. */
  collected(gameRound: string, amount?: bigint): void;
  /** All that is open is collected, and the round is over. */
  ended(gameRound: string): void;
  undone(gameRound: string): void;
  find(gameRound: string): BookedRound | null;
  /** In the order in which they were asked for. */
  rounds(): readonly BookedRound[];
}

/** An empty book. Keeps the latest 20,000 rounds. */
export function createProviderBook(): ProviderBook {
  const rounds = new Map<string, BookedRound>();
  const change = (gameRound: string, members: (round: BookedRound) => Partial<BookedRound>) => {
    const round = rounds.get(gameRound);
    if (round !== undefined) rounds.set(gameRound, { ...round, ...members(round) });
  };
  return {
    requested(gameRound, currency) {
      rounds.set(gameRound, blank(gameRound, currency));
      const [oldest] = rounds.keys();
      if (rounds.size > maxRounds && oldest !== undefined) rounds.delete(oldest);
    },
    taken({ tokenData, gameRoundInfo }, stake) {
      const { operatorId, playerId, currency } = tokenData;
      const round = { ...blank(gameRoundInfo.hash, currency), operatorId, playerId, stake };
      rounds.set(round.gameRound, { ...round, state: 'taken' });
    },
    notTaken: (gameRound) => change(gameRound, () => ({ state: 'notTaken', stake: 0n })),
    unclear: (gameRound) => change(gameRound, () => ({ state: 'unclear' })),
    debitAdded: (gameRound, bet) => change(gameRound, ({ stake }) => ({ stake: stake + bet })),
    debitVoided: (gameRound, bet) => change(gameRound, ({ stake }) => ({ stake: stake - bet })),
    won: (gameRound, amount) => change(gameRound, ({ open }) => ({ open: open + amount })),
    gambled: (gameRound, open) => change(gameRound, () => ({ open })),
    collected: (gameRound, amount) =>
      change(gameRound, ({ win, open }) => {
        const part = amount ?? open;
        return { win: win + part, open: open - part };
      }),
    ended: (gameRound) =>
      change(gameRound, ({ win, open }) => ({ state: 'ended', win: win + open, open: 0n })),
    undone: (gameRound) =>
      change(gameRound, () => ({ state: 'undone', stake: 0n, win: 0n, open: 0n })),
    find: (gameRound) => rounds.get(gameRound) ?? null,
    rounds: () => [...rounds.values()],
  };
}

const maxRounds = 20_000;

function blank(gameRound: string, currency: string): BookedRound {
  const nobody = { operatorId: null, playerId: null };
  return { gameRound, ...nobody, currency, state: 'requested', stake: 0n, win: 0n, open: 0n };
}
