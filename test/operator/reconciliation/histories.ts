import type {
  StatedCell,
  StatisticsSource,
} from '../../../lib/operator/reconciliation/by-day/statistics';

/** A round as the RGS of these tests keeps it; amounts in hundredths. */
export interface RgsRound {
  readonly round: string;
  player: string;
  game: string;
  currency: string;
  start: number;
  end: number;
  bet: number;
  win: number;
  state: 'DONE' | 'CANCELLED' | 'RUNNING';
  isFree: boolean;
}

/** Both sides of a random history that agree. */
export interface History {
  readonly rounds: Map<string, RgsRound>;
  /** Of each round, the events of the wallet; a test may change them. */
  readonly events: Map<string, WalletEvent[]>;
}

type Transaction = Record<string, unknown>;

export interface WalletEvent {
  at: number;
  player: string;
  round: string;
  game: string;
  state: string;
  transactions: Transaction[];
  movements: Transaction[];
  repairs?: Transaction[];
}

/** Numbers of 0 up to 1, the same for the same seed (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const hour = 3_600_000;

/** A random history of rounds that start in this time, with numbers from `first` on. */
export function randomHistory(
  seed: number,
  count: number,
  [from, to]: readonly [number, number],
  first = 0,
): History {
  const roll = dice(seed);
  const history: History = { rounds: new Map(), events: new Map() };
  for (let index = 0; index < count; index++) {
    addRandomRound(history, roll, first + index, from, to);
  }
  return history;
}

function addRandomRound(
  history: History,
  roll: () => number,
  index: number,
  from: number,
  to: number,
): void {
  const pick = (most: number): number => Math.floor(roll() * most);
  const start = from + pick(to - from);
  const isLong = roll() < 0.02;
  const end = start + pick(isLong ? 36 * hour : 300_000) + 1;
  const isFree = roll() < 0.03;
  const bets = isFree
    ? [0]
    : [10 * (1 + pick(5_000)), ...(roll() < 0.2 ? [10 * (1 + pick(50))] : [])];
  const wins = roll() < 0.4 ? [1 + pick(90_000)] : [];
  if (wins.length > 0 && roll() < 0.1) wins.push(wins[0] ?? 1);
  const currency = roll() < 0.5 ? 'EUR' : 'SEK';
  const round: RgsRound = {
    round: `round-${index}`,
    player: `player-${pick(500)}`,
    game: `game-${pick(20)}`,
    currency,
    start,
    end,
    isFree,
    bet: sum(bets),
    win: sum(wins),
    state: 'DONE',
  };
  history.rounds.set(round.round, round);
  const fate = roll();
  const events = playedEvents(round, bets, wins);
  if (fate < 0.01) voidAll(round, events, end + pick(48 * hour));
  else if (fate < 0.013 && wins.length === 0) strand(round, events, 1 + pick(90_000));
  history.events.set(round.round, events);
}

/** The wallet's events of a round that was played: its bets at its start, its wins and its end at its end. */
export function playedEvents(
  round: RgsRound,
  bets: readonly number[],
  wins: readonly number[],
): WalletEvent[] {
  const { currency, start, end, isFree } = round;
  const debits = bets.map((bet, at) => ({
    type: 'debit',
    hash: at === 0 ? round.round : `${round.round}-d${at}`,
    outcome: 'accepted',
    currency,
    amount: text(bet),
    isFirstDebit: at === 0,
    ...(isFree ? { serial: 'package-1' } : {}),
  }));
  const credits = wins.map((win, at) => creditOf(round, at, win, 'accepted'));
  const over = { type: 'end', hash: `${round.round}-e`, outcome: 'accepted' };
  return [eventOf(round, start, 'open', debits), eventOf(round, end, 'closed', [...credits, over])];
}

function creditOf(round: RgsRound, at: number, win: number, outcome: string): Transaction {
  const { currency } = round;
  return { type: 'credit', hash: `${round.round}-c${at}`, outcome, currency, amount: text(win) };
}

export function eventOf(
  { round, player, game }: RgsRound,
  at: number,
  state: string,
  transactions: Transaction[],
): WalletEvent {
  return { at, player, round, game, state, transactions, movements: [] };
}

/** Both sides void the round. */
export function voidAll(round: RgsRound, events: WalletEvent[], at: number): void {
  round.state = 'CANCELLED';
  voidHere(round, events, at);
}

/** The wallet alone voids it. */
export function voidHere(round: RgsRound, events: WalletEvent[], at: number): void {
  const moved = { real: text(round.bet - round.win), bonus: '0' };
  const order = { type: 'void', hash: round.round, outcome: 'accepted', moved };
  events.push(eventOf(round, at, 'voided', [order]));
}

