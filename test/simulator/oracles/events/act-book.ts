import type {
  Actor,
  BlockEvent,
  CashEvent,
  CashKind,
  LimitEvent,
  LimitTerms,
} from '../../../../lib/operator/wallet';
import type { World } from '../../world/scheduler';
import type { Followed } from './followed';
import { unitsOf } from './units';

/** Who does an act, and why; null where a program does it. */
export interface Who {
  readonly by: Actor | null;
  readonly reason: string | null;
}

/** Money that an act moves, in units. */
interface CashAct extends Who {
  readonly kind: CashKind;
  readonly reference: string | null;
  readonly currency: string;
  readonly real: number;
  readonly bonus: number;
}

/** A limit that was set, or lifted with an amount of null. */
type SetLimit = LimitTerms & { readonly amount: bigint | null };

/** What was done to players outside the rounds, in the order in which the store did it: each is one event (O12). */
export class ActBook {
  private readonly acts = new Map<string, string[]>();
  private readonly references = new Set<string>();
  private readonly last = new Map<string, string>();

  /** The store has done an order, or has known it; a known one is no event. */
  cash(playerId: string, { kind, reference, currency, real, bonus, by, reason }: CashAct): void {
    const name = reference === null ? `${playerId} opens ${currency}` : `${playerId} ${reference}`;
    if (this.references.has(name)) return;
    this.references.add(name);
    this.add(playerId, textOf('cash', kind, reference, currency, real, bonus, by, reason));
  }

  /** The store has blocked the player, or lifted it; what repeats the latest act is no event. */
  block(playerId: string, blocked: boolean, until: number | null, { by, reason }: Who): void {
    const ends = until === null ? null : new Date(until).toISOString();
    this.addOther(`${playerId} block`, playerId, textOf('block', blocked, ends, by, reason));
  }

  /** The store has set a limit, or has lifted it; what repeats the latest act is no event. */
  limit(playerId: string, limit: SetLimit, { by, reason }: Who): void {
    this.addOther(`${playerId} limit`, playerId, limitText(limit, by, reason));
  }

  /** At the end: the events of acts are what was done, in this order, with who and why. */
  check(world: World, followed: Followed, playerId: string): void {
    const done = this.acts.get(playerId) ?? [];
    const told = followed.actsOf(playerId);
    const at = Array.from({ length: Math.max(done.length, told.length) }, (_, place) => place).find(
      (place) => done[place] !== told[place],
    );
    if (at === undefined) return;
    const text = `${playerId} did ${done[at] ?? 'nothing'}, and the events have ${told[at] ?? 'none'}`;
    world.fail('O12', `${followed.name}: ${text}`);
  }

  private addOther(name: string, playerId: string, text: string): void {
    if (this.last.get(name) === text) return;
    this.last.set(name, text);
    this.add(playerId, text);
  }

  private add(playerId: string, text: string): void {
    this.acts.set(playerId, [...(this.acts.get(playerId) ?? []), text]);
  }
}

/** What an event says of an act. */
export function actText(event: CashEvent | BlockEvent | LimitEvent, decimals: number): string {
  const { by, reason } = event;
  if (event.type === 'block') return textOf('block', event.blocked, event.until, by, reason);
  if (event.type === 'limit') {
    const { amount, ...terms } = event.limit;
    const units = amount === null ? null : unitsOf(amount, decimals);
    return limitText({ ...terms, amount: units }, by, reason);
  }
  const { kind, reference, movements } = event;
  const moved = movements.flatMap(({ currency, real, bonus }) => {
    return [currency, Number(unitsOf(real, decimals)), Number(unitsOf(bonus, decimals))];
  });
  return textOf('cash', kind, reference, ...moved, by, reason);
}

function limitText(limit: SetLimit, by: Actor | null, reason: string | null): string {
  const { kind, currency, window, zone, counts, amount } = limit;
  return textOf('limit', kind, currency, window, zone, counts, `${amount}`, by, reason);
}

function textOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts);
}
