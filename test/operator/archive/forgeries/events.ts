/** Numbers from 0 to below 1. */
export type Draw = () => number;

export const upTo = (draw: Draw, count: number): number => Math.floor(draw() * count);

export const pickFrom = <T>(draw: Draw, items: readonly T[]): T =>
  items[upTo(draw, items.length)] as T;

/** What a reader of UTF-8 puts for a byte that is none. */
export const replacement = '\uFFFD';

/**
 * Names that a reader could take for the end of a line, for another one of these, or for an order to a terminal. JSON
 * escapes the first 32 characters only.
 */
const strange = [
  'plain',
  'line\u2028separator',
  'next\u0085line',
  'return\rfeed\nvertical\vform\f',
  `replaced${replacement}`,
  'mark\uFEFF',
  'clear\u001b[2J\u009b2J',
  'back\u202Ewards',
  'é',
  'e\u0301',
  '💰',
  '../../etc/passwd',
  'null\u0000',
  '{"batch":1,"size":1}',
];

interface Player {
  readonly id: string;
  units: number;
  rounds: number;
  acts: number;
}

const hasReplacement = ({ id }: Player): boolean => id.includes(replacement);

const text = (units: number): string => (units / 100).toFixed(2);

/** What a wallet would write: each line an event, the accounts of a player the sum of the movements (O12). */
export class EventSource {
  private readonly players: Player[];
  private millis = Date.parse('2026-11-24T00:00:00.000Z');

  constructor(
    private readonly draw: Draw,
    private readonly operatorId: string,
  ) {
    this.players = strange.map((id, at) => ({ id: `${id}-${at}`, units: 0, rounds: 0, acts: 0 }));
  }

  /** One of them names a player with a replacement character. */
  lines(count: number): Buffer[] {
    const replaced = upTo(this.draw, count);
    return Array.from({ length: count }, (_, at) => this.line(at === replaced));
  }

  line(isReplaced = false): Buffer {
    const players = isReplaced ? this.players.filter(hasReplacement) : this.players;
    const player = pickFrom(this.draw, players);
    this.millis += upTo(this.draw, 2000);
    const event = player.acts === 0 || this.draw() < 0.2 ? this.cash(player) : this.round(player);
    player.acts++;
    return Buffer.from(JSON.stringify(event));
  }

  private head(type: string, player: Player, parts: readonly (string | number)[]): object {
    const id = [this.operatorId, player.id, ...parts].map((part) => encodeURIComponent(part));
    const at = new Date(this.millis).toISOString();
    return { type, id: id.join('/'), operatorId: this.operatorId, playerId: player.id, at };
  }

  private moved(player: Player, units: number): object {
    player.units += units;
    return {
      accounts: [{ currency: 'EUR', real: text(player.units), bonus: null }],
      movements: [{ currency: 'EUR', real: text(units), bonus: text(0) }],
    };
  }

  private cash(player: Player): object {
    const isOpening = player.acts === 0;
    const reference = isOpening ? null : `cash-${player.acts}`;
    const parts = reference === null ? ['open', 'EUR'] : ['cash', reference];
    return {
      ...this.head('cash', player, parts),
      ...this.moved(player, 1000 + upTo(this.draw, 9000)),
      kind: isOpening ? 'opening' : 'deposit',
      reference,
      by: { id: 'ann', name: 'Ann' },
      reason: pickFrom(this.draw, strange),
    };
  }

  private round(player: Player): object {
    const gameRound = `round-${++player.rounds}`;
    const [bet, win] = [upTo(this.draw, 200), upTo(this.draw, 150)];
    return {
      ...this.head('round', player, [gameRound, 1]),
      ...this.moved(player, win - bet),
      gameRound,
      version: 1,
      cause: 'call',
      gameCode: 'slots',
      state: 'closed',
      transactions: [
        { kind: 'debit', hash: `debit-${player.id}-${gameRound}`, amount: text(bet) },
        { kind: 'credit', hash: `credit-${player.id}-${gameRound}`, amount: text(win) },
      ],
    };
  }
}
