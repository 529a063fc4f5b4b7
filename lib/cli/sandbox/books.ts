import { amountText } from '../../platform/html';
import { differenceText, unknownBalances } from '../../proof/demo/scenarios';
import type { BookedPlayerView, BooksView } from '../../rgs/sandbox/view/books';
import type { CurrencyOf } from '../../rgs/sandbox/page/calls';
import { currenciesOf } from '../../rgs/sandbox/page/overview';
import { amountWords, decimalOf, inMoney } from '../../rgs/sandbox/wire/amounts';
import type { StateView } from '../../rgs/sandbox/view/state';
import { drawTable } from '../rounds/text';
import { shortRound } from './calls';
import type { Style } from '../terminal/style';
import { plain } from '../../protocol/json/printable';

/** Players that are listed; the rest is counted. */
const maxPlayers = 30;
/** Differences, notes and doubts that are listed of each. */
const maxRows = 40;

/** What the books come to. */
export type BooksVerdict = 'agree' | 'differ' | 'unknown';

/**
 * What the books come to: `unknown` where no wallet reported a balance.
 * @param onPurpose Rounds in which a scenario let them differ: they are left out.
 */
export function verdictOf(books: BooksView, onPurpose: ReadonlySet<string>): BooksVerdict {
  const { differences: all, players } = books;
  if (all.some(({ round }) => round === null || !onPurpose.has(round))) return 'differ';
  const unknown = unknownBalances(books);
  const isWalletTotalKnown = ({ playerId, currency }: BookedPlayerView): boolean =>
    !unknown.some((text) => text.includes(` of ${playerId} in ${currency}`));
  return unknown.length > 0 && !players.some(isWalletTotalKnown) ? 'unknown' : 'agree';
}

/** The three books, differences by round, and what is due still, as lines; the last one is the verdict. */
export function booksText(
  books: BooksView,
  state: StateView,
  style: Style,
  onPurpose: ReadonlySet<string> = new Set(),
): string[] {
  const currencyOf = currenciesOf(state);
  const rows = books.players.slice(0, maxPlayers).map((player) => {
    const { playerId, currency, start, wallet, service, provider, owed, verdict } = player;
    const { least, most } = service;
    const said = isOnPurpose(books, player, onPurpose) ? 'differ on purpose' : verdict;
    const text = (units: string): string => amountText(decimalOf(units), currency);
    const byRounds = least === most ? text(least) : `${text(least)}..${text(most)}`;
    const byGame = provider === null ? '-' : text(provider);
    const owes = owed === '0' ? '' : `; the wallet refused a win of ${text(owed)} ${currency}`;
    const figures = [text(start), text(wallet), byRounds, byGame];
    return { said, cells: [playerId, currency, ...figures, said + owes] };
  });
  const titles = ['player', 'currency', 'start', 'wallet', 'RGS', 'provider', ''];
  const [head = '', ...lines] = drawTable(
    titles,
    rows.map(({ cells }) => cells),
  );
  return [
    'The books',
    `  ${head}`,
    ...lines.map((line, at) => painted(`  ${line}`, rows[at]?.said ?? '', style)),
    ...more(books.players.length, maxPlayers, 'players'),
    roundCounts(books),
    ...differences(books, onPurpose, style),
    ...listed(books.doubts, 'in doubt', currencyOf, style.fault),
    ...listed(books.notes, 'note', currencyOf, style.dim),
    ...due(state, currencyOf, style),
    verdictLine(books, onPurpose, style),
  ];
}

function verdictLine(books: BooksView, onPurpose: ReadonlySet<string>, style: Style): string {
  const verdict = verdictOf(books, onPurpose);
  if (verdict === 'differ') return style.bad('The books do NOT agree.');
  if (verdict === 'unknown') {
    const [first = ''] = unknownBalances(books);
    return style.bad(`The books cannot be compared: ${plain(first)}.`);
  }
  const { rounds, players } = books;
  if (rounds.length === 0 && players.length === 0)
    return 'Nothing was played: the books are empty.';
  const isClean = books.differences.length === 0;
  return style.good(
    isClean ? 'The books agree.' : 'The books agree, except for what a scenario did on purpose.',
  );
}

/** Whether all that differs of a player does so on purpose. */
function isOnPurpose(
  { differences: all }: BooksView,
  { playerId, currency, verdict }: BookedPlayerView,
  onPurpose: ReadonlySet<string>,
): boolean {
  const own = all.filter((one) => one.playerId === playerId && one.currency === currency);
  const isEach = own.every(({ round }) => round !== null && onPurpose.has(round));
  return verdict === 'differ' && own.length > 0 && isEach;
}

function roundCounts({ rounds }: BooksView): string {
  const count = (wanted: string) => rounds.filter(({ verdict }) => verdict === wanted).length;
  const [agree, differ, doubt] = [count('agree'), count('differ'), count('doubt')];
  return `  ${rounds.length} ${rounds.length === 1 ? 'round' : 'rounds'}: ${agree} agree, ${differ} differ, ${doubt} in doubt`;
}

function differences(
  { differences: rows }: BooksView,
  onPurpose: ReadonlySet<string>,
  style: Style,
): string[] {
  const lines = rows.slice(0, maxRows).map((one) => {
    const text = plain(differenceText(one));
    const isExpected = one.round !== null && onPurpose.has(one.round);
    return isExpected ? style.dim(`  on purpose: ${text}`) : style.bad(`  difference: ${text}`);
  });
  return [...lines, ...more(rows.length, maxRows, 'differences')];
}

function listed(
  rows: readonly { readonly round: string | null; readonly text: string }[],
  name: string,
  currencyOf: CurrencyOf,
  paint: (text: string) => string,
): string[] {
  const lines = rows.slice(0, maxRows).map(({ round, text }) => {
    const about = round === null ? '' : `round ${shortRound(round)}: `;
    const said =
      round === null ? text : text.replace(/ of \d+ /, (part) => inMoney(part, currencyOf(round)));
    return paint(`  ${name}: ${about}${plain(said)}`);
  });
  return [...lines, ...more(rows.length, maxRows, `more: ${name}`)];
}

function due({ due: rows, attention }: StateView, currencyOf: CurrencyOf, style: Style): string[] {
  const lines = rows.slice(0, maxRows).map(({ gameRound, type, amount }) => {
    const text = `  due: round ${shortRound(gameRound)}: ${type}${amount === null ? '' : ` ${amountWords(amount, currencyOf(gameRound))}`}`;
    return style.fault(text);
  });
  const persons = attention.map(({ gameRound, why }) => {
    return style.fault(`  for a person: round ${shortRound(gameRound)}: ${plain(why)}`);
  });
  return [...lines, ...more(rows.length, maxRows, 'due'), ...persons.slice(0, maxRows)];
}

function more(count: number, most: number, what: string): string[] {
  return count > most ? [`  and ${count - most} ${what}`] : [];
}

function painted(line: string, verdict: string, style: Style): string {
  if (verdict === 'differ') return style.bad(line);
  return verdict === 'doubt' ? style.fault(line) : line;
}
