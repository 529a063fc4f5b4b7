import { expect, test } from '@jest/globals';

import { LastCommits, rememberedCommits } from '../../../lib/operator/stores/last-commits';

test('the last thousand commits are remembered, of each round the latest', () => {
  const commits = new LastCommits();
  for (let version = 1; version <= rememberedCommits; version++) commits.note('old', version, 0);
  commits.note('a', 7, 0);
  commits.note('a', 8, 0);
  expect(commits.since(0)).toEqual([
    { round: 'a', version: 8 },
    { round: 'old', version: rememberedCommits },
  ]);
  for (let at = 1; at <= rememberedCommits; at++) commits.note(`r${at}`, 1, 0);
  expect(commits.since(0)).toHaveLength(rememberedCommits);
  expect(commits.since(0)).not.toContainEqual({ round: 'a', version: 8 });
});

test('two commits of a round that were acknowledged out of order count by their versions', () => {
  const commits = new LastCommits();
  commits.note('a', 3, 0);
  commits.note('a', 2, 0);
  expect(commits.since(0)).toEqual([{ round: 'a', version: 3 }]);
});

test('commits from before a time are left out, and all once they are cleared', () => {
  const commits = new LastCommits();
  commits.note('expired', 1, 99);
  commits.note('kept', 1, 100);
  expect(commits.since(100)).toEqual([{ round: 'kept', version: 1 }]);
  commits.clear();
  expect(commits.since(0)).toEqual([]);
});