/** The win of the round is refused, and people pay it. */
export function strand(round: RgsRound, events: WalletEvent[], win: number): void {
  const { round: id, currency, end } = round;
  events.push(eventOf(round, end + 1, 'stranded', [creditOf(round, 9, win, 'ROUNDOVER')]));
  const paid = eventOf(round, end + hour, 'closed', []);
  const names = { proposedBy: { id: 'kim', name: null }, decidedBy: { id: 'lou', name: 'Lou' } };
  paid.repairs = [{ id: `fix-${id}`, kind: 'pay', status: 'done', ...names }];
  paid.movements = [{ hash: `repair#fix-${id}`, currency, real: text(win), bonus: '0' }];
  events.push(paid);
}

/** Hundredths as a decimal text. */
export function text(hundredths: number): string {
  const digits = String(Math.abs(hundredths)).padStart(3, '0');
  return `${hundredths < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** The wallet's events in the order of time, as lines of JSON; with one event at each of these times besides. */
export function eventLines({ events }: History, frame: readonly number[]): string[] {
  const all = [...events.values()].flatMap((list) =>
    list.map((event, version) => [event.at, lineOf(event, version + 1)] as const),
  );
  const framed = frame.map((at) => [at, JSON.stringify(cashEvent(at))] as const);
  return [...all, ...framed].toSorted(([one], [other]) => one - other).map(([, line]) => line);
}

function cashEvent(at: number): object {
  const id = `casino/ann/cash/${at}`;
  return {
    type: 'cash',
    id,
    operatorId: 'casino',
    playerId: 'ann',
    at: new Date(at).toISOString(),
  };
}

function lineOf(
  { at, player, round, game, state, ...members }: WalletEvent,
  version: number,
): string {
  return JSON.stringify({
    type: 'round',
    id: `casino/${player}/${round}/${version}`,
    operatorId: 'casino',
    playerId: player,
    at: new Date(at).toISOString(),
    accounts: null,
    gameRound: round,
    version,
    gameCode: game,
    state,
    ...members,
    transactions: members.transactions.map((one) => ({ at: new Date(at).toISOString(), ...one })),
  });
}

/** How the RGS of a test counts. */
export interface RgsCounting {
  readonly zone: string;
  readonly by: 'start' | 'end';
  readonly leavesFreeOut?: boolean;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of a time in a zone, as Swedish writes it. */
export function dayIn(zone: string, at: number): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  formats.set(zone, format);
  return format.format(at);
}

/** The statistics of the RGS, from its own rounds. */
export function statisticsOf(
  history: History,
  { zone, by, leavesFreeOut = false }: RgsCounting,
  byGame = true,
): StatisticsSource & { calls: number } {
  const byDay = new Map<string, RgsRound[]>();
  for (const round of history.rounds.values()) {
    const day = dayIn(zone, by === 'start' ? round.start : round.end);
    const rounds = byDay.get(day) ?? [];
    if (rounds.length === 0) byDay.set(day, rounds);
    if (round.state === 'DONE') rounds.push(round);
  }
  const source = {
    byGame,
    calls: 0,
    cellsOf(day: string, player: string | null): Promise<StatedCell[]> {
      source.calls += 1;
      const cells = new Map<string, StatedCell>();
      for (const one of byDay.get(day) ?? []) {
        if (player !== null && one.player !== player) continue;
        const game = byGame ? one.game : '';
        const key = `${one.currency} ${game}`;
        const { games, bet, win } = cells.get(key) ?? { games: 0, bet: 0n, win: 0n };
        cells.set(key, {
          currency: one.currency,
          game,
          games: games + (leavesFreeOut && one.isFree ? 0 : 1),
          bet: bet + BigInt(one.bet) * 100n,
          win: win + BigInt(one.win) * 100n,
        });
      }
      return Promise.resolve([...cells.values()]);
    },
  };
  return source;
}

/** An export of the rounds of the days, as CSV. */
export function exportOf(
  history: History,
  { zone, by }: RgsCounting,
  days: ReadonlySet<string>,
  also: readonly RgsRound[] = [],
): string {
  const listed = [...history.rounds.values()].filter((one) =>
    days.has(dayIn(zone, by === 'start' ? one.start : one.end)),
  );
  const rows = [...new Set([...listed, ...also])].map(
    ({ round, player, game, currency, bet, win, state, end }) =>
      [
        round,
        player,
        game,
        currency,
        text(bet),
        text(win),
        state,
        new Date(end).toISOString(),
      ].join(','),
  );
  return ['round_id,player,game,currency,bet,win,state,time', ...rows].join('\n');
}

export const exportMap = {
  round: 'round_id',
  player: 'player',
  game: 'game',
  currency: 'currency',
  bet: 'bet',
  win: 'win',
  state: 'state',
  time: 'time',
  voided: ['CANCELLED'],
  open: ['RUNNING'],
} as const;
