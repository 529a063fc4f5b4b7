import { expect } from '@jest/globals';

import type { MoneyPeriodView } from '../../../../lib/operator/operations/view/money/read';
import type { FullStore } from '../../../../lib/operator/wallet';
import type { Clock } from '../../../../lib/platform';
import { dayIn } from '../../reconciliation/histories';
import { unitsOf } from '../../reconciliation/totals/brute-force';
import { open } from '../fixture';
import { type Done, operatorId } from './planned-play';

const names = ['taken', 'won', 'repaired', 'cashIn', 'cashOut', 'corrected'] as const;
const played = ['taken', 'won', 'repaired'] as const;

type Sums = Readonly<Record<string, bigint>>;

/** What the test's own list adds up to. */
function expected(list: readonly Done[], of: readonly (keyof Done)[] = names): Sums {
  const sums: Record<string, bigint> = { rounds: 0n, freeRounds: 0n };
  for (const name of of) sums[name] = 0n;
  for (const one of list) {
    for (const name of Object.keys(sums))
      sums[name] = (sums[name] ?? 0n) + BigInt(one[name as 'rounds']);
  }
  return sums;
}

/** The same of what the page says. */
function said(of: Readonly<Record<string, unknown>>, keys: readonly string[] = names): Sums {
  const sums: Record<string, bigint> = {
    rounds: BigInt(Number(of['rounds'])),
    freeRounds: BigInt(Number(of['freeRounds'])),
  };
  for (const name of keys) sums[name] = unitsOf(String(of[name]));
  return sums;
}

function addedBy(list: readonly Done[]): bigint {
  const {
    taken = 0n,
    won = 0n,
    repaired = 0n,
    cashIn = 0n,
    cashOut = 0n,
    corrected = 0n,
  } = expected(list);
  return cashIn - cashOut + corrected - taken + won + repaired;
}

function voidedBy(list: readonly Done[]): Sums {
  return expected(list, ['voidedRounds', 'voidedTaken', 'voidedWon']);
}

async function pageOf(
  store: FullStore,
  clock: Clock,
  booksZone: string,
  query: Readonly<Record<string, string>>,
): Promise<MoneyPeriodView> {
  const browser = open(store, { clock, booksZone, operators: [operatorId] });
  const target = `/money.json?${new URLSearchParams(query).toString()}`;
  const { status, text } = await browser.get(target);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return JSON.parse(text) as MoneyPeriodView;
}

/**
 * The page of each day says what the test did on it, in all, by hour and by game, and over all days what the accounts hold.
 */
export async function checkMoney(
  store: FullStore,
  clock: Clock,
  zone: string,
  list: readonly Done[],
  players: readonly string[],
): Promise<void> {
  const days = [...new Set(list.map(({ at }) => dayIn(zone, at)))].toSorted();
  const currencies = [...new Set(list.map(({ currency }) => currency))];
  expect(days.length).toBeGreaterThan(3);
  const added = new Map<string, bigint>();
  const inPlay = new Map<string, bigint>();
  for (const day of days) {
    for (const currency of currencies) {
      const view = await pageOf(store, clock, zone, { day, currency });
      const own = list.filter((one) => one.currency === currency && dayIn(zone, one.at) === day);
      checkDay(view, day, own);
      const more = unitsOf(view.figures?.added ?? '');
      expect([day, more]).toEqual([day, addedBy(own)]);
      added.set(currency, (added.get(currency) ?? 0n) + more);
      const { taken = 0n, won = 0n, repaired = 0n } = said({ ...view.figures });
      inPlay.set(currency, (inPlay.get(currency) ?? 0n) + won + repaired - taken);
    }
  }
  const held: Record<string, bigint> = {};
  const books: Record<string, bigint> = {};
  for await (const { currency, balance } of store.players.books({ operatorId })) {
    addTo(held, currency, balance.real + balance.bonus);
    addTo(books, `${currency} real`, balance.real);
    addTo(books, `${currency} bonus`, balance.bonus);
  }
  expect(Object.fromEntries(added)).toEqual(held);
  const net = await netOfFiles(store, clock, zone, days, players);
  const ofFiles: Record<string, bigint> = {};
  for (const [key, units] of Object.entries(net)) addTo(ofFiles, key.split(' ')[0] ?? '', units);
  expect(ofFiles).toEqual(Object.fromEntries(inPlay));
  for (const { currency, balance, cashIn, cashOut, corrected } of list) {
    addTo(net, `${currency} ${balance}`, cashIn - cashOut + corrected);
  }
  expect(net).toEqual(books);
  await checkMonth(store, clock, zone, list);
}

