import type {
  BookedPlayerView,
  BooksView,
  DifferenceView,
} from '../../../../rgs/sandbox/view/books';
import type { ProviderBook } from '../../game-bells';
import type { Player } from './dealer';
import { type SandboxApi, SandboxApiError } from './api';
import type { Clock } from '../../../../platform';
import { inMoney } from '../../../../rgs/sandbox/wire/amounts';

/** The books before a scenario, which does not account for what is in them. */
export interface BooksBefore {
  /** Rounds that the RGS or the provider had. */
  readonly rounds: ReadonlySet<string>;
  readonly differences: ReadonlySet<string>;
  readonly players: readonly BookedPlayerView[];
  readonly findings: number;
}

/** A sandbox without a round yet. */
export const emptyBooks: BooksBefore = {
  rounds: new Set(),
  differences: new Set(),
  players: [],
  findings: 0,
};

/** The books as they are now. @throws SandboxApiError */
export async function booksBefore(api: SandboxApi, book: ProviderBook): Promise<BooksBefore> {
  const { rounds, differences, players } = await api.books();
  const booked = [...rounds, ...book.rounds()].map(({ gameRound }) => gameRound);
  return {
    rounds: new Set(booked),
    differences: new Set(differences.map((one) => JSON.stringify(one))),
    players,
    findings: (await api.findings()).findings.length,
  };
}

/**
 * What speaks against the books of these players since then, one line each: rounds that began before are left
 * out, and a balance is judged by how it has changed.
 */
export function ownFaults(
  books: BooksView,
  before: BooksBefore,
  players: readonly Player[],
): string[] {
  const isOwn = ({ round, playerId }: { round: string | null; playerId: string }): boolean =>
    (playerId === '' || players.some((player) => player.playerId === playerId)) &&
    (round === null || !before.rounds.has(round));
  const differences = books.differences
    .filter((one) => isOwn(one) && !before.differences.has(JSON.stringify(one)))
    // The balance as a whole has all earlier rounds in it.
    .filter(({ what }) => what !== 'balance');
  const balances = distinct(players).flatMap((player) => balanceFaults(books, before, player));
  const doubts = books.rounds
    .filter(({ gameRound: round, playerId, verdict }) => {
      return verdict === 'doubt' && isOwn({ round, playerId });
    })
    .map(({ gameRound, playerId }) => `round ${gameRound.slice(0, 8)} ${playerId} is in doubt`);
  return [...differences.map(differenceText), ...balances, ...doubts];
}

function distinct(players: readonly Player[]): Player[] {
  return [...new Map(players.map((player) => [nameOf(player), player])).values()];
}

/** How a player's balance has changed, against what the player's rounds have moved. */
function balanceFaults(books: BooksView, before: BooksBefore, player: Player): string[] {
  const name = nameOf(player);
  const unknown = unknownBalances(books).filter((text) => text.includes(` of ${name}`));
  if (unknown.length > 0) return unknown;
  const now = books.players.find((one) => nameOf(one) === name);
  if (now === undefined) return [`the wallet reported no balance for ${name}`];
  const { start } = now;
  const then = before.players.find((one) => nameOf(one) === name) ?? {
    wallet: start,
    service: { least: start, most: start },
  };
  const base = BigInt(then.wallet);
  const least = base + BigInt(now.service.least) - BigInt(then.service.most);
  const most = base + BigInt(now.service.most) - BigInt(then.service.least);
  const balance = BigInt(now.wallet);
  if (balance >= least && balance <= most) return [];
  const difference: DifferenceView = {
    round: null,
    operatorId: now.operatorId,
    playerId: now.playerId,
    currency: now.currency,
    what: 'balance since the scenario began',
    service: least === most ? String(least) : `${least} to ${most}`,
    wallet: String(balance),
    provider: null,
  };
  return [differenceText(difference)];
}

function nameOf({ playerId, currency }: Player): string {
  return `${playerId} in ${currency}`;
}

const pollMs = 50;
/** For what is in flight to end by itself. */
const patienceMs = 2000;

/** What a failed scenario left, and where. */
interface LeftBy {
  readonly api: SandboxApi;
  readonly book: ProviderBook;
  readonly before: BooksBefore;
  readonly clock: Clock;
}

/**
 * Ends what a failed scenario left open, as a person does (E16.2): faults are cleared, open rounds closed, and what
 * is due is sent once more, then given up. So the next scenario of the player can start a round.
 * @throws SandboxApiError if the sandbox is gone.
 */
export async function endLeftovers({ api, book, before, clock }: LeftBy): Promise<void> {
  await api.clearFaults();
  const { rounds } = await api.books();
  for (const { gameRound, service } of rounds) {
    if (service.state !== 'open' || before.rounds.has(gameRound)) continue;
    await resolved(api.resolve({ round: gameRound, how: 'close' }));
    book.ended(gameRound);
  }
  const dueRounds = async (): Promise<Set<string>> => {
    const { due } = await api.state();
    const own = due.filter(({ gameRound }) => !before.rounds.has(gameRound));
    return new Set(own.map(({ gameRound }) => gameRound));
  };
  const giveUpAt = clock.monotonicMs() + patienceMs;
  while ((await dueRounds()).size > 0 && clock.monotonicMs() < giveUpAt) await clock.pause(pollMs);
  for (const how of ['resend', 'giveUp'] as const) {
    for (const round of await dueRounds()) await resolved(api.resolve({ round, how }));
  }
}

/** A round that has ended in the meantime is refused; that is as good. */
async function resolved(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof SandboxApiError)) throw error;
  }
}

/** A difference between the books in one line. */
export function differenceText(one: DifferenceView): string {
  const { round, playerId, currency, what, service, wallet, provider } = one;
  const said = [
    ['RGS', service],
    ['wallet', wallet],
    ['provider', provider],
  ].flatMap(([who, value]) =>
    typeof value === 'string' ? [`${who} ${inMoney(value, currency)}`] : [],
  );
  const about = [round === null ? '' : `round ${round.slice(0, 8)}`, playerId].filter(Boolean);
  return `${[about.join(' '), what].filter(Boolean).join(', ')}: ${said.join(', ')}`;
}

/** Where the books of a player have no balance of the wallet, or none that is certain, in words. */
export function unknownBalances({ doubts }: BooksView): string[] {
  return doubts.flatMap(({ round, text }) => (round === null ? [text] : []));
}
