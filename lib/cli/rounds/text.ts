import { amountText, inCurrency } from '../../platform/html';
import type {
  Account,
  PurseJson,
  RepairJson,
  RoundJson,
  PlayerKey,
  RoundKey,
  WalletStore,
} from '../../operator/wallet';
import { purseJson } from '../../operator/wallet/round-report';
import { formatAmount } from '../../protocol/money/amount';
import type { Purse } from '../../protocol/money/purse';
import { CommandFailure, noAnswer } from '../terminal/failure';
import { plain } from '../../protocol/json/printable';

/** Rows under their titles, columns as wide as what they hold; amounts of a column stand with their units below each other. */
export function drawTable(titles: readonly string[], rows: readonly string[][]): string[] {
  const shown = rows.map((row) => row.map(plain));
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...shown.map((row) => widthOf(row[at] ?? ''))),
  );
  const isAmounts = titles.map((_, at) => shown.every((row) => amountForm.test(row[at] ?? '')));
  const placed = (cell: string, at: number): string => {
    const spaces = ' '.repeat((widths[at] ?? 0) - widthOf(cell));
    return isAmounts[at] === true ? spaces + cell : cell + spaces;
  };
  return [titles, ...shown].map((row) => row.map(placed).join('  ').trimEnd());
}

/** Characters that take two places of a terminal: East Asian wide and full-width ones, and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/gu;

/** Places that a text takes on a terminal: none for what combines with the character before. */
function widthOf(text: string): number {
  const alone = Array.from(text.replace(/[\p{Mn}\p{Me}]/gu, ''));
  return alone.length + (text.match(wide)?.length ?? 0);
}

const decimal = '\u2212?[\\d,]+(?:\\.\\d+)?';
const ofCurrency = `${decimal}(?:, bonus ${decimal})?(?: [A-Z\\d]{3,})?`;

/** Amounts as this file writes them, one that is not known, or none. */
const amountForm = new RegExp(`^(?:\\?|${ofCurrency}(?: and ${ofCurrency})*)?$`);

/** Units as on the pages, with their currency: `1,027.50 EUR`. */
export function moneyText(units: bigint, currency: string | null, decimals: number): string {
  return inCurrency(formatAmount(units, decimals), currency);
}

/** Both balances: the bonus only if it is not zero. */
export function purseText({ real, bonus }: PurseJson, currency: string | null): string {
  if (bonus === '0') return inCurrency(real, currency);
  return `${amountText(real, currency ?? '')}, bonus ${inCurrency(bonus, currency)}`;
}

/** The same of units. */
export function unitsText(purse: Purse, currency: string, decimals: number): string {
  return purseText(purseJson(purse, decimals), currency);
}

/** Sums of a currency as rows of a table: real money, and bonus money if there is any. `ends` are the last cells of the first row. */
export function sumRows(
  currency: string,
  sums: readonly Purse[],
  decimals: number,
  ends: readonly string[],
): string[][] {
  const row = (name: string, units: readonly bigint[]): string[] => [
    name,
    ...units.map((one) => amountText(formatAmount(one, decimals), currency)),
  ];
  const real = row(
    currency,
    sums.map((one) => one.real),
  );
  const bonuses = sums.map((one) => one.bonus);
  const bonus = bonuses.every((one) => one === 0n) ? [] : [row(`${currency} bonus`, bonuses)];
  return [[...real, ...ends], ...bonus];
}

/** What an account holds: `12.50, bonus 3.00 EUR`; the bonus wherever the account has that balance. */
export function accountText({ currency, real, bonus }: Account, decimals: number): string {
  if (bonus === null) return moneyText(real, currency, decimals);
  const first = amountText(formatAmount(real, decimals), currency);
  return `${first}, bonus ${moneyText(bonus, currency, decimals)}`;
}

/** A time in UTC as a table has it: `2026-11-24 07:42:10`. */
export function timeCell(time: string | number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/** What a round gave, also what people paid in other currencies; empty for nothing. */
export function givenText({
  currency,
  credits,
  otherCredits = [],
}: Pick<RoundJson, 'currency' | 'credits' | 'otherCredits'>): string {
  const own = currency === null ? [] : [purseText(credits, currency)];
  return [...own, ...otherCredits.map((one) => purseText(one, one.currency))].join(' and ');
}

/** How long ago, in the largest unit: `3 d`, `5 h`, `12 min`, `8 s`. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ] as const;
  for (const [size, name] of units) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${name}`;
  }
  return `${seconds} s`;
}

/** What tables of repairs begin with: when and by whom proposed, kind, status, when and by whom decided, amount. */
export function repairCells(
  one: Omit<RepairJson, 'status'> & { readonly status: string },
): readonly string[] {
  return [
    timeCell(one.proposedAt),
    one.proposedBy.id,
    one.kind,
    one.status,
    one.decidedAt === undefined ? '' : timeCell(one.decidedAt),
    one.decidedBy?.id ?? '',
    inCurrency(one.amount, one.currency ?? null),
  ];
}

/** What is said where a store has no list of a player's rounds. */
export const noHistory =
  "The store keeps no list of a player's rounds. In Redis, start every process of the wallet with --history (option history: true): rounds from then on are listed. Until then name the round: rgs-wallet rounds show --player ... --round ...";

/**
 * The newest round of the player with this hash.
 * @throws Error if no round has it, or the store did not answer.
 */
export async function findByHash(
  store: WalletStore,
  { operatorId, playerId }: PlayerKey,
  hash: string,
): Promise<RoundKey> {
  let cursor: string | undefined;
  let searched = 0;
  for (;;) {
    const query = { operatorId, playerId, hash, ...(cursor === undefined ? {} : { cursor }) };
    const result = (await store.history?.findRound(query)) ?? { kind: 'off' };
    if (result.kind === 'found') return result.round;
    if (result.kind === 'off') throw new Error(noHistory);
    if (result.kind === 'unknown') throw noAnswer(result.cause);
    searched += result.searched;
    if (result.next === null) {
      throw new Error(
        `No round of player ${playerId} of operator ${operatorId} has the hash: searched ${searched}.`,
      );
    }
    cursor = result.next;
  }
}

/** @throws CommandFailure unless one of both is given. */
export function checkChoice(round: string | undefined, hash: string | undefined): void {
  if ((round === undefined) === (hash === undefined)) {
    throw new CommandFailure('Name the round with --round, or one of its hashes with --hash.');
  }
}
