import {
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  parseJson,
} from '../../../protocol/json/parse';
import { parseAmount } from '../../../protocol/money/amount';
import { CsvReader } from './csv';
import { ReconciliationFailure } from '../rounds/failure';
import { partOf, type Spool } from '../rounds/spool';

/** Which column of an export is what. */
export interface ExportMap {
  readonly round: string;
  readonly player?: string;
  readonly game?: string;
  readonly currency: string;
  readonly bet: string;
  readonly win: string;
  readonly state?: string;
  readonly time?: string;
  /** States of rounds that were voided; of rounds that have not ended. */
  readonly voided?: readonly string[];
  readonly open?: readonly string[];
}

/** A row as a line of a spool: amounts in units. */
export type RowText = readonly [
  round: string,
  player: string | null,
  game: string | null,
  currency: string,
  bet: number,
  win: number,
  state: string | null,
  status: 'voided' | 'open' | 'closed',
  /** Its day as written; null if the row has no time. */
  day: string | null,
  fault: string | null,
];

/** What was read. */
export interface SpooledExport {
  readonly spool: Spool<RowText>;
  readonly rows: number;
  /** Rows that cannot be compared: the first ones by number, and how many there are. */
  readonly faults: readonly string[];
  readonly faulty: number;
}

const columns = ['round', 'player', 'game', 'currency', 'bet', 'win', 'state', 'time'] as const;
const needed = ['round', 'currency', 'bet', 'win'] as const;
const lists = ['voided', 'open'] as const;

/** @throws ReconciliationFailure that names the wrong member. */
export function readExportMap(value: unknown): ExportMap {
  if (!isJsonObject(value)) throw new ReconciliationFailure('the map is not an object');
  for (const [name, member] of Object.entries(value)) {
    const isList = (lists as readonly string[]).includes(name);
    if (!isList && !(columns as readonly string[]).includes(name)) {
      throw new ReconciliationFailure(
        `the map has a member that is not known; known are ${[...columns, ...lists].join(', ')}`,
      );
    }
    if (isList ? !Array.isArray(member) || !member.every(isText) : !isText(member)) {
      throw new ReconciliationFailure(
        `the map's ${name} is not a ${isList ? 'list of texts' : 'text'}`,
      );
    }
  }
  for (const name of needed) {
    if (value[name] === undefined) throw new ReconciliationFailure(`the map has no ${name}`);
  }
  return value as unknown as ExportMap;
}

function isText(one: unknown): boolean {
  return typeof one === 'string' && one !== '';
}

/** Most faults that are kept as texts. */
const mostFaults = 10;

/** Reads the cells of a row by the names of the map. */
type CellOf = (name: (typeof columns)[number]) => string | null;

/** Splits an export by its rounds. */
class ExportSpooler {
  #rows = 0;
  #faulty = 0;
  readonly #faults: string[] = [];

  constructor(
    private readonly map: ExportMap,
    private readonly decimals: number,
    private readonly spool: Spool<RowText>,
  ) {}

