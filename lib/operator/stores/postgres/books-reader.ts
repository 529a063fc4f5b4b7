import type { AccountBooks, BooksQuery } from '../../wallet';
import { checkBooksQuery } from '../check-input';
import { readBooksLine } from './codec/cash';
import type { Executor, Line } from './connections/executor';
import { functions } from './schema/functions';

/** Accounts whose books are read at once, as of one moment. */
const accountsAtOnce = 100;

/** The books, page by page in the order of operators, players and currencies. */
export async function* readBooks(
  executor: Executor,
  query?: BooksQuery,
): AsyncGenerator<AccountBooks> {
  const { operatorId, playerId } = checkBooksQuery(query);
  const whose = { of_operator: operatorId, of_player: playerId, at_most: accountsAtOnce };
  let last: Line = ['', '', ''];
  for (;;) {
    const [operator = '', player = '', currency = ''] = last;
    const after = { after_operator: operator, after_player: player, after_currency: currency };
    const page = await executor.run(functions.listBooks, { ...whose, ...after });
    for (const line of page) yield readBooksLine(line);
    if (page.length < accountsAtOnce) return;
    last = page.at(-1) ?? last;
  }
}
