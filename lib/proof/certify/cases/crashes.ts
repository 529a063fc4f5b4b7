import { wholeBelow } from '../../../platform/random';
import { casesIn } from '../talk/case';
import { resendCalls } from './resends';
import { Books, type ServiceRound } from './service';
import { type CaseContext, Undecided, CaseFailure, described } from '../talk';

/** Of all kills, one in this many is between calls. */
const betweenShare = 4;
/** Rounds that are played before a kill between calls. */
const roundsBetween = 8;
/** Rounds that are played at the same time. */
const lanes = 4;
/** The kill comes this long after the first call, and up to this much later, in milliseconds. */
const [minWaitMs, maxWaitMs] = [50, 400];

/** Kills of the wallet: what was acknowledged stays, what was in doubt is settled as the service does. */
export const crashes = casesIn('crashes', [
  {
    id: 'killed-between-calls',
    rule: 'Operator API 4.1, rule 1',
    given: 'rounds of which each call was answered; some are open, some are over, one is voided',
    when: 'the wallet is killed and started again',
    expected:
      'the money is the same, each resent call has its answer and moves nothing, and open rounds continue',
    after: ['plain-round', 'plain-void'],
    async play(context) {
      const kills = killsOf(context).between;
      let resent = 0;
      for (let kill = 1; kill <= kills; kill += 1) {
        resent += await killBetweenCalls(context);
        context.note(`${kill} of ${kills} kills between calls`);
      }
      return `${kills} kills, ${resent} calls sent again`;
    },
  },
  {
    id: 'killed-during-calls',
    rule: 'Operator API 3, states; 4.1, rules 1 and 5',
    given: `${lanes} rounds that are played at the same time`,
    when: 'the wallet is killed while calls are in flight, and started again; debits in doubt are voided, credits and ends are sent again',
    expected:
      'both books have the same money, and each call that was answered has its answer still',
    after: ['plain-round', 'plain-void', 'killed-between-calls'],
    async play(context) {
      const kills = killsOf(context).during;
      const sum = { resent: 0, inDoubt: 0 };
      for (let kill = 1; kill <= kills; kill += 1) {
        const { resent, inDoubt } = await killDuringCalls(context);
        sum.resent += resent;
        sum.inDoubt += inDoubt;
        context.note(`${kill} of ${kills} kills during calls`);
      }
      if (sum.inDoubt === 0) throw new Undecided(`no call was in flight at any of ${kills} kills`);
      return `${kills} kills with ${sum.inDoubt} calls in doubt, ${sum.resent} calls sent again`;
    },
  },
]);

/** @throws Undecided if no kills were asked for. */
function killsOf({ settings: { kills } }: CaseContext): { between: number; during: number } {
  if (kills < 1) throw new Undecided('no kills were asked for');
  const between = Math.max(1, Math.floor(kills / betweenShare));
  return { between, during: Math.max(1, kills - between) };
}

async function killBetweenCalls(context: CaseContext): Promise<number> {
  const { stake } = context;
  const books = await Books.open(context);
  for (let number = 0; number < roundsBetween; number += 1) {
    const round = books.begin(playerOf(books, number));
    // One round stays open, and one is voided.
    if (number > 1) await playRound(round, number, stake);
    else await round.send(round.debit(stake, true));
    if (number === 1) await round.withdraw();
    mustHavePlayed(round);
  }
  await books.repair();
  await books.compare('before the kill');
  await context.kill();
  await books.compare('after the kill');
  const resent = await resendCalls(books.rounds);
  await books.compare('after each call came again');
  await goOn(books);
  return resent;
}

async function killDuringCalls(context: CaseContext): Promise<{ resent: number; inDoubt: number }> {
  const books = await Books.open(context);
  let isOver = false;
  const played = Promise.allSettled(
    Array.from({ length: lanes }, (_, lane) => {
      return playLane(books, context, playerOf(books, lane), () => isOver);
    }),
  );
  try {
    await context.clock.pause(minWaitMs + wholeBelow(context.random, maxWaitMs));
    await context.kill();
  } finally {
    isOver = true;
    await played;
  }
  const failed = (await played).find((lane) => lane.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const inDoubt = books.rounds.filter((round) => round.callsInDoubt > 0).length;
  await books.repair();
  await books.compare('after the kill, with debits in doubt voided and credits sent again');
  const resent = await resendCalls(books.rounds);
  await books.compare('after each call came again');
  await goOn(books);
  return { resent, inDoubt };
}

/** Plays the open rounds to their end. */
async function goOn(books: Books): Promise<void> {
  for (const round of books.rounds) {
    await round.finish();
    mustHavePlayed(round);
  }
  await books.repair();
  await books.compare('after the open rounds went on');
}

function playerOf({ playerIds }: Books, number: number): string {
  return playerIds[number % playerIds.length] ?? '';
}

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
async function playRound(round: ServiceRound, number: number, stake: bigint): Promise<void> {
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
async function playLane(
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
function mustHavePlayed({ isOver, isInDoubt, isVoided, acknowledged }: ServiceRound): void {
  if (!isOver || isInDoubt || isVoided) return;
  const last = acknowledged.at(-1);
  const before =
    last === undefined ? 'its first call' : `a call that came ${described(last.answer)}`;
  throw new CaseFailure(
    `a plain round must be played to its end, but after ${before} it was refused`,
  );
}
