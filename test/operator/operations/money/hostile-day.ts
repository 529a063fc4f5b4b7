import { hostile, operatorId } from '../fixture';
import { type Counted, countedStore, row } from './fixture';

export const day = '2026-11-23';

/** Every hour of a day in two currencies, with games of the longest names, and a quarter that is not whole. */
export async function dayOfMoney(): Promise<Counted> {
  const games = [hostile.padEnd(256, 'x'), 'b'.repeat(256), 'Book of Sands', 'Viking Vault'];
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  const rows = hours.flatMap((hour) =>
    games.map((game, at) => {
      const time = `${day}T${String(hour).padStart(2, '0')}:15:00Z`;
      const bet = BigInt((hour + 1) * 1_000_000 * (at + 1));
      const sums = { games: BigInt(hour + 1), bet, win: (bet * BigInt(60 + at * 20)) / 100n };
      return row(time, 'start', sums, { game });
    }),
  );
  const cash = row(`${day}T08:00:00Z`, 'own', { cashIn: 9_000_000n, cashOut: 900n }, { game: '' });
  const krona = row(`${day}T08:00:00Z`, 'start', { games: 1n, bet: 10n }, { currency: 'SEK' });
  const large = { games: 1_234_567n, bet: 1_234_567_800n, win: 1_345_678_900n };
  const today = ['EUR', 'SEK', 'JPY', 'BHD', 'USD'].map((currency) =>
    row('2026-11-25T09:00:00Z', 'start', large, { currency }),
  );
  const quarter = Date.parse(`${day}T10:00:00Z`) / 900_000;
  const lost = {
    quarter,
    kind: 'round lost',
    playerId: 'p'.repeat(128),
    gameRound: hostile,
  } as const;
  const counted = await countedStore('2026-11-25T12:00:00Z', [...rows, cash, krona, ...today], {
    gaps: [lost],
  });
  const sums = { games: -1_000, bet: '-1000000.5', win: '4.5' };
  const byGame = games.map((game) => ({ game, ...sums, stated: sums }));
  const euro = { currency: 'EUR', word: 'differs', ...sums, stated: sums, midnight: sums, byGame };
  const side = { currency: 'EUR', bet: '1234567.25', win: '0', state: 'closed' };
  const named = { round: hostile, player: 'p'.repeat(128), kind: 'candidate', currency: 'EUR' };
  const rounds = [{ ...named, reason: 'the whole round', ours: side, theirs: side }];
  const found = { word: 'differs', reason: null, counting: 'UTC, by end, voids restated' };
  const rest = {
    endedAt: null,
    kinds: { 'sums differ': 1 },
    rounds,
    leftOut: 0,
    currenciesLeftOut: 0,
  };
  await counted.store.reconciliations.save({
    operatorId,
    day,
    source: 'statistics',
    at: counted.clock.now(),
    text: JSON.stringify({ ...found, ...rest, cells: [euro] }),
  });
  return counted;
}

/** The pages of it. */
export const paths = [
  '/',
  `/money?day=${day}`,
  `/money?day=${day}&span=month&currency=SEK`,
  '/money?day=2026-11-25',
  '/money?day=2026-01-01',
  '/reconciliation',
  `/reconciliation?day=${day}&currency=EUR`,
];
