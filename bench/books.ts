import { startCents } from './terms';

/**
 * Holds what each player has against what the processed calls moved, in cents.
 * @throws Error which names the first player with a cent too much or too little, and the sum of all.
 */
export function checkBooks(
  players: readonly string[],
  moved: readonly number[],
  balances: readonly number[],
): void {
  const wrong = players.flatMap((playerId, at) => {
    const expected = startCents + (moved[at] ?? 0);
    const found = balances[at] ?? Number.NaN;
    return found === expected ? [] : [{ playerId, expected, found }];
  });
  const [first] = wrong;
  if (first === undefined) return;
  const { playerId, expected, found } = first;
  const sum = wrong.reduce((total, player) => total + player.found - player.expected, 0);
  throw new Error(
    `the books are wrong: ${playerId} has ${found} cents, not ${expected}; ${wrong.length} players are wrong, by ${sum} in all`,
  );
}
