import { filesBelow, textOf } from './source';

/** A text in lib that is written to a log. */
export interface LogText {
  readonly text: string;
  /** Where, as `file:line`. */
  readonly place: string;
}

/** A call of a logger: by a name that is one, or through the level in brackets. */
const calls = /\b(?:logger|log|target)(?:\.(?:info|warn|error|fatal)|\[\w+\])\(/g;

/** `target[level](fields, message)` of a logger that passes on what another was given. */
const passedOn = new Set(['message']);

/** Every text that lib writes to a log. @throws Error for a call whose text cannot be read from the source. */
export function logTexts(): LogText[] {
  return filesBelow('lib', ['.ts']).flatMap((path) => logTextsOf(textOf(path), path));
}

/** The same for one source. */
export function logTextsOf(source: string, path: string): LogText[] {
  const code = maskText(source);
  return [...code.matchAll(calls)].flatMap(({ index, 0: call }) => {
    const place = `${path}:${source.slice(0, index).split('\n').length}`;
    const argument = lastArgument(source, code, index + call.length);
    if (passedOn.has(argument)) return [];
    const texts = literalsIn(/^\w+$/.test(argument) ? valueOf(argument, source) : argument);
    if (texts.length === 0) throw new Error(`${place}: the log text must be a literal`);
    return texts.map((text) => ({ text, place }));
  });
}

/** Every string and template of lib, `${...}` in it standing for anything. */
export function stringsOfLib(): RegExp[] {
  return filesBelow('lib', ['.ts'])
    .flatMap((path) => literalsIn(textOf(path)))
    .filter((text) => text.includes(' '))
    .map(patternOf);
}

/** A text as a pattern: each `${...}` is anything. */
export function patternOf(text: string): RegExp {
  const parts = text
    .split(/\$\{[^}]*\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.+')}$`, 's');
}

/** The source with strings and comments blanked, no character moved. */
function maskText(source: string): string {
  const literal =
    /'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[^]*?\*\//g;
  return source.replace(literal, (text) => text.replace(/[^\n]/g, ' '));
}

/** The last argument of a call whose arguments begin at `start`. */
function lastArgument(source: string, code: string, start: number): string {
  let [depth, from, end] = [0, start, start];
  for (; depth >= 0 && end < code.length; end += 1) {
    const char = code.charAt(end);
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    else if (char === ',' && depth === 0 && source.slice(end + 1).trimStart()[0] !== ')')
      from = end + 1;
  }
  return source
    .slice(from, end - 1)
    .trim()
    .replace(/,$/, '');
}

/** What a constant of the file is. */
function valueOf(name: string, source: string): string {
  return new RegExp(`\\bconst ${name}(?:: \\w+)? =\\s*([^;]*);`).exec(source)?.[1] ?? '';
}

function literalsIn(source: string): string[] {
  const literals = source.matchAll(
    /'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\])*)`|"((?:\\.|[^"\\\n])*)"/g,
  );
  return [...literals].map(([, single, template, double]) => single ?? template ?? double ?? '');
}

/** The texts that the documentation names between backticks as a program would print them, with their places. */
export function textsInDocs(): LogText[] {
  const docs = [...filesBelow('docs', ['.md']), 'README.md', 'CHANGELOG.md'];
  return docs.flatMap((path) => textsInDoc(textOf(path), path));
}

/** The same for one document; its blocks of code are not looked at. */
export function textsInDoc(source: string, path: string): LogText[] {
  const prose = source.replace(/^```[^]*?^```/gm, (block) => block.replace(/[^\n]/g, ''));
  return [...prose.matchAll(/`([^`]+)`/g)].flatMap(({ index, 1: span = '' }) => {
    const text = span.replace(/\s+/g, ' ');
    const place = `${path}:${prose.slice(0, index).split('\n').length}`;
    return isSentence(text) ? [{ text, place }] : [];
  });
}

const commands =
  /^(?:rgs-wallet|npm|npx|node|apt-get|redis-\w+|ulimit|kill|git|docker|systemctl)\b/;

/** Two words that are no text of a program: a setting with its value, a stored value. */
const pairs = new Set(['appendfsync always', 'real bonus']);

/** Two words and more, as people write them: no code, no command, no SQL, no option with its value. */
function isSentence(text: string): boolean {
  if (/[=<>{}[\]*|\\"]|\w\(|\w\.\w|^-/.test(text) || commands.test(text)) return false;
  if (/^[A-Z]{2,} /.test(text) || pairs.has(text)) return false;
  const words = text.split(' ').filter((word) => /^[A-Za-z']+[,:;.]?$/.test(word));
  return words.length >= 3 || /^[A-Za-z']+ [A-Za-z']+$/.test(text);
}
