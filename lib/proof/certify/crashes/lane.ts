import type { Books, ServiceRound } from '../service';
import { type CaseContext, CaseFailure, described } from '../talk';

/** The calls of a round, by kinds of transactions. All credits together are what the debits took. */
type Shape = readonly (readonly ('first' | 'followUp' | 'credit' | 'end')[])[];

const shapes: readonly Shape[] = [
  [['first'], ['credit'], ['end']],
  [['first', 'credit', 'end']],
  [['first'], ['followUp'], ['credit', 'end']],
  [['first'], ['followUp', 'credit'], ['end']],
];

/** Most rounds of a lane between two kills: a slow restart does not make it endless. */
const maxRounds = 200;

/** Plays a new round; stops at a call that is in doubt, or refused. */
export async function playRound(round: ServiceRound, number: number, stake: bigint): Promise<void> {
  for (const call of shapes[number % shapes.length] ?? []) {
    if (round.isOver || round.isInDoubt) return;
    let owed = -round.net;
    const transactions = call.map((kind) => {
      if (kind === 'end') return round.end();
      if (kind === 'credit') return round.credit(owed);
      owed += stake;
      return round.debit(stake, kind === 'first');
    });
    await round.send(...transactions);
  }
}

/** Rounds of one player, one after another, until a call is in doubt or the run must stop. */
export async function playLane(
  books: Books,
  { stake }: Pick<CaseContext, 'stake'>,
  playerId: string,
  isOver: () => boolean,
): Promise<void> {
  for (let number = 0; number < maxRounds && !isOver(); number += 1) {
    const round = books.begin(playerId);
    await playRound(round, number, stake);
    if (round.isInDoubt) return;
    mustHavePlayed(round);
  }
}

/** @throws CaseFailure if a round whose calls were all answered was not played to its end. */
export function mustHavePlayed({ isOver, isInDoubt, isVoided, acknowledged }: ServiceRound): void {
  if (!isOver || isInDoubt || isVoided) return;
  const last = acknowledged.at(-1);
  const before =
    last === undefined ? 'its first call' : `a call that came ${described(last.answer)}`;
  throw new CaseFailure(
    `a plain round must be played to its end, but after ${before} it was refused`,
  );
}
