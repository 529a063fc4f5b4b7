/** What was seen of a platform. */
export interface Seen {
  readonly version: string;
  /** What ran. */
  readonly ran: string;
}

/** The same, with the day. */
export interface Sight extends Seen {
  readonly date: string;
}

const table = /(\| platform \| version \| what ran \| when \|\n\| --- \|.*\n)((?:\|.*\n)*)/;

/** The rows of the table of a page, by the name of the platform. */
export function readTable(page: string): Map<string, Sight> {
  const [, , lines = ''] = table.exec(page) ?? [];
  const cells = [...lines.matchAll(/^\| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$/gm)];
  return new Map(
    cells.map(([, name = '', version = '', ran = '', date = '']) => [name, { version, ran, date }]),
  );
}

/** The page with these sights in its table, in the order of the names; a platform that is not in the names is left out. */
export function writeTable(
  page: string,
  names: readonly string[],
  sights: ReadonlyMap<string, Sight>,
): string {
  const lines = names.flatMap((name) => {
    const sight = sights.get(name);
    return sight ? [`| ${name} | ${sight.version} | ${sight.ran} | ${sight.date} |\n`] : [];
  });
  return page.replace(table, (_, head: string) => head + lines.join(''));
}