  add(cellOf: CellOf): void {
    this.#rows += 1;
    const text = rowText(cellOf, this.map, this.decimals);
    const fault = text[9];
    if (fault !== null) {
      this.#faulty += 1;
      if (this.#faults.length < mostFaults) this.#faults.push(`row ${this.#rows}: ${fault}`);
    }
    if (text[0] !== '') this.spool.add(partOf(text[0]), text);
  }

  result(): SpooledExport {
    return { spool: this.spool, rows: this.#rows, faults: this.#faults, faulty: this.#faulty };
  }
}

function rowText(cellOf: CellOf, { voided, open }: ExportMap, decimals: number): RowText {
  const [round, currency, state] = [
    cellOf('round') ?? '',
    cellOf('currency') ?? '',
    cellOf('state'),
  ];
  const [bet, win] = [unitsOf(cellOf('bet'), decimals), unitsOf(cellOf('win'), decimals)];
  let fault: string | null = null;
  if (round === '' || round.length > longestId) [fault] = ['it has no round'];
  else if (currency === '') fault = 'it has no currency';
  else if (bet === null) fault = `its bet is not an amount with at most ${decimals} decimals`;
  else if (win === null) fault = `its win is not an amount with at most ${decimals} decimals`;
  const isOf = (states: readonly string[] = []): boolean =>
    state !== null && states.includes(state);
  const status = isOf(voided) ? 'voided' : isOf(open) ? 'open' : 'closed';
  const day = /^\d{4}-\d{2}-\d{2}/.exec(cellOf('time') ?? '')?.[0] ?? null;
  const id = round.length > longestId ? '' : round;
  const names = [id, cellOf('player'), cellOf('game'), currency] as const;
  return [...names, bet ?? 0, win ?? 0, state, status, day, fault];
}

const longestId = 512;

/** Exact: nothing is rounded. */
function unitsOf(text: string | null, decimals: number): number | null {
  const units = text === null ? null : parseAmount(text.trim(), decimals);
  return units === null ? null : Number(units);
}

/**
 * Reads an export of rounds: CSV with a header, or a JSON object a line.
 * @param pieces The text, piece by piece.
 * @throws ReconciliationFailure if the export as a whole cannot be read; a row that cannot is a fault of the row.
 */
export async function spoolExport(
  pieces: AsyncIterable<string>,
  { map, decimals, format }: { map: ExportMap; decimals: number; format: 'csv' | 'ndjson' },
  spool: Spool<RowText>,
): Promise<SpooledExport> {
  const spooler = new ExportSpooler(map, decimals, spool);
  if (format === 'ndjson') await readLines(pieces, map, spooler);
  else await readCsv(pieces, map, spooler);
  return spooler.result();
}

async function readCsv(
  pieces: AsyncIterable<string>,
  map: ExportMap,
  spooler: ExportSpooler,
): Promise<void> {
  const reader = new CsvReader();
  let places: ReadonlyMap<string, number> | null = null;
  const take = (row: string[]): void => {
    if (places === null) return void (places = placesOf(row, map));
    const known = places;
    spooler.add((name) => {
      const at = known.get(name);
      return at === undefined ? null : (row[at] ?? null);
    });
  };
  for await (const piece of pieces) for (const row of reader.push(piece)) take(row);
  for (const row of reader.end()) take(row);
  if (places === null) throw new ReconciliationFailure('the export is empty: it has no header');
}

function placesOf(header: readonly string[], map: ExportMap): ReadonlyMap<string, number> {
  const names = header.map((cell) => cell.trim());
  const places = new Map<string, number>();
  for (const name of columns) {
    const column = map[name];
    if (column === undefined) continue;
    const at = names.indexOf(column);
    if (at < 0 || names.indexOf(column, at + 1) >= 0) {
      const count = at < 0 ? 'no column' : 'two columns';
      throw new ReconciliationFailure(`the export has ${count} for the map's ${name}`);
    }
    places.set(name, at);
  }
  return places;
}

/** Longest line of a row in JSON. */
const longestLine = 1_048_576;

async function readLines(
  pieces: AsyncIterable<string>,
  map: ExportMap,
  spooler: ExportSpooler,
): Promise<void> {
  let [rest, number] = ['', 0];
  const take = (line: string): void => {
    number += 1;
    if (line.trim() !== '') spooler.add(jsonCells(line.replace(/^\uFEFF/, ''), map, number));
  };
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
    if (rest.length > longestLine)
      throw new ReconciliationFailure(`the export's line ${number + 1} is too long`);
  }
  take(rest);
}

function jsonCells(line: string, map: ExportMap, number: number): CellOf {
  try {
    const document = parseJson(line, { maxValues: 10_000 });
    const { value } = document;
    if (!isJsonObject(value)) throw new JsonSyntaxError('It is not an object.');
    return (name) => {
      const column = map[name];
      return column === undefined ? null : cellText(document.lexeme(value, column), value, column);
    };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new ReconciliationFailure(`the export's line ${number}: ${error.message}`);
  }
}

function cellText(number: string | undefined, object: JsonObject, column: string): string | null {
  const value = number ?? object[column];
  return typeof value === 'string' ? value : null;
}
