import { describe, expect, test } from '@jest/globals';
import { storm } from './storm';

describe('a storm: faults on every line, and the service killed now and then (F, 17)', () => {
  test.each([1, 2, 3])('with seed %i the three books agree in the end', async (seed) => {
    const { books, state, hits } = await storm(seed, 15);
    expect(hits).toBeGreaterThan(10);
    expect(books.differences).toEqual([]);
    expect(books.doubts).toEqual([]);
    expect(state.due).toEqual([]);
    expect(books.rounds.length).toBeGreaterThan(8);
  });

  test('a wallet that pays the win of one call twice is named', async () => {
    let wins = 0;
    const { books } = await storm(1, 15, (store) => {
      const commit = store.rounds.commit.bind(store.rounds);
      Object.assign(store.rounds, {
        follow: undefined,
        commit: async (...[round, change]: Parameters<typeof commit>) => {
          const { movements } = change;
          const win = movements.find(({ kind }) => kind === 'give');
          if (win !== undefined) wins += 1;
          return commit(
            round,
            wins === 2 && win ? { ...change, movements: [...movements, win] } : change,
          );
        },
      });
    });
    expect(wins).toBeGreaterThan(2);
    const balance = books.differences[1];
    expect(balance).toMatchObject({ what: 'balance', round: expect.any(String) });
    expect(Number(balance?.wallet) - Number(balance?.service)).toBe(100); // a win of one stake
  });
});
