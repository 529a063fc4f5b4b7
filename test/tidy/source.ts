import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';

/** The root of the package. */
export const ROOT = resolve(__dirname, '../..');

// What can stand before a regular expression, but not before a division.
const BEFORE_REGEXP = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|of|in))\s*$/;

/** The files below a folder of the package with one of these endings, as paths from the root; none if it does not exist. */
export function filesBelow(folder: string, endings: readonly string[]): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => endings.includes(extname(path)) && statSync(join(ROOT, path)).isFile())
    .toSorted();
}

/** The text of a file given by its path from the root. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** TypeScript with comments, strings and regular expressions blanked, so that only code is left; lines stay where they are. */
export function codeOnly(text: string): string {
  return scan(text, 0, false).code;
}

/** The files a file imports by a relative path, types included, as paths from the root. */
export function importsOf(path: string): string[] {
  const text = textOf(path);
  const specifiers = text.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*'(\.{1,2}\/?[^']*)'/g);
  return [...specifiers].map(([, specifier = '']) => resolveImport(path, specifier));
}

function resolveImport(importer: string, specifier: string): string {
  const base = join(dirname(importer), specifier);
  const candidates = [base, `${base}.ts`, join(base, 'index.ts'), base.replace(/\.js$/, '.ts')];
  const file = candidates.find((candidate) => {
    const path = join(ROOT, candidate);
    return existsSync(path) && statSync(path).isFile();
  });
  return file ?? base;
}

/** Reads code from `start`; inside a template literal's `${}`, up to its closing brace. */
function scan(text: string, start: number, inTemplate: boolean): { code: string; end: number } {
  let code = '';
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '`') {
      const template = scanTemplate(text, at + 1);
      code += template.code;
      at = template.end;
      continue;
    }
    const length = lengthOfText(text, at, code);
    if (length > 0) {
      code += blank(text.slice(at, at + length));
      at += length;
      continue;
    }
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (inTemplate && depth < 0) break;
    code += char;
    at += 1;
  }
  return { code, end: at };
}

/** Blanks a template literal's text and keeps the code in its `${}`. */
function scanTemplate(text: string, start: number): { code: string; end: number } {
  let code = ' ';
  let at = start;
  while (at < text.length && text.charAt(at) !== '`') {
    if (text.startsWith('${', at)) {
      const inner = scan(text, at + 2, true);
      code += `  ${inner.code} `;
      at = inner.end + 1;
    } else {
      const length = text.charAt(at) === '\\' ? 2 : 1;
      code += blank(text.slice(at, at + length));
      at += length;
    }
  }
  return { code: `${code} `, end: at + 1 };
}

/** How many characters from `at` are a comment, a string or a regular expression; 0 if none. */
function lengthOfText(text: string, at: number, before: string): number {
  const rest = text.slice(at, at + 20_000);
  const char = rest.charAt(0);
  if (char === "'" || char === '"') return lengthOf(rest, /^(['"])(?:\\.|(?!\1)[^\\])*\1/s);
  if (char !== '/') return 0;
  if (rest.startsWith('//')) return lengthOf(rest, /^\/\/[^\n]*/);
  if (rest.startsWith('/*')) return lengthOf(rest, /^\/\*.*?\*\//s);
  if (!BEFORE_REGEXP.test(before.slice(-20))) return 0;
  return lengthOf(rest, /^\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/);
}

function lengthOf(text: string, pattern: RegExp): number {
  return pattern.exec(text)?.[0].length ?? 0;
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
