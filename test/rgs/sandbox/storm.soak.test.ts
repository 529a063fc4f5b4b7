import { describe, expect, test } from '@jest/globals';
import { storm } from './storm';

describe('a long storm (F, 17)', () => {
  test.each([11, 12, 13])(
    'with seed %i, after 300 rounds, the three books agree, and nothing is due',
    async (seed) => {
      const { books, state, hits } = await storm(seed, 300);
      expect(hits).toBeGreaterThan(300);
      expect(books.differences).toEqual([]);
      expect(books.doubts).toEqual([]);
      expect(state.due).toEqual([]);
    },
  );
});
