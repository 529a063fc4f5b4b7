import { type Html, html } from './template';

const amountForm = /^-?\d+(?:\.\d+)?$/;

/** Most currencies whose formatters are kept. */
const mostFormatters = 500;

const formatters = new Map<string, Intl.NumberFormat>();

/** With the digits of the currency at least, and all that the text has. A code that is unknown to Intl has no own digits. */
function formatterOf(currency: string): Intl.NumberFormat {
  const known = formatters.get(currency);
  if (known !== undefined) return known;
  const minimumFractionDigits = digitsOf(currency);
  const made = new Intl.NumberFormat('en', { minimumFractionDigits, maximumFractionDigits: 20 });
  if (formatters.size >= mostFormatters) formatters.clear();
  formatters.set(currency, made);
  return made;
}

function digitsOf(currency: string): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().minimumFractionDigits ?? 0;
  } catch {
    return 0;
  }
}

/**
 * An amount as people read it, exact whatever its size: `1,200.00` of `1200` USD, `1,200` of JPY. A text that is not a
 * decimal is returned unchanged.
 * @param sign `always` puts a plus before what is above zero.
 */
export function amountText(
  amount: string,
  currency: string,
  sign: 'always' | 'minus' = 'minus',
): string {
  if (!amountForm.test(amount)) return amount;
  const text = formatterOf(currency).format(amount as Intl.StringNumericLiteral);
  if (text.startsWith('-')) return `\u2212${text.slice(1)}`;
  return sign === 'always' && /[1-9]/.test(amount) ? `+${text}` : text;
}

/** The same, with its currency if it has one: `1,027.50 EUR`. */
export function inCurrency(amount: string, currency: string | null): string {
  const text = amountText(amount, currency ?? '');
  return currency === null ? text : `${text} ${currency}`;
}

/** An amount with its currency in small. */
export function money(amount: string, currency: string, sign: 'always' | 'minus' = 'minus'): Html {
  return html`<span class="nw">${amountText(amount, currency, sign)} <small>${currency}</small></span>`;
}

const counts = new Intl.NumberFormat('en');

/** A number of things: `48,210`. */
export function count(number: number): string {
  return counts.format(number);
}

/** A number of things, by the name of one: `1 hour`, `72 hours`. */
export function counted(number: number, name: string): string {
  return `${count(number)} ${name}${number === 1 ? '' : 's'}`;
}

/** Most characters of an id in a list. */
const longestId = 40;

/**
 * An id in a list: it may be written in either direction, and must not turn the text around it. A long one is
 * shortened in the middle; it is whole when pointed at.
 */
export function id(text: string): Html {
  const characters = Array.from(text);
  if (characters.length <= longestId) return html`<bdi>${text}</bdi>`;
  const short = `${characters.slice(0, 24).join('')}…${characters.slice(-12).join('')}`;
  return html`<bdi title="${text}">${short}</bdi>`;
}

/** How long ago a time was, in its two largest parts: `3 h 12 min`. */
export function ageOf(iso: string, asOf: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(asOf) - Date.parse(iso)) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min` : 'under a minute';
}

/** The same for a time that may be seconds ago: `4 s ago`. */
export function agoOf(iso: string, asOf: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(asOf) - Date.parse(iso)) / 1000));
  return seconds < 60 ? `${seconds} s ago` : `${ageOf(iso, asOf)} ago`;
}
