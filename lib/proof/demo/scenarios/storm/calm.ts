import { GameEngineError, type RoundReply } from '../../../../provider';
import type { ProviderBook } from '../../game-bells';
import {
  hourMs,
  type Player,
  type ScenarioContext,
  type Session,
  type SandboxApi,
} from '../context';
import { faultKinds, lineNames } from '../../../../rgs/sandbox/view/state';

/** How long nobody plays after a storm: a day and more, so that doAutoClose closes what was left. */
const calmMs = 26 * hourMs;
const maxRuns = 20;

/**
 * After the storm: the provider asks for every round that it is not sure of, what is due is delivered, and a
 * day later what was abandoned is closed.
 * @returns How many rounds the provider was not sure of.
 */
export async function calm(context: ScenarioContext, players: readonly Player[]): Promise<number> {
  const { api, options } = context;
  await api.clearFaults();
  let recovered = 0;
  for (const player of players) {
    const session = await context.sit(player);
    const own = unsure(options.book, player).filter((gameRound) => context.isOwn(gameRound));
    recovered += own.length;
    for (const gameRound of own) await recoverRound(context, session, gameRound);
  }
  await api.advance(calmMs);
  for (let run = 0; run < maxRuns && (await isUnsettled(context, players)); run++) {
    await api.janitor();
    await options.clock.pause(50);
  }
  return recovered;
}

/** Rounds of the player without a definite end; of a start without an answer the player is not known. */
function unsure(book: ProviderBook, { playerId }: Player): string[] {
  return book
    .rounds()
    .filter(({ state }) => state === 'requested' || state === 'taken' || state === 'unclear')
    .filter((round) => round.playerId === null || round.playerId === playerId)
    .map(({ gameRound }) => gameRound);
}

async function recoverRound(
  { client, options }: ScenarioContext,
  { token }: Session,
  gameRound: string,
) {
  const { book } = options;
  const isMine = book.find(gameRound)?.playerId !== null;
  try {
    adopt(book, await client.getGameRoundInfo({ token, gameRound }));
  } catch (error) {
    const isNotTaken =
      error instanceof GameEngineError && error.serviceCode === 'GAMEROUNDNOTSTARTED';
    if (!isNotTaken) throw error;
    // 15 is also the answer for a round of another player (E14.1).
    if (isMine) book.notTaken(gameRound);
  }
}

/** What the RGS has, where the provider's own book has a doubt. */
function adopt(book: ProviderBook, reply: RoundReply): void {
  const { hash, status, stake } = reply.gameRoundInfo;
  const { outcome, creditPending = '0' } = reply.passThroughData;
  const known = book.find(hash);
  if (outcome === 'voided') return book.undone(hash);
  if (known?.state === 'taken' && status === 'open') return;
  if (known?.state === 'taken') return book.ended(hash);
  book.taken(reply, stake ?? 0n);
  if (status === 'open') return book.won(hash, reply.amountToCollect);
  book.won(hash, (reply.amountCredited ?? 0n) + BigInt(creditPending));
  book.ended(hash);
}

async function isUnsettled(context: ScenarioContext, players: readonly Player[]): Promise<boolean> {
  const ids = new Set(players.map(({ playerId }) => playerId));
  const { rounds } = await context.api.state();
  return rounds.some(({ gameRound, playerId, state, due }) => {
    const isOurs = context.isOwn(gameRound) && ids.has(playerId);
    return isOurs && (state === 'open' || state === 'starting' || due.length > 0);
  });
}

/** How often a call has each of the faults. */
export const probability = 0.008;
/** How long a late reply is held back, in milliseconds. */
const delayMs = 60;

/** Sets every fault on every line. */
export async function startFaults(api: SandboxApi): Promise<void> {
  for (const line of lineNames) {
    for (const kind of faultKinds) await api.fault({ line, kind, probability, delayMs });
  }
}
