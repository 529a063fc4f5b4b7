import { ReconciliationFailure } from '../rounds/failure';

/** Most characters of a cell, and cells of a row: more is no export of rounds. */
const longestCell = 65_536;
const mostCells = 1_000;

/**
 * Reads CSV (RFC 4180) piece by piece: cells with quotes may have separators, line breaks and doubled quotes. The separator is
 * the first of `;`, tab and comma that the first line has outside quotes. A byte order mark and empty lines are ignored.
 */
export class CsvReader {
  #separator = '';
  #row: string[] = [];
  #cell = '';
  /** `after`: a quoted cell was closed. */
  #state: 'begin' | 'plain' | 'quoted' | 'quote' = 'begin';
  #head = '';
  #isFirst = true;
  #line = 1;

  /** The rows that end in this piece. @throws ReconciliationFailure that names the line. */
  *push(piece: string): IterableIterator<string[]> {
    let text = piece;
    if (this.#isFirst && text !== '') {
      this.#isFirst = false;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    if (this.#separator === '') {
      this.#head += text;
      if (!/[\r\n]/.test(this.#head) && this.#head.length < longestCell) return;
      text = this.#chooseSeparator();
    }
    yield* this.#read(text);
  }

  /** The last row, if it has no line break. */
  *end(): IterableIterator<string[]> {
    if (this.#separator === '') yield* this.#read(this.#chooseSeparator());
    if (this.#state === 'quoted') this.#fail('a quote is not closed');
    if (this.#row.length > 0 || this.#cell !== '' || this.#state !== 'begin') {
      yield this.#endRow();
    }
  }

  #chooseSeparator(): string {
    const first = (this.#head.split(/[\r\n]/, 1)[0] ?? '').replace(/"[^"]*"/g, '');
    this.#separator = [';', '\t', ','].find((one) => first.includes(one)) ?? ',';
    const head = this.#head;
    this.#head = '';
    return head;
  }

  *#read(text: string): IterableIterator<string[]> {
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#state === 'quoted') {
        if (code === lineFeed) this.#line += 1;
        if (code !== quote) continue;
        this.#append(text.slice(from, at));
        this.#state = 'quote';
        continue;
      }
      const isEnd = code === lineFeed || code === carriageReturn;
      if (isEnd || text[at] === this.#separator) {
        if (this.#state === 'plain') this.#append(text.slice(from, at));
        if (isEnd && this.#isEmptyRow()) {
          if (code === lineFeed) this.#line += 1;
          continue;
        }
        if (isEnd) yield this.#endRow();
        else this.#endCell();
        if (code === lineFeed) this.#line += 1;
        continue;
      }
      if (this.#state === 'quote') {
        if (code !== quote) this.#fail('text follows a closing quote');
        this.#append('"');
        [this.#state, from] = ['quoted', at + 1];
      } else if (this.#state === 'begin') {
        this.#state = code === quote ? 'quoted' : 'plain';
        from = code === quote ? at + 1 : at;
      }
    }
    if (this.#state === 'plain' || this.#state === 'quoted') this.#append(text.slice(from));
  }

  #isEmptyRow(): boolean {
    return this.#state === 'begin' && this.#row.length === 0;
  }

  #append(text: string): void {
    this.#cell += text;
    if (this.#cell.length > longestCell) this.#fail('a cell is too long');
  }

  #endCell(): void {
    this.#row.push(this.#cell);
    [this.#cell, this.#state] = ['', 'begin'];
    if (this.#row.length > mostCells) this.#fail('a row has too many cells');
  }

  #endRow(): string[] {
    this.#endCell();
    const row = this.#row;
    this.#row = [];
    return row;
  }

  #fail(what: string): never {
    throw new ReconciliationFailure(`the export's line ${this.#line}: ${what}`);
  }
}

const [quote, lineFeed, carriageReturn] = [0x22, 0x0a, 0x0d];

/** What a spreadsheet runs as a formula, also after spaces or marks without width, and in the full-width forms. */
const formula = /^[\s\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r]/u;

/** A number or a text as a cell of CSV; a text that is not a number is written as {@link csvText} does. */
export function csvCell(text: string): string {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : csvText(text);
}

/** A text as a cell of CSV. One that a spreadsheet would run as a formula gets a `'` in front. */
export function csvText(text: string): string {
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",;\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
