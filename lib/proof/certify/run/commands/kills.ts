import type { Case, Group } from '../../talk/case';

/** Groups with cases that depend on what the wallet remembers from one call to the next. */
const groupsHurt: readonly Group[] = [
  'partial-outcomes',
  'idempotency',
  'key-reuse',
  'voids',
  'states',
  'credits',
  'free-plays',
  'memory',
];

/**
 * The cases during which the wallet is killed, besides those of `crashes`: about `kills` in all, at least one a group. The
 * seed says which.
 */
export function casesToKill(
  plan: readonly Case[],
  { kills, seed }: { readonly kills: number; readonly seed: number },
): ReadonlySet<string> {
  const chosen = new Set<string>();
  for (const group of groupsHurt) {
    const cases = plan.filter((one) => one.group === group);
    const count = Math.min(cases.length, Math.ceil(kills / groupsHurt.length));
    for (let at = 0; at < count; at += 1) {
      const place = (seed + Math.floor((at * cases.length) / count)) % cases.length;
      chosen.add(cases[place]?.id ?? '');
    }
  }
  return chosen;
}

/** Kills the wallet once in a case: before the next call but `spared` after the first one that may move money. */
export class KillInCase {
  #inFlight = 0;
  #sparedYet: number;
  #isArmed = false;
  #killing: Promise<void> | null = null;

  constructor(
    private readonly kill: () => Promise<void>,
    spared: number,
  ) {
    this.#sparedYet = spared;
  }

  /** Sends a call, after the kill if it is time for that: never while another call is in flight. */
  async around<T>(mayMoveMoney: boolean, send: () => Promise<T>): Promise<T> {
    if (this.#isArmed && this.#killing === null && this.#inFlight === 0) {
      if (this.#sparedYet === 0) this.#killing = this.kill();
      else this.#sparedYet -= 1;
    }
    await this.#killing;
    this.#inFlight += 1;
    try {
      return await send();
    } finally {
      this.#inFlight -= 1;
      this.#isArmed ||= mayMoveMoney;
    }
  }
}
