import { plainUnits } from '../../../protocol/money/plain-units';

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

  /**
   * @param onFault Gets an event that is wrong; `before` is the one that it does not follow from, null if its accounts are no
   * amounts.
   * @param isRepeated Whether an event that is wrong was there before, with all that its player has had since: it is then left
   * out. One that is right changes nothing by being repeated so.
   */
  constructor(
    private readonly onFault: (place: Place, before: Place | null) => void,
    private readonly isRepeated: (place: Place) => boolean = () => false,
  ) {}

  check(event: AccountEvent, place: Place): void {
    const { playerId, accounts } = event;
    if (typeof playerId !== 'string') return;
    const moved = movementsOf(event);
    // A pointer has no movements, so what follows it cannot be compared with what came before.
    if (moved === null || event.round !== undefined) this.#players.delete(playerId);
    else if (Array.isArray(accounts)) this.compare(playerId, accounts, moved, place);
    else this.move(playerId, moved, place);
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
    const after = accounts.map(readAccount);
    const wrong = after.filter(
      (one) => one === null || !follows(one, player.get(one.currency), moved.get(one.currency)),
    );
    if (wrong.length > 0 && this.isRepeated(place)) return;
    this.#players.set(playerId, player);
    for (const one of wrong) {
      this.onFault(place, one === null ? null : (player.get(one.currency)?.place ?? null));
    }
    for (const one of after) {
      if (one !== null) player.set(one.currency, { real: one.real, bonus: one.bonus, place });
    }
  }

  /** An event without accounts: what is known moves with it. */
  private move(playerId: string, moved: ReadonlyMap<string, Sums>, place: Place): void {
    const player = this.#players.get(playerId);
    if (player === undefined || moved.size === 0 || this.isRepeated(place)) return;
    for (const [currency, { real, bonus }] of moved) {
      const before = player.get(currency);
      if (before === undefined) continue;
      before.real += real;
      before.bonus += bonus;
    }
  }
}

interface Account extends Readonly<Sums> {
  readonly currency: string;
}

/** An account of an event; null if it is no amounts. */
function readAccount(account: unknown): Account | null {
  const { currency, real, bonus } = (account ?? {}) as Partial<Record<string, unknown>>;
  const [has, hasBonus] = [unitsOf(real), unitsOf(bonus ?? '0')];
  if (typeof currency !== 'string' || has === null || hasBonus === null) return null;
  return { currency, real: has, bonus: hasBonus };
}

/** Whether an account is what was there before and what was moved. */
function follows(
  account: Account,
  before: Readonly<Sums> | undefined,
  by: Sums | undefined,
): boolean {
  if (before === undefined) return true;
  const [real, bonus] = [before.real + (by?.real ?? 0n), before.bonus + (by?.bonus ?? 0n)];
  return real === account.real && bonus === account.bonus;
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

/** The most of a store. */
const decimals = 8;

/** Units of 10^-8; null if a text is no amount. */
function unitsOf(text: unknown): bigint | null {
  if (typeof text !== 'string') return null;
  const plain = plainUnits(text, decimals);
  if (plain !== null) return BigInt(plain);
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,20})(?:\.(\d{1,8}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  return sign === '-' ? -units : units;
}
