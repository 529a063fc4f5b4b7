import type { ProviderRound } from '../../../../lib/rgs/sandbox';

/** What the studio knows of a round by its own calls; it copies no figure of the RGS. */
export interface Entry {
  readonly gameRound: string;
  readonly playerId: string;
  state: 'asked' | 'open' | 'over' | 'notTaken' | 'undone';
  /** All bets that were taken, in minor units. */
  stake: bigint;
  /** The part of the stake that free plays paid. */
  free: bigint;
  /** Granted, and not collected yet. */
  open: bigint;
  /** Collected. */
  win: bigint;
  /** What is left to play once the player has gone; null if nothing is. */
  left: { readonly winAmount: bigint; readonly collect: boolean } | null;
}

/** The studio's own book. */
export class StudioBook {
  readonly #entries = new Map<string, Entry>();

  /** Before the start is sent. */
  asked(gameRound: string, playerId: string): Entry {
    const entry: Entry = {
      gameRound,
      playerId,
      state: 'asked',
      stake: 0n,
      free: 0n,
      open: 0n,
      win: 0n,
      left: null,
    };
    this.#entries.set(gameRound, entry);
    return entry;
  }

  find(gameRound: string): Entry {
    const entry = this.#entries.get(gameRound);
    if (entry === undefined) throw new Error(`the studio never asked for ${gameRound}`);
    return entry;
  }

  get entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  /** Rounds whose outcome the studio does not know, or that are not over. */
  get unsettled(): readonly Entry[] {
    return this.entries.filter(({ state }) => state === 'asked' || state === 'open');
  }

  /** What a player's purse has changed by. */
  netOf(playerId: string): bigint {
    let net = 0n;
    for (const entry of this.#entries.values()) {
      if (entry.playerId === playerId) net += entry.win + entry.free - entry.stake;
    }
    return net;
  }

  /** The book for the comparison (B3). */
  rounds(): readonly ProviderRound[] {
    const states = {
      asked: 'unclear',
      open: 'taken',
      over: 'taken',
      notTaken: 'notTaken',
      undone: 'undone',
    } as const;
    return this.entries.map(({ gameRound, state, stake, win }) => ({
      gameRound,
      state: states[state],
      stake,
      win,
      isOver: state !== 'open' && state !== 'asked',
    }));
  }
}

/** Everything open is collected, and the round is over. */
export function close(entry: Entry): void {
  entry.win += entry.open;
  entry.open = 0n;
  entry.state = 'over';
}

/** The round was voided. */
export function undo(entry: Entry): void {
  entry.state = 'undone';
  entry.stake = 0n;
  entry.free = 0n;
  entry.open = 0n;
  entry.win = 0n;
}
