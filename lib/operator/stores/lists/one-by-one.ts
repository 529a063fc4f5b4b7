/**
 * The items of pages, one by one. A generator that yields each item makes three promises for it; this makes one, for lists of
 * thousands. Ask for an item after the one before has come, as `for await` does.
 */
export function oneByOne<T>(pages: AsyncGenerator<readonly T[]>): AsyncIterableIterator<T> {
  let page: readonly T[] = [];
  let at = 0;
  const ofNextPage = async (): Promise<IteratorResult<T>> => {
    do {
      const read = await pages.next();
      if (read.done === true) return { done: true, value: undefined };
      page = read.value;
      at = 0;
    } while (page.length === 0);
    return { done: false, value: page[at++] as T };
  };
  return {
    next: () =>
      at < page.length ? Promise.resolve({ done: false, value: page[at++] as T }) : ofNextPage(),
    async return() {
      page = [];
      await pages.return(undefined);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
