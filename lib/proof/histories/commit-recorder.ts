import { aroundRounds, type Rounds, type Written } from '../../operator/wallet';

/**
 * The same rounds, which add to `commits` what was answered as committed, in that order. A commit that was answered
 * `unknown` is not added.
 */
export function recordCommits(rounds: Rounds, commits: Written[]): Rounds {
  return aroundRounds(rounds, async (_, work, written) => {
    const result = await work();
    if (result.kind === 'committed' && written !== undefined) commits.push(written);
    return result;
  });
}
