import { amountText, type Html, html, inCurrency, money } from '../../../platform/html';
import { formatAmount } from '../../../protocol/money/amount';

/** An amount of the wire, which has units of 1/100 (E4.1), as a decimal text. */
export function decimalOf(units: string): string {
  return formatAmount(BigInt(units), 2);
}

/** An amount with its currency, for a page. */
export function amount(units: string, currency: string): Html {
  return money(decimalOf(units), currency);
}

/** The same as text, `2.50 EUR`; without a currency where it is not known. */
export function amountWords(units: string, currency: string | null): string {
  if (currency === null || currency === '') return twoDecimals(units);
  return inCurrency(decimalOf(units), currency);
}

/** The same for a page: number and currency stay on one line. */
export function unbroken(units: string, currency: string | null): string {
  return amountWords(units, currency).replace(' ', '\u00a0');
}

/** The number alone, for a column that names its currency. */
export function figure(units: string, currency: string): Html {
  return html`<span class="nw">${amountText(decimalOf(units), currency)}</span>`;
}

/** A text of a view with its amounts as people write them: `100 or 200` as `1.00 EUR or 2.00 EUR`. */
export function inMoney(text: string, currency: string | null, write = amountWords): string {
  return text.replace(/(?<![\w.])-?\d{1,20}(?![\w.])/g, (units) => write(units, currency));
}

/** Two decimals, as the units have: whose currency they are is not known. */
function twoDecimals(units: string): string {
  const [whole = '', fraction = ''] = decimalOf(units).split('.');
  return `${amountText(whole, '')}.${fraction.padEnd(2, '0')}`;
}
