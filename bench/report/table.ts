/** A table as it is printed, or written as Markdown. */
export interface Table {
  readonly title: string;
  /** Columns with a name that starts with `<` are set to the left, all others to the right. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** In columns of one width. */
export function asText({ title, columns, rows }: Table): string {
  const names = columns.map(nameOf);
  const widths = names.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        return isLeft(columns[at]) ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return [title, ...[names, ...rows].map((cells) => `  ${line(cells)}`)].join('\n');
}

/** As GitHub reads it. */
export function asMarkdown({ title, columns, rows }: Table): string {
  const sides = columns.map((column) => (isLeft(column) ? ':--' : '--:'));
  return [`### ${title}`, '', ...[columns.map(nameOf), sides, ...rows].map(markdownLine)].join(
    '\n',
  );
}

function markdownLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function nameOf(column: string): string {
  return isLeft(column) ? column.slice(1) : column;
}

function isLeft(column: string | undefined): boolean {
  return column?.startsWith('<') === true;
}
