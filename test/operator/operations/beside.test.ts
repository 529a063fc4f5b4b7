import { describe, expect, test } from '@jest/globals';

import { createMemoryStore } from '../../../lib/operator/stores/memory';
import { RoundPlay } from '../../../lib/proof/contracts/repairs/round-play';
import { hostile, newYear, open, putRound, queryOf, storeWithAnn } from './fixture';

function to(round: string, did = ''): string {
  return `round?${queryOf({ player: 'ann', round, ...(did === '' ? {} : { did }) })}`;
}

describe('the rounds of a player lead to each other', () => {
  test('the page of a round has links to the one before and after it, and says at the ends that there is none', async () => {
    const store = await storeWithAnn('ann', { history: true });
    for (const [at, gameRound] of ['first', hostile, 'last'].entries()) {
      await putRound(store, { gameRound }, 'closed', newYear + at);
    }
    const browser = open(store);
    const beside = async (round: string, side: string): Promise<string> => {
      const { text } = await browser.get(`/round?${queryOf({ player: 'ann', round })}`);
      const found = new RegExp(`href="(beside\\?[^"]*side=${side})"`).exec(text)?.[1] ?? '';
      const moved = await browser.get(`/${found.replaceAll('&amp;', '&')}`);
      expect(moved.status).toBe(303);
      return moved.headers.location ?? '';
    };
    expect(await beside('first', 'after')).toBe(to(hostile));
    expect(await beside(hostile, 'after')).toBe(to('last'));
    expect(await beside(hostile, 'before')).toBe(to('first'));
    expect(await beside('first', 'before')).toBe(to('first', 'none-before'));
    expect(await beside('last', 'after')).toBe(to('last', 'none-after'));
    expect((await browser.get(`/${to('last', 'none-after')}`)).text).toContain('the newest round');
    const wrong = await browser.get(`/beside?${queryOf({ player: 'ann', round: 'last' })}`);
    expect(wrong.status).toBe(400);
    const gone = queryOf({ player: 'ann', round: 'gone', side: 'after' });
    expect((await browser.get(`/beside?${gone}`)).status).toBe(404);
  });

  test('without a list of rounds there is no such link', async () => {
    const store = await storeWithAnn('ann', { history: true });
    await putRound(store, { gameRound: 'r' }, 'closed');
    const without = Object.assign(Object.create(store) as typeof store, { history: undefined });
    const { text } = await open(without).get(`/round?${queryOf({ player: 'ann', round: 'r' })}`);
    expect(text).not.toContain('href="beside');
    const asked = queryOf({ player: 'ann', round: 'r', side: 'after' });
    expect((await open(without).get(`/beside?${asked}`)).status).toBe(501);
  });
});

test('a round that people repaired has a badge, in the list and on its page, and a proposal gives none', async () => {
  const store = createMemoryStore({ history: true });
  const play = await RoundPlay.stranded({ store, players: store.players });
  const { operatorId, playerId, gameRound } = play.round;
  const browser = open(store, { operators: [operatorId] });
  const player = new URLSearchParams({ player: playerId }).toString();
  const round = new URLSearchParams({ player: playerId, round: gameRound }).toString();
  const pages = [`/player?${player}`, `/round?${round}`];
  const badges = async (): Promise<number[]> => {
    const texts = await Promise.all(pages.map(async (page) => (await browser.get(page)).text));
    return texts.map((text) => text.match(/title="repaired by people"/g)?.length ?? 0);
  };
  const id = await play.proposed({});
  expect(await badges()).toEqual([0, 0]);
  await play.approve(id, { id: 'bert', name: null });
  expect(await badges()).toEqual([1, 1]);
});
