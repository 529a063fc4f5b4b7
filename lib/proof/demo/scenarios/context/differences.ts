import { formatAmount } from '../../../../protocol/money';
import type { BooksView, DifferenceView } from '../../../../rgs/sandbox/view/books';

/** Minor units of a view as people write them, such as `2.50`. */
export function major(units: string | bigint): string {
  const [whole = '', fraction = ''] = formatAmount(BigInt(units), 2).split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** A text of a view with its minor units as people write them: `100 or 200` as `1.00 or 2.00`. */
export function inMajor(text: string): string {
  return text.replace(/(?<![\w.])-?\d+(?![\w.])/g, (units) => major(units));
}

/** A difference between the books in one line; amounts in major units. */
export function differenceText(one: DifferenceView): string {
  const { round, playerId, what, service, wallet, provider } = one;
  const said = [
    ['RGS', service],
    ['wallet', wallet],
    ['provider', provider],
  ].flatMap(([who, value]) => (typeof value === 'string' ? [`${who} ${inMajor(value)}`] : []));
  const about = [round === null ? '' : `round ${round.slice(0, 8)}`, playerId].filter(Boolean);
  return `${[about.join(' '), what].filter(Boolean).join(', ')}: ${said.join(', ')}`;
}

/** Where the books of a player have no balance of the wallet, or none that is certain, in words. */
export function unknownBalances({ doubts }: BooksView): string[] {
  return doubts.flatMap(({ round, text }) => (round === null ? [text] : []));
}
