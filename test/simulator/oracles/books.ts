import { type AccountBooks, booksDifference } from '../../../lib/operator/wallet';
import type { World } from '../world/scheduler';

/**
 * What must hold of the books at any moment: each account has its cash, what its rounds and their repairs gave, and
 * what rounds gave that were forgotten (D10), to the unit in each balance.
 */
export async function checkBooks(
  world: World,
  all: AsyncIterable<AccountBooks> | Iterable<AccountBooks>,
): Promise<void> {
  for await (const books of all) {
    const { playerId, currency, carried, isAtRest } = books;
    const { real, bonus } = booksDifference(books);
    if (isAtRest && (real !== 0n || bonus !== 0n)) {
      const account = `${playerId} in ${currency}`;
      world.fail('the books', `${account} has ${real} real and ${bonus} bonus beside them`);
    }
    if (carried.real !== 0n || carried.bonus !== 0n) world.count('books with forgotten rounds');
  }
}
