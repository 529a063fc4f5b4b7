const runs = 7;
/** A run that takes longer, in microseconds, is not repeated: what was to be seen has been seen. */
const enough = 1_000_000;

/** What a work took of the processor at two sizes, in microseconds. */
export interface Growth {
  readonly small: number;
  readonly large: number;
}

/**
 * The least that a work took of the processor, of several runs at each of two sizes. Where its cost
 * is linear it grows as the size does; where it is quadratic, by the square of that.
 */
export async function growthOf<T>(
  sizes: Growth,
  prepare: (size: number) => T,
  work: (prepared: T) => unknown,
): Promise<Growth> {
  const small = await minCost(prepare(sizes.small), work);
  return { small, large: await minCost(prepare(sizes.large), work) };
}

async function minCost<T>(prepared: T, work: (prepared: T) => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && (run === 0 || least < enough); run++) {
    const before = process.cpuUsage();
    await work(prepared);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/** How many times the small size the large one is to be. */
export const growthFactor = 16;

/**
 * Whether a work that was measured at 16 times the size grew about as the size did: below 96 times,
 * between the 16 of a linear cost (with more garbage to collect, up to 40) and the 256 of a quadratic
 * one. What is below 5 ms is no growth.
 */
export function isLinear({ small, large }: Growth): boolean {
  return large < 5000 || large < 96 * small;
}
