import { type History, type RgsRound, strand, voidHere } from './histories';

const day = 86_400_000;

/** One way to make the two sides disagree on a round; the kind that it must be named. */
type Plant = readonly [
  kind: string,
  isFit: (round: RgsRound) => boolean,
  plant: (history: History, round: RgsRound) => void,
];

const plants: readonly Plant[] = [
  [
    'voided here alone',
    hasBet,
    (history, round) => voidHere(round, eventsOf(history, round), round.end + day),
  ],
  ['voided there alone', hasBet, (_, round) => void (round.state = 'CANCELLED')],
  ['unknown to the RGS', hasBet, (history, round) => void history.rounds.delete(round.round)],
  ['unknown to the wallet', hasBet, (history, round) => void history.events.delete(round.round)],
  ['win differs', hasBet, (_, round) => void (round.win += 1)],
  ['win differs', ({ win }) => win > 0, (_, round) => void (round.win *= 2)],
  ['bet differs', hasBet, (_, round) => void (round.bet += 10)],
  ['another currency', hasBet, (_, round) => void (round.currency = 'NOK')],
  [
    'repaired here and paid there',
    ({ win }) => win === 0,
    (history, round) => {
      strand(round, eventsOf(history, round), 777);
      round.win = 777;
    },
  ],
  ['state differs', hasBet, (_, round) => void (round.state = 'RUNNING')],
];

/** Rounds that were played and closed in the middle of the period. */
export function middle(history: History): RgsRound[] {
  return [...history.rounds.values()].filter(
    (one) =>
      isInside(one.start) &&
      isInside(one.end) &&
      one.state === 'DONE' &&
      eventsOf(history, one).length === 2,
  );
}

/** Makes 40 rounds disagree, in ten ways; each as it was, with the kind that it must be named. */
export function plant(history: History): (readonly [round: RgsRound, kind: string])[] {
  const rounds = middle(history);
  return Array.from({ length: 40 }, (_, index) => {
    const [kind, isFit, change] = plants[index % plants.length] as Plant;
    const at = rounds.findIndex(isFit);
    const [round] = rounds.splice(at, 1) as [RgsRound];
    const before = { ...round };
    change(history, round);
    return [before, kind] as const;
  });
}

function isInside(at: number): boolean {
  return at > Date.parse('2026-10-23T20:00Z') && at < Date.parse('2026-10-27T00:00Z');
}

function hasBet({ bet }: RgsRound): boolean {
  return bet > 0;
}

export function eventsOf(history: History, { round }: RgsRound) {
  return history.events.get(round) ?? [];
}
