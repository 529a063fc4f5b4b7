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
});
