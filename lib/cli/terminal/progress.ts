import { type Clock, systemClock } from '../../platform';

const [firstMs, everyMs] = [1000, 10_000];

/** Where progress is written if it is a terminal, and by which clock: stderr, and the machine's own unless set. */
export interface ProgressParts {
  readonly clock?: Pick<Clock, 'after' | 'monotonicMs'>;
  readonly stream?: { readonly isTTY?: boolean; write(line: string): unknown };
}

/**
 * Does a work, and says how far it is once it takes longer than a second, and every ten seconds: `10,000 accounts, 11 s`. Nothing
 * is said of a shorter one.
 * @param noun What is counted; the work adds to it.
 */
export async function withProgress<T>(
  noun: string,
  work: (add: (count: number) => void) => Promise<T>,
  { clock = systemClock, stream = process.stderr }: ProgressParts = {},
): Promise<T> {
  const began = clock.monotonicMs();
  let done = 0;
  const say = (): void => {
    const seconds = Math.round((clock.monotonicMs() - began) / 1000);
    stream.write(`${done.toLocaleString('en')} ${noun}, ${seconds} s\n`);
    cancel = clock.after(everyMs, say, 'background');
  };
  let cancel = stream.isTTY === true ? clock.after(firstMs, say, 'background') : () => {};
  try {
    return await work((count) => {
      done += count;
    });
  } finally {
    cancel();
  }
}
