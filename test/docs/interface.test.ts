import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import subpaths from '../../build/subpaths.json';
import { importsOf, ROOT, textOf } from '../tidy/source';

const page = 'docs/interface.md';
const head = `# Public interface

Every name of every subpath, a line each: functions with their parameters, interfaces and classes with the names of their members.
The types and their docstrings are in the package. \`UPDATE_INTERFACE=1 npx jest --selectProjects fast -- test/docs/interface\`
writes this page from the code, so that a change of the interface is a change of this page.
`;

/** Where a name is declared, and what it is called there. */
interface Place {
  readonly file: string;
  readonly name: string;
}

/** The lists of names that a file exports from others, types included. */
function exportsOf(file: string): ReadonlyMap<string, Place> {
  const found = new Map<string, Place>();
  const lists = textOf(file).matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';$/gm);
  const targets = importsOf(file);
  for (const [, list = '', from = ''] of lists) {
    const target = targets.find((one) => isAt(one, file, from)) ?? '';
    for (const entry of list.split(',').map((one) => one.trim().replace(/^type /, ''))) {
      const [name = '', as = name] = entry.split(' as ');
      if (name !== '') found.set(as, { file: target, name });
    }
  }
  return found;
}

function isAt(target: string, file: string, from: string): boolean {
  const base = join(file, '..', from);
  return [`${base}.ts`, join(base, 'index.ts')].includes(target);
}

/** The line of a name. @throws Error if its declaration is not found: the code is formatted, so each begins a line. */
function lineOf({ file, name }: Place): string {
  const passed = exportsOf(file).get(name);
  if (passed !== undefined) return lineOf(passed);
  const text = textOf(file);
  const start = new RegExp(
    String.raw`^export (?:declare |abstract |async )*(function|class|interface|type|const)\*? ${name}\b`,
    'm',
  ).exec(text);
  if (start === null) throw new Error(`${name} is not declared in ${file}`);
  const declaration = text.slice(start.index).replace(/^export (?:declare |abstract |async )*/, '');
  switch (start[1]) {
    case 'function':
      return oneLine(/^[^]*?(?= \{\n|;\n)/.exec(declaration)?.[0] ?? '');
    case 'interface':
    case 'class':
      return `${oneLine(/^[^]*?(?= \{)/.exec(declaration)?.[0] ?? '')} { ${membersOf(declaration).join(', ')} }`;
    case 'type':
      return oneLine(/^[^]*?;(?=\n(?:[^\s}]|\n|$))/.exec(declaration)?.[0] ?? '');
    default:
      return `const ${name}`;
  }
}

/** The names of the public members, with a mark for what may be left out, and for what is called. */
function membersOf(declaration: string): string[] {
  const body = /\{\n([^]*?)^\}/m.exec(declaration)?.[1] ?? '';
  const lines = body.matchAll(
    /^ {2}(?!private|protected|#|constructor|\/\*| \*|return|\})(?:static |override |async )*(readonly |get )?([\w$]+|\[[^\]]+\])(\?)?([(:<;]| =)/gm,
  );
  const names = [...lines].map(([, , name = '', optional = '', next]) => {
    return `${name}${optional}${next === '(' || next === '<' ? '()' : ''}`;
  });
  return [...new Set(names)];
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\/\*\*[^]*?\*\/|\/\/[^\n]*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('( ', '(')
    .replaceAll(/,? \)/g, ')')
    .trim();
}

function interfaceOf([subpath, file]: readonly [string, string]): string {
  const names = [...exportsOf(file)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const lines = names.map(([, place]) => lineOf(place));
  return `\n## \`${subpath.replace('.', 'rgs-wallet-kit')}\`\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\`\n`;
}

test(`${page} lists the public interface as it is`, () => {
  const written = head + Object.entries(subpaths).map(interfaceOf).join('');
  if (process.env['UPDATE_INTERFACE'] !== undefined) writeFileSync(join(ROOT, page), written);
  expect(textOf(page)).toBe(written);
});
