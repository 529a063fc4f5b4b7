import type { BookedRound, ProviderBook } from '../../proof/demo/game-bells';
import type { ProviderRound } from '../../rgs/sandbox';
import type { BooksView } from '../../rgs/sandbox/view/books';

const states = {
  requested: 'unclear',
  unclear: 'unclear',
  taken: 'taken',
  ended: 'taken',
  notTaken: 'notTaken',
  undone: 'undone',
} as const satisfies Record<BookedRound['state'], ProviderRound['state']>;

/**
 * The provider's own book, in the terms of the comparison (B3).
 * @param earlier Rounds from before this process: the book has them only once the provider closes them.
 */
export function bookedRounds(
  book: ProviderBook,
  earlier: ReadonlyMap<string, ProviderRound>,
): ProviderRound[] {
  const own = book.rounds().map(
    ({ gameRound, state, stake, win }): ProviderRound => ({
      gameRound,
      state: states[state],
      stake,
      win,
      isOver: state === 'ended' || state === 'undone',
    }),
  );
  const known = new Set(own.map(({ gameRound }) => gameRound));
  return [...[...earlier.values()].filter(({ gameRound }) => !known.has(gameRound)), ...own];
}

/** The rounds that a journal brings along. The game in memory does not know them, so it takes the RGS's word. */
export function earlierRounds({ rounds }: BooksView): Map<string, ProviderRound> {
  return new Map(
    rounds.map(({ gameRound, service }) => [
      gameRound,
      {
        gameRound,
        state: stateOf(service.state),
        stake: BigInt(service.stake),
        win: BigInt(service.win),
        isOver: service.state !== 'open' && service.state !== 'starting',
      },
    ]),
  );
}

function stateOf(state: string): ProviderRound['state'] {
  if (state === 'declined' || state === 'cancelled') return 'notTaken';
  if (state === 'voided') return 'undone';
  return state === 'starting' ? 'unclear' : 'taken';
}
