import type { Clock } from '../../../../platform';
import type { ProviderBook } from '../../game-bells';
import { type SandboxApi, SandboxApiError } from './api';
import type { BooksBefore } from './own-books';

const pollMs = 50;
/** For what is in flight to end by itself. */
const patienceMs = 2000;

/** What a failed scenario left, and where. */
export interface LeftBy {
  readonly api: SandboxApi;
  readonly book: ProviderBook;
  readonly before: BooksBefore;
  readonly clock: Clock;
}

/**
 * Ends what a failed scenario left open, as a person does (E16.2): faults are cleared, open rounds closed, and what
 * is due is sent once more, then given up. So the next scenario of the player can start a round.
 * @throws SandboxApiError if the sandbox is gone.
 */
export async function endLeftovers({ api, book, before, clock }: LeftBy): Promise<void> {
  await api.clearFaults();
  const { rounds } = await api.books();
  for (const { gameRound, service } of rounds) {
    if (service.state !== 'open' || before.rounds.has(gameRound)) continue;
    await resolved(api.resolve({ round: gameRound, how: 'close' }));
    book.ended(gameRound);
  }
  const dueRounds = async (): Promise<Set<string>> => {
    const { due } = await api.state();
    const own = due.filter(({ gameRound }) => !before.rounds.has(gameRound));
    return new Set(own.map(({ gameRound }) => gameRound));
  };
  const giveUpAt = clock.monotonicMs() + patienceMs;
  while ((await dueRounds()).size > 0 && clock.monotonicMs() < giveUpAt) await clock.pause(pollMs);
  for (const how of ['resend', 'giveUp'] as const) {
    for (const round of await dueRounds()) await resolved(api.resolve({ round, how }));
  }
}

/** A round that has ended in the meantime is refused; that is as good. */
async function resolved(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof SandboxApiError)) throw error;
  }
}
