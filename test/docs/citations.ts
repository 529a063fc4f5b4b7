import { filesBelow, textOf } from '../tidy/source';

/** Whether a text cites a rule itself, and not another one that begins alike. */
export function cites(text: string, rule: string): boolean {
  return new RegExp(`\\b${rule.replace('.', '\\.')}(?![.\\d]*\\d)`).test(text);
}

/** The files of each rule, by a page's table "Decided in". */
export function decidedIn(page: string): ReadonlyMap<string, readonly string[]> {
  const [, table = ''] = page.split('\n## Decided in\n');
  const rows = table.matchAll(/^\| ([DEWBS][\d.]+) \| (`.*) \|$/gm);
  return new Map(
    [...rows].map(([, rule = '', files = '']) => {
      return [rule, files.split(', ').map((file) => file.replaceAll('`', ''))] as const;
    }),
  );
}

/** Every test but those of the pages' rules, which name all rules. */
export function allTests(): string {
  return filesBelow('test', ['.ts'])
    .filter((path) => !/^test\/docs\/(?:citations|[a-z-]*rules\.test)\.ts$/.test(path))
    .map(textOf)
    .join('\n');
}
