import type { Account, CashEvent, RoundEvent, WalletEvent } from '../../../../lib/operator/wallet';
import type { World } from '../../world/scheduler';
import { actText } from './act-book';
import { RoundTrail } from './round-trail';
import { unitsOf } from './units';

/** The members that every event begins with, in this order. */
const firstMembers = ['type', 'id', 'operatorId', 'playerId', 'at'];

interface Balances {
  readonly real: bigint;
  readonly bonus: bigint;
}

/** A player as the events tell of them. */
interface FollowedPlayer {
  readonly accounts: Map<string, Balances>;
  /** Acts outside the rounds, in order. */
  readonly acts: string[];
  blocks: number;
  limits: number;
}

/**
 * What a consumer has seen (O12): each event once more than it was lost, none after it was acknowledged; the accounts of
 * an event are those of the player's event before it plus its movements.
 */
export class Followed {
  readonly name: string;
  private readonly seen = new Map<string, string>();
  /** Those that were acknowledged, with the turn in which they were. */
  private readonly acknowledged = new Map<string, number>();
  private readonly players = new Map<string, FollowedPlayer>();
  private readonly rounds = new Map<string, RoundTrail>();
  private turn = 0;

  constructor(
    private readonly world: World,
    private readonly options: {
      readonly name: string;
      readonly decimals: number;
      /** False over a ledger: then events have no accounts, and there are no acts. */
      readonly keepsAccounts: boolean;
      /** How long rounds are kept that are over; null for longer than the world lasts. */
      readonly retentionMs: number | null;
    },
  ) {
    this.name = options.name;
  }

  /** A page is asked for; the returned number is for {@link see}. */
  begin(): number {
    this.turn += 1;
    return this.turn;
  }

  /** A page was delivered. */
  see(events: readonly WalletEvent[], turn: number): void {
    const ids = new Set(events.map(nameOf));
    if (ids.size < events.length) this.fail('a page has an event twice');
    for (const event of events) {
      const id = nameOf(event);
      const text = JSON.stringify(event);
      const known = this.seen.get(id);
      if (known !== undefined && known !== text) this.fail(`${id} was ${known}, and is ${text}`);
      const at = this.acknowledged.get(id);
      if (at !== undefined && at < turn) this.fail(`${id} was acknowledged, and comes again`);
      if (known !== undefined) continue;
      this.seen.set(id, text);
      this.follow(event);
    }
  }

  /** A page is known to be acknowledged: no later one may have these. */
  acknowledge(events: readonly WalletEvent[]): void {
    for (const event of events) this.acknowledged.set(nameOf(event), this.turn);
  }

  /** The acts of a player, in order, as {@link actText} has them. */
  actsOf(playerId: string): readonly string[] {
    return this.players.get(playerId)?.acts ?? [];
  }

  /** What the events of a round say together; absent without any. */
  trailOf(playerId: string, gameRound: string): RoundTrail | undefined {
    return this.rounds.get(`${playerId} ${gameRound}`);
  }

  /** At the end: the sum of all movements is the balance. */
  checkAccounts(playerId: string, accounts: readonly Account[]): void {
    if (!this.options.keepsAccounts) return;
    const told = this.players.get(playerId)?.accounts ?? new Map<string, Balances>();
    const stored = accounts.map(({ currency, real, bonus }) => {
      return [currency, { real, bonus: bonus ?? 0n }] as const;
    });
    this.compare(playerId, told, new Map(stored), 'in the store');
  }

  private follow(event: WalletEvent): void {
    const { id, playerId, operatorId } = event;
    const begins = Object.keys(event).slice(0, firstMembers.length);
    if (begins.join() !== firstMembers.join()) this.fail(`${id} begins with ${begins.join()}`);
    const place = [operatorId, playerId].map(encodeURIComponent).join('/');
    if (!id.startsWith(`${place}/`)) this.fail(`${id} is of ${playerId}`);
    if (new Date(event.at).toISOString() !== event.at) this.fail(`${id} is dated ${event.at}`);
    const player = this.playerOf(playerId);
    if ('movements' in event) this.move(player, event.movements);
    this.checkEvent(player, event);
    if (event.type === 'round') this.followRound(event, place);
    else this.followAct(player, event, place);
  }

  private checkEvent(player: FollowedPlayer, { id, accounts }: WalletEvent): void {
    if (accounts === null || !this.options.keepsAccounts) {
      if (accounts !== null || this.options.keepsAccounts) this.fail(`${id} has other accounts`);
      return;
    }
    const { decimals } = this.options;
    const told = accounts.map(({ currency, real, bonus }) => {
      const units = { real: unitsOf(real, decimals), bonus: unitsOf(bonus ?? '0', decimals) };
      return [currency, units] as const;
    });
    this.compare(id, new Map(told), player.accounts, 'by the events');
  }

  private followRound(event: RoundEvent, place: string): void {
    const parts = [event.gameRound, event.version].map(encodeURIComponent).join('/');
    if (event.id !== `${place}/${parts}`) this.fail(`${event.id} should be ${place}/${parts}`);
    const name = `${event.playerId} ${event.gameRound}`;
    const trail = this.rounds.get(name) ?? new RoundTrail(this.options);
    this.rounds.set(name, trail);
    const wrong = trail.follow(event);
    if (wrong !== null) this.fail(`${event.id} ${wrong}`);
  }

  private followAct(
    player: FollowedPlayer,
    event: Exclude<WalletEvent, RoundEvent>,
    place: string,
  ): void {
    const { decimals, keepsAccounts } = this.options;
    if (!keepsAccounts) this.fail(`${event.id} is of an act beside the store`);
    player.acts.push(actText(event, decimals));
    const parts =
      event.type === 'limit'
        ? ['limit', `${++player.limits}`]
        : event.type === 'block'
          ? ['block', `${++player.blocks}`]
          : event.reference === null
            ? ['open', ...event.movements.map(({ currency }) => currency)]
            : ['cash', event.reference];
    const id = `${place}/${parts.map(encodeURIComponent).join('/')}`;
    if (event.id !== id) this.fail(`${event.id} should be ${id}`);
  }

  private move({ accounts }: FollowedPlayer, movements: CashEvent['movements']): void {
    const { decimals } = this.options;
    for (const { currency, real, bonus } of movements) {
      const before = accounts.get(currency) ?? { real: 0n, bonus: 0n };
      accounts.set(currency, {
        real: before.real + unitsOf(real, decimals),
        bonus: before.bonus + unitsOf(bonus, decimals),
      });
    }
  }

  private compare(
    what: string,
    told: ReadonlyMap<string, Balances>,
    other: ReadonlyMap<string, Balances>,
    where: string,
  ): void {
    const [one, two] = [told, other].map(textOf);
    if (one !== two) this.fail(`${what} has ${one}, and ${where} ${two}`);
  }

  private playerOf(playerId: string): FollowedPlayer {
    const known = this.players.get(playerId);
    if (known !== undefined) return known;
    const made = { accounts: new Map<string, Balances>(), acts: [], blocks: 0, limits: 0 };
    this.players.set(playerId, made);
    return made;
  }

  private fail(text: string): void {
    this.world.fail('O12', `${this.name}: ${text}`);
  }
}

/** A round that begins again after its retention counts from 1 again: then its ids come again, with other times. */
function nameOf({ id, at }: WalletEvent): string {
  return `${id} at ${at}`;
}

function textOf(accounts: ReadonlyMap<string, Balances>): string {
  const texts = [...accounts].map(([currency, { real, bonus }]) => `${currency} ${real} ${bonus}`);
  return texts.toSorted().join(', ');
}