function addTo(sums: Record<string, bigint>, key: string, units: bigint): void {
  sums[key] = (sums[key] ?? 0n) + units;
}

/** What the rounds gave less what they took, by currency and balance: the columns of the players' files of these days, added up. */
async function netOfFiles(
  store: FullStore,
  clock: Clock,
  booksZone: string,
  days: readonly string[],
  players: readonly string[],
): Promise<Record<string, bigint>> {
  const browser = open(store, { clock, booksZone, operators: [operatorId] });
  const net: Record<string, bigint> = {};
  const moved = { debitsBonus: 0n, creditsBonus: 0n };
  for (const player of players) {
    for (const day of days) {
      const asked = { operator: operatorId, player, from: day, to: day };
      const { status, text } = await browser.get(
        `/rounds.csv?${new URLSearchParams(asked).toString()}`,
      );
      expect([status, text]).toEqual([200, expect.stringMatching(/\r\nend,\d+,complete\r\n$/)]);
      const [head = '', ...rows] = text.replace('\ufeff', '').split('\r\n').slice(0, -2);
      const columns = head.split(',');
      for (const row of rows) {
        const cells = Object.fromEntries(row.split(',').map((cell, at) => [columns[at], cell]));
        const { currency = '', otherCredits } = cells;
        // This play has no repair in another currency.
        expect(otherCredits).toBe('');
        const units = (name: string) => unitsOf(cells[name] ?? '');
        moved.debitsBonus += units('debitsBonus');
        moved.creditsBonus += units('creditsBonus');
        addTo(net, `${currency} real`, units('creditsReal') - units('debitsReal'));
        addTo(net, `${currency} bonus`, units('creditsBonus') - units('debitsBonus'));
      }
    }
  }
  // Otherwise the columns of the bonus were not compared with anything.
  expect([moved.debitsBonus > 0n, moved.creditsBonus > 0n]).toEqual([true, true]);
  return net;
}

function checkDay(view: MoneyPeriodView, day: string, own: readonly Done[]): void {
  const { figures, lacks, zone, first, last } = view;
  expect([first, last, lacks, figures === null]).toEqual([day, day, [], false]);
  if (figures === null) return;
  expect([zone, day, said({ ...figures })]).toEqual([zone, day, expected(own)]);
  const { rounds, taken, won } = figures.voided;
  const { voidedRounds, voidedTaken, voidedWon } = voidedBy(own);
  expect([day, BigInt(rounds), unitsOf(taken), unitsOf(won)]).toEqual([
    day,
    voidedRounds,
    voidedTaken,
    voidedWon,
  ]);
  const named = figures.games.map(({ gameCode }) => gameCode);
  for (const { gameCode, ...sums } of figures.games) {
    const ofGame = own.filter(({ game }) => game === gameCode);
    expect([day, gameCode, said(sums, played)]).toEqual([day, gameCode, expected(ofGame, played)]);
  }
  const rest = own.filter(({ game }) => game !== null && !named.includes(game));
  expect(Object.values(expected(rest, played)).filter((units) => units !== 0n)).toEqual([]);
  let end = figures.parts[0]?.from;
  for (const { from, to, ...sums } of figures.parts) {
    expect(from).toBe(end);
    end = to;
    const within = own.filter(({ at }) => Date.parse(from) <= at && at < Date.parse(to));
    expect([from, said(sums, played)]).toEqual([from, expected(within, played)]);
  }
}

/** The month adds up the days. */
async function checkMonth(
  store: FullStore,
  clock: Clock,
  zone: string,
  list: readonly Done[],
): Promise<void> {
  const [{ at, currency } = { at: 0, currency: '' }] = list;
  const month = dayIn(zone, at).slice(0, 7);
  const view = await pageOf(store, clock, zone, { day: `${month}-15`, span: 'month', currency });
  const own = list.filter(
    (one) => one.currency === currency && dayIn(zone, one.at).startsWith(month),
  );
  expect(view.figures?.parts).toHaveLength(daysOf(month));
  expect(said({ ...view.figures })).toEqual(expected(own));
}

function daysOf(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}
