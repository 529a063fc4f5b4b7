import type { ListedRound } from '../../../wallet';
import { decodeRepairs } from '../../codec/repairs';
import { readStakedCredit, stateOf, textOf, timeOf, unitsOf } from '../../codec/record';
import { type FirstRow, readDeclined } from './round';

/** A round of a list; its only entries are refused credits. */
export interface NamedRound extends ListedRound {
  readonly playerId: string;
  readonly gameRound: string;
}

/** What the view listed_rounds has of a round. */
type ListedRow = readonly [
  playerId: unknown,
  gameRound: unknown,
  version: number,
  state: unknown,
  changedAt: unknown,
  currency: string | null,
  gameCode: string | null,
  declined: string | null,
  debitsReal: unknown,
  debitsBonus: unknown,
  creditsReal: unknown,
  creditsBonus: unknown,
  repairs: string | null,
  firstRecords: readonly FirstRow[] | null,
  refused: readonly (readonly [hash: string, row: readonly unknown[]])[] | null,
];

/** The rounds of the text of a page, each as a text. */
export function linesOf(page: string): readonly string[] {
  return page.split('\n');
}

/** The round of such a text. */
export function readListed(text: string): NamedRound {
  const row = JSON.parse(text) as ListedRow;
  const repairs = row[12];
  const { stuckBy } = readDeclined(row[7]);
  return {
    playerId: textOf(row[0], 'player'),
    gameRound: textOf(row[1], 'round'),
    head: {
      version: row[2],
      state: stateOf(row[3]),
      changedAt: timeOf(row[4]),
      currency: row[5],
      gameCode: row[6],
      debits: { real: unitsOf(row[8]), bonus: unitsOf(row[9]) },
      credits: { real: unitsOf(row[10]), bonus: unitsOf(row[11]) },
      ...(stuckBy !== undefined && { stuckBy }),
      ...(repairs !== null && { repairs: decodeRepairs(repairs) }),
    },
    entries: [
      ...firstRefused(row[13]),
      ...(row[14] ?? []).map(([hash, own]) => refused(hash, own)),
    ],
  };
}

/** The refused credits of the call that opened the round. */
function firstRefused(rows: readonly FirstRow[] | null): ReturnType<typeof refused>[] {
  return (rows ?? []).flatMap(([hash, ...row]) =>
    row[0] === 'c' && row[1] !== 'accepted' ? [refused(hash, row)] : [],
  );
}

/** A refused credit by its hash, as the row of its record has it. */
function refused(hash: string, [, outcome, , currency, amount]: readonly unknown[]) {
  return [hash, { transaction: readStakedCredit({ outcome, currency, amount }) }] as const;
}
