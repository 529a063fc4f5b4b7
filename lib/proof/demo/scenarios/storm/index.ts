import { faultKinds } from '../../../../rgs/sandbox/view/state';
import { createSeededRandom } from '../../../../platform/random';
import { createGameEngineClient } from '../../../../provider';
import type { Player, Scenario, ScenarioContext, Session } from '../context';
import { calm, probability, startFaults } from './calm';
import { playRound, type RoundParts } from './rounds';

const rounds = 1000;
const atOnce = 20;
/** After this many rounds the RGS is killed. */
const killEvery = 400;
/** A line says how far it is after this many rounds, or after this much time without one. */
const progressEvery = 100;
const progressMs = 10_000;

/** B3: 1,000 rounds with every fault on every line. */
export const storm: Scenario = {
  name: 'storm',
  shows: '1,000 rounds, all faults on all lines, two kills; the books agree at the end',
  async play(context) {
    const { api, options } = context;
    const players = await gather(context);
    const sessions: Session[] = [];
    for (const player of players) sessions.push(await context.sit(player));
    const percent = (probability * 100).toFixed(1);
    context.say(
      `Seed ${options.seed}: ${rounds} rounds of ${players.length} players; ${faultKinds.length} faults, each on ${percent} % of the calls.`,
    );
    await startFaults(api);
    const { played, broken, kills } = await play(context, sessions);
    context.say(`${played} rounds were played through, ${broken} ended early.`);
    context.equal(kills, Math.floor(rounds / killEvery), 'the RGS was killed on the way');
    const { faults } = await api.state();
    const hit = new Set(faults.filter(({ hits }) => hits > 0).map(({ kind }) => kind));
    const total = faults.reduce((sum, { hits }) => sum + hits, 0);
    context.equal(hit.size, faultKinds.length, `every fault has struck, ${total} calls in all`);
    const unsure = await calm(context, players);
    context.say(`The provider was not sure of ${unsure} rounds, and asked for them.`);
    const books = await api.books();
    const ids = new Set(players.map(({ playerId }) => playerId));
    const ours = books.rounds.filter(({ gameRound, playerId }) => {
      return context.isOwn(gameRound) && ids.has(playerId);
    });
    context.equal(ours.length >= rounds / 2, true, `${ours.length} rounds are in the books`);
    const doubts = ours.filter(({ verdict }) => verdict === 'doubt');
    const named = doubts.slice(0, 3).map(({ gameRound }) => gameRound.slice(0, 8));
    context.equal(
      { rounds: doubts.length, named },
      { rounds: 0, named: [] },
      'nothing is in doubt any more (B4)',
    );
    await context.booksAgree(players);
  },
};

async function gather(context: ScenarioContext): Promise<Player[]> {
  const players = new Map<string, Player>();
  for (let at = 0; at < atOnce; at++) {
    const player = await context.newPlayer();
    players.set(player.playerId, player);
  }
  return [...players.values()];
}

/** Every player plays a share of the rounds, all players at once. */
async function play(
  context: ScenarioContext,
  sessions: readonly Session[],
): Promise<{ played: number; broken: number; kills: number }> {
  const { options, api, deal } = context;
  const { clock, random, seed, book, provider, url } = options;
  const client = createGameEngineClient({
    baseUrl: `${url}/gameapi/v2`,
    ...provider,
    attemptTimeoutMs: 1500,
    timeoutMs: 6000,
    clock,
    random,
  });
  const count = { played: 0, broken: 0, kills: 0 };
  let saidAt = clock.monotonicMs();
  const sayProgress = (ended: number): void => {
    const now = clock.monotonicMs();
    if (ended % progressEvery !== 0 && now - saidAt < progressMs) return;
    saidAt = now;
    context.say(`${ended} of ${rounds} rounds`);
  };
  const share = Math.ceil(rounds / sessions.length);
  const playShare = async (session: Session, at: number): Promise<void> => {
    const draws = createSeededRandom(seed + at);
    const parts: RoundParts = { client, book, draws, newId: () => deal.newId() };
    for (let nth = 0; nth < share; nth++) {
      const isPlayed = await playRound(session, parts).then(
        () => true,
        () => false,
      );
      const ended = isPlayed ? ++count.played + count.broken : count.played + ++count.broken;
      sayProgress(ended);
      if (ended % killEvery !== 0) continue;
      count.kills++;
      await api.kill();
    }
  };
  await Promise.all(sessions.map(playShare));
  return count;
}
