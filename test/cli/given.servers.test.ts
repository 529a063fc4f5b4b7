import { afterAll, beforeAll, expect, test } from '@jest/globals';

import type { Person } from '../../lib/operator/operations';
import { createRedisStore } from '../../lib/operator/stores/redis';
import type { AccountStore } from '../../lib/operator/wallet';
import { credit, debit, RoundPlay, voidOf } from '../../lib/proof/contracts/repairs/round-play';
import { open } from '../operator/operations/fixture';
import { type RedisServer, startRedis } from '../servers/redis/server';
import { patience } from '../support/patience';
import { runCli } from './cli';

let redis: RedisServer;
let store: AccountStore;

beforeAll(async () => {
  redis = await startRedis();
  store = createRedisStore({ url: redis.url, init: true, history: true, ...patience });
  await store.ready();
});

afterAll(async () => {
  await store.close();
  await redis.stop();
});

/** What the round gave the player, wherever a person or a program can read it. */
async function givenBy({ round }: RoundPlay): Promise<Record<string, unknown>> {
  const { operatorId, playerId, gameRound } = round;
  const eye: Person = { id: 'eye', name: 'Eye', may: ['look'] };
  const pages = open(store, { operators: [operatorId], authorize: () => eye });
  const names = { operator: operatorId, player: playerId, round: gameRound };
  const query = new URLSearchParams(names).toString();
  const page = async (name: string) => (await pages.get(`/${name}?${query}`)).text;
  const where = ['--store', redis.url, '--operator', operatorId];
  const show = ['rounds', 'show', ...where, '--player', playerId, '--round', gameRound];
  const list = ['player', 'rounds', playerId, ...where];
  const player = JSON.parse(await page('player.json'));
  return {
    page: plain(
      /<span>Given, with repairs<\/span>(<b>.*?)<\/li>/s
        .exec(await page('round'))?.[1]
        ?.replace('</b>', ', '),
    ),
    pageOfPlayer: plain(/<td class="n" data-l="given">(.*?)<\/td>/.exec(await page('player'))?.[1]),
    command: /^credits +(.*)$/m.exec(await stdout(...show))?.[1],
    commandOfPlayer: / 0\.001 EUR +(.*?) {2,}\S+\n/.exec(await stdout(...list))?.[1],
    json: [
      sumsIn(JSON.parse(await page('round.json'))),
      sumsIn(player.rounds.rounds[0]),
      sumsIn(JSON.parse(await stdout(...show, '--json'))),
      sumsIn(JSON.parse(await stdout(...list, '--json')).rounds[0]),
    ],
  };
}

/** A piece of a page without its markup. */
function plain(markup = ''): string {
  return markup.replace(/<[^>]*>/g, '');
}

async function stdout(...words: string[]): Promise<string> {
  return (await runCli(words)).stdout;
}

function sumsIn({ credits, otherCredits = null }: Record<string, unknown>): object {
  return { credits, otherCredits };
}

const everywhere = (given: object) => [given, given, given, given];
const real = (text: string) => ({ real: text, bonus: '0' });

test('what a round gave is told with its repairs: on the pages, in JSON and by the commands', async () => {
  const play = await RoundPlay.stranded({ store, players: store.players });
  await play.repaired({});
  expect(await givenBy(play)).toEqual({
    page: '0.0025 EUR, 0 wins, 1 repair',
    pageOfPlayer: '0.0025 EUR',
    command: '0.0025 EUR',
    commandOfPlayer: '0.0025 EUR',
    json: everywhere({ credits: real('0.0025'), otherCredits: null }),
  });
  await play.call(voidOf('d'));
  expect(await givenBy(play)).toMatchObject({
    page: '0.00 EUR, 0 wins, no repair',
    command: '0.00 EUR',
  });
});

test('a win that people paid in another currency is told by it', async () => {
  const play = await RoundPlay.open({ store, players: store.players });
  const opening = { currency: 'USD', balances: { real: { units: 0n } } };
  await store.players.openPlayer({ ...play.round, ...opening });
  await play.call(debit('d', 10n, true), credit('w', 4n), credit('c', 70n, 'USD'));
  await play.repaired({});
  expect(await givenBy(play)).toEqual({
    page: '0.0004 EUR, 0.007 USD · 1 win, 1 repair',
    pageOfPlayer: '0.0004 EUR and 0.007 USD',
    command: '0.0004 EUR and 0.007 USD',
    commandOfPlayer: '0.0004 EUR and 0.007 USD',
    json: everywhere({
      credits: real('0.0004'),
      otherCredits: [{ currency: 'USD', ...real('0.007') }],
    }),
  });
});
