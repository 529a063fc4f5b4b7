import {
  badge,
  type Html,
  html,
  type HtmlPart,
  part,
  stackedTable,
  verdict,
} from '../../../platform/html';
import type { BookedRoundView, BooksView, OfAccount } from '../view/books';
import type { StateView } from '../view/state';
import type { FindingView } from '../view/wire';
import { amount, unbroken, inMoney } from '../wire/amounts';
import { coverage, listed, roundLink, shortened, times } from './frame';
import { badgeOf, booksVerdict } from './verdict';

/** Most rows of a list. */
const mostRows = 20;

/** The three books side by side, and the findings; what there is nothing of is one line. */
export function booksPage(
  books: BooksView,
  findings: readonly FindingView[],
  state: StateView,
): Html {
  const currencies = new Map(books.rounds.map(({ gameRound, currency }) => [gameRound, currency]));
  const lists = [
    ['differences', 'Differences', books.differences, () => differences(books)],
    ['doubts', 'Doubts', books.doubts, () => texts('Doubts', books.doubts, currencies)],
    ['players', 'Players', books.players, () => players(books)],
    ['booked-rounds', 'Rounds', books.rounds, () => booked(books.rounds)],
    ['notes', 'Notes', books.notes, () => texts('Notes', books.notes, currencies)],
    ['findings', 'Findings', findings, () => findingsTable(findings)],
  ] as const;
  const nothing = lists.flatMap(([, title, rows]) => (rows.length === 0 ? [title] : []));
  const line = html`<p class="dim">No ${nothing.join(', no ').toLowerCase()}.</p>`;
  const parts = lists.map(([anchor, title, rows, drawn]) => {
    if (rows.length === 0) return null;
    const shown = Math.min(rows.length, mostRows);
    return part(anchor, title, coverage(shown, rows.length, title.toLowerCase()), drawn());
  });
  return html`${verdict(booksVerdict(books, state))}
<p class="dim">Each wallet was asked for the balance of its players for this page: the questions are on the wire.</p>
${parts}${nothing.length === 0 ? null : line}`;
}

function who({ playerId, operatorId, currency }: OfAccount): Html {
  return html`<bdi>${shortened(playerId)}</bdi> <small>${shortened(operatorId)} ${currency}</small>`;
}

function differences({ differences: rows }: BooksView): Html {
  return listed(
    'Differences',
    ['round', 'player', 'what', '#RGS', '#wallet', '#game'],
    rows
      .slice(0, mostRows)
      .map((one) => [
        one.round === null ? 'no single round' : roundLink(one.round),
        one.playerId === '' ? null : who(one),
        badge('bad', one.what),
        ...[one.service, one.wallet, one.provider].map((text) =>
          text === null ? null : inMoney(text, one.currency, unbroken),
        ),
      ]),
    '',
  );
}

function texts(
  label: string,
  rows: BooksView['doubts'],
  currencies: ReadonlyMap<string, string>,
): Html {
  return listed(
    label,
    ['round', 'text'],
    rows
      .slice(0, mostRows)
      .map(({ round, text }) => [
        round === null ? 'no single round' : roundLink(round),
        round === null ? text : textWithMoney(text, currencies.get(round) ?? null),
      ]),
    '',
  );
}

/** `credit of 250 is not acknowledged`, with its amount in money. */
function textWithMoney(text: string, currency: string | null): string {
  return text.replace(/ of (\d{1,20}) /, (_, units: string) => ` of ${unbroken(units, currency)} `);
}

function players({ players: rows }: BooksView): Html {
  return stackedTable(
    'Players',
    ['player', '#start', '#game', '#RGS', '#wallet', '#refused by the wallet', 'verdict'],
    rows.slice(0, mostRows).map((one) => {
      const { currency, service, provider, owed } = one;
      const least = amount(service.least, currency);
      const isCertain = service.least === service.most;
      return [
        who(one),
        amount(one.start, currency),
        provider === null ? 'no book' : amount(provider, currency),
        isCertain ? least : html`${least} to ${amount(service.most, currency)}`,
        amount(one.wallet, currency),
        owed === '0' ? null : amount(owed, currency),
        badgeOf(one.verdict),
      ];
    }),
    '',
  );
}

/** Those that differ first, then those in doubt, then the latest. */
function booked(rows: readonly BookedRoundView[]): Html {
  const latest = rows.toReversed();
  const sorted = (['differ', 'doubt', 'agree'] as const).flatMap((wanted) =>
    latest.filter(({ verdict: one }) => one === wanted),
  );
  return listed(
    'Rounds',
    ['round', 'player', 'game', 'RGS', '#wallet', 'verdict'],
    sorted.slice(0, mostRows).map((one) => {
      const { gameRound, service, wallet, provider, currency } = one;
      return [
        roundLink(gameRound),
        who(one),
        provider === null ? 'not in its book' : bookText(provider, currency),
        bookText(service, currency),
        wallet === null ? 'not seen' : changeText(wallet.change, currency),
        badgeOf(one.verdict),
      ];
    }),
    '',
  );
}

function bookText({ state, stake, win }: BookedRoundView['service'], currency: string): string {
  return `${state}: bet ${unbroken(stake, currency)}, win ${unbroken(win, currency)}`;
}

function changeText(change: string, currency: string): string {
  const sign = /^[1-9]/.test(change) ? '+' : '';
  return sign + unbroken(change, currency);
}

/** The latest first. */
function findingsTable(rows: readonly FindingView[]): Html {
  const shown = rows.toReversed().slice(0, mostRows);
  return listed(
    'Findings',
    ['finding', 'rule', 'call', 'round', 'text', 'time'],
    shown.map((one) => [
      ...[one.id, one.rule, calledIn(one), one.round === null ? null : roundLink(one.round)].map(
        (text) => (text === null ? null : html`<span class="nw">${text}</span>`),
      ),
      one.text,
      times.clock(one.at),
    ]),
    '',
  );
}

function calledIn({ call, wire }: FindingView): HtmlPart {
  const name = call === null ? null : shortened(call);
  return wire === null ? name : html`<a href="/call?n=${wire}">${name ?? wire}</a>`;
}
