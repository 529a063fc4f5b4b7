/** What was moved in a currency, or is there. */
interface Sums {
  /** Units of 10^-8. */
  real: bigint;
  bonus: bigint;
}

/** What a player has in a currency, by the events. */
export interface Balance<Place> extends Readonly<Sums> {
  /** Where the event is that has it. */
  readonly place: Place;
}

type Kept<Place> = Sums & { readonly place: Place };

/** The members of an event that the accounts are compared by. */
export interface AccountEvent {
  readonly playerId?: unknown;
  readonly movements?: unknown;
  readonly accounts?: unknown;
  readonly round?: unknown;
}

/**
 * Compares each event's accounts with those of the player's event before it plus its movements (O12). What a process
 * moved that wrote no events shows as a jump. Keeps the balances of every player, about 300 bytes each.
 */
export class AccountCheck<Place> {
  readonly #players = new Map<string, Map<string, Kept<Place>>>();

  /** @param onFault Gets an event that is wrong; `before` is the one that it does not follow from, null if its accounts are no amounts. */
  constructor(private readonly onFault: (place: Place, before: Place | null) => void) {}

  check(event: AccountEvent, place: Place): void {
    const { playerId, accounts } = event;
    if (typeof playerId !== 'string') return;
    const moved = movementsOf(event);
    // A pointer has no movements, so what follows it cannot be compared with what came before.
    if (moved === null || event.round !== undefined) this.#players.delete(playerId);
    else if (Array.isArray(accounts)) this.compare(playerId, accounts, moved, place);
    else this.move(playerId, moved);
  }

  /** What the events say that each player has in each currency. */
  *balances(): IterableIterator<readonly [playerId: string, currency: string, Balance<Place>]> {
    for (const [playerId, player] of this.#players) {
      for (const [currency, balance] of player) yield [playerId, currency, balance];
    }
  }

  /** The same of one account; null if no event has said it since it was last unknown. */
  balanceOf(playerId: string, currency: string): Balance<Place> | null {
    return this.#players.get(playerId)?.get(currency) ?? null;
  }

  private compare(
    playerId: string,
    accounts: readonly unknown[],
    moved: ReadonlyMap<string, Sums>,
    place: Place,
  ): void {
    const player = this.#players.get(playerId) ?? new Map<string, Kept<Place>>();
    this.#players.set(playerId, player);
    for (const account of accounts) {
      const { currency, real, bonus } = (account ?? {}) as Partial<Record<string, unknown>>;
      const [has, hasBonus] = [unitsOf(real), unitsOf(bonus ?? '0')];
      if (typeof currency !== 'string' || has === null || hasBonus === null) {
        this.onFault(place, null);
        continue;
      }
      const before = player.get(currency);
      const by = moved.get(currency);
      const isRight =
        before === undefined ||
        (before.real + (by?.real ?? 0n) === has && before.bonus + (by?.bonus ?? 0n) === hasBonus);
      if (!isRight) this.onFault(place, before.place);
      player.set(currency, { real: has, bonus: hasBonus, place });
    }
  }

  /** An event without accounts: what is known moves with it. */
  private move(playerId: string, moved: ReadonlyMap<string, Sums>): void {
    const player = this.#players.get(playerId);
    for (const [currency, { real, bonus }] of moved) {
      const before = player?.get(currency);
      if (before === undefined) continue;
      before.real += real;
      before.bonus += bonus;
    }
  }
}

/** What an event moved, by currency; null if that is not amounts. */
function movementsOf({ movements = [] }: AccountEvent): Map<string, Sums> | null {
  if (!Array.isArray(movements)) return null;
  const moved = new Map<string, Sums>();
  for (const movement of movements as unknown[]) {
    const { currency, real, bonus } = (movement ?? {}) as Partial<Record<string, unknown>>;
    const [byReal, byBonus] = [unitsOf(real), unitsOf(bonus ?? '0')];
    if (typeof currency !== 'string' || byReal === null || byBonus === null) return null;
    const sum = moved.get(currency) ?? { real: 0n, bonus: 0n };
    sum.real += byReal;
    sum.bonus += byBonus;
    moved.set(currency, sum);
  }
  return moved;
}

/** Units of 10^-8, the most decimals of a store; null if a text is no amount. */
function unitsOf(text: unknown): bigint | null {
  if (typeof text !== 'string') return null;
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,20})(?:\.(\d{1,8}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const units = BigInt(whole + fraction.padEnd(8, '0'));
  return sign === '-' ? -units : units;
}
