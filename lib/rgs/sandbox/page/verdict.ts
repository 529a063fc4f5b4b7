import { badge, counted, type Html, html, type Verdict } from '../../../platform/html';
import type { BooksView, DifferenceView } from '../view/books';
import type { StateView } from '../view/state';
import { inMoney, unbroken } from '../wire/amounts';
import { roundLink } from './frame';

/**
 * What the books come to in one sentence.
 * @param books Null for books that are too large to compare on every load.
 * @param end The way on.
 */
export function booksVerdict(
  books: BooksView | null,
  state: StateView,
  end: Html | null = null,
): Verdict {
  if (state.isReadOnly) {
    const text = 'Money calls are refused until a restart (B4).';
    return { tone: 'bad', title: 'The journal has failed', text };
  }
  if (books === null) {
    const text = 'There are more rounds than are compared on every load.';
    return { tone: 'note', title: 'The books are not compared here', text, end };
  }
  const which = hasGame(books) ? 'The three books' : 'The books of RGS and wallet';
  if (!books.agree) return { ...differing(which, books), end };
  if (books.rounds.length === 0 && state.rounds.length === 0) {
    const text = 'Launch a game, or play a scenario.';
    return { tone: 'note', title: 'Nothing has been played yet', text };
  }
  const { rounds, doubts } = books;
  const counts = `${counted(rounds.length, 'round')}, 0 differences, ${counted(doubts.length, 'doubt')}.`;
  const isWaiting = state.due.length + state.attention.length + doubts.length > 0;
  const text = html`${counts} ${dueText(state)}${personText(state)}`;
  return { tone: isWaiting ? 'warn' : 'good', title: `${which} agree`, text, end };
}

/** Whether the game's book is there: that of a provider elsewhere is not. */
function hasGame({ players, rounds }: BooksView): boolean {
  if (rounds.length === 0 && players.length === 0) return true;
  return [...players, ...rounds].some(({ provider }) => provider !== null);
}

function differing(which: string, { differences }: BooksView): Verdict {
  const [first] = differences;
  const more = differences.length - 1;
  const rest = more === 0 ? '.' : `, and ${counted(more, 'more difference')}.`;
  const text = first === undefined ? null : html`${differenceText(first)}${rest}`;
  return { tone: 'bad', title: `${which} differ`, text };
}

/** Whether books agree, in a word. */
export function badgeOf(one: 'agree' | 'differ' | 'doubt'): Html {
  const tones = { agree: 'good', differ: 'bad', doubt: 'warn' } as const;
  return badge(tones[one], one);
}

/** A difference in words, with its amounts. */
function differenceText(one: DifferenceView): Html {
  const { round, playerId, what, currency } = one;
  const said = [
    ['RGS', one.service],
    ['wallet', one.wallet],
    ['game', one.provider],
  ].flatMap(([who, value]) => {
    return typeof value === 'string' ? [`${who} ${inMoney(value, currency, unbroken)}`] : [];
  });
  const about = round === null ? null : html`Round ${roundLink(round)}, `;
  const whose = playerId === '' ? null : html`<bdi>${playerId}</bdi>, `;
  return html`${about}${whose}${what}: ${said.join(', ')}`;
}

function dueText({ due }: StateView): Html {
  if (due.length === 0) return html`Nothing is due.`;
  return html`<a href="#due">${counted(due.length, 'transaction')}</a> due at the wallet.`;
}

function personText({ attention }: StateView): Html | null {
  if (attention.length === 0) return null;
  const waits = attention.length === 1 ? 'waits' : 'wait';
  return html` <a href="#attention">${counted(attention.length, 'round')}</a> ${waits} for a person.`;
}
