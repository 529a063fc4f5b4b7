import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Options, transformSync } from '@swc/core';
import { temporaryFolder } from '../servers/reaper';
import { built } from '../support/built';
import { ROOT } from '../tidy/source';
import { type Block, blocksOf, placeOf } from './blocks';
import { preludes } from './preludes';

const importStatement = /^import (?:(?<what>[^;'"]+?) from )?'(?<module>[^']+)';\n?/gm;

/**
 * A block as a whole program: what it comes after, its own code, and every import once, in front. A name
 * that it comes after is a block of the same page, or a prelude, which has what the page calls the
 * reader's own.
 */
export function programOf(block: Block): string {
  const parts = partsOf(block, []);
  const imports = new Map<string, Set<string>>();
  const bodies = parts.map((code) =>
    code.replace(importStatement, (statement: string, ...rest: unknown[]) => {
      const { what, module = '' } = rest.at(-1) as { what?: string; module?: string };
      const names = imports.get(module) ?? new Set();
      imports.set(module, names);
      if (what !== undefined) names.add(what.trim());
      return '\n'.repeat(statement.split('\n').length - 1);
    }),
  );
  const lines = [...imports].flatMap(([module, names]) =>
    names.size === 0 ? [`import '${module}';`] : importLines(module, names),
  );
  return `${lines.join('\n')}\n${bodies.join('\n')}\nexport {};\n`;
}

function importLines(module: string, clauses: ReadonlySet<string>): string[] {
  const inBraces = new Set<string>();
  const whole = new Set<string>();
  for (const clause of clauses) {
    const [, first = '', list = ''] =
      /^(?<first>[^{]*?),?\s*(?:\{(?<list>[^}]*)\})?$/s.exec(clause) ?? [];
    if (first.trim() !== '') whole.add(first.trim());
    for (const name of list.split(',')) if (name.trim() !== '') inBraces.add(name.trim());
  }
  return [
    ...[...whole].map((name) => `import ${name} from '${module}';`),
    ...(inBraces.size > 0 ? [`import { ${[...inBraces].join(', ')} } from '${module}';`] : []),
  ];
}

function partsOf(block: Block, seen: string[]): string[] {
  const before = block.after.flatMap((name) => {
    if (seen.includes(name)) return [];
    seen.push(name);
    const found = blocksOf(block.page).find((other) => other.name === name);
    if (found !== undefined) return partsOf(found, seen);
    const prelude = preludes[name];
    if (prelude !== undefined) return [prelude];
    throw new Error(`${placeOf(block)} comes after ${name}, which is nowhere`);
  });
  return [...before, block.code];
}

/** A folder as a user's project has it: ESM, this package and everything that it was tested with installed. */
export async function userFolder(): Promise<string> {
  built();
  const folder = await temporaryFolder('docs');
  const modules = join(folder, 'node_modules');
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await mkdir(modules);
  const installed = join(ROOT, 'node_modules');
  for (const name of await readdir(installed)) {
    if (!name.startsWith('.')) await symlink(join(installed, name), join(modules, name));
  }
  await symlink(ROOT, join(modules, 'rgs-wallet-kit'));
  return folder;
}

/** Texts of a program, each with what stands in its place in a test: an address, a port. */
export type Replacements = Readonly<Record<string, string>>;

/** A text with what a test puts in place; each must be there, so that none outlives the page. */
export function withReplaced(text: string, replacements: Replacements): string {
  return Object.entries(replacements).reduce((now, [from, to]) => {
    if (!now.includes(from)) throw new Error(`${from} is not in:\n${text}`);
    return now.replaceAll(from, to);
  }, text);
}

/** Writes the program of a block, its types taken off, into a user's folder; the path of it. */
export async function writeProgram(
  folder: string,
  block: Block,
  replacements: Replacements = {},
): Promise<string> {
  const code = withReplaced(programOf(block), replacements);
  const path = join(folder, `${block.name ?? `line-${block.line}`}.mjs`);
  await writeFile(path, transformSync(code, typesOff).code);
  return path;
}

const typesOff: Options = {
  swcrc: false,
  jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
  module: { type: 'es6' },
};
