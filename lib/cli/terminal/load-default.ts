import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandFailure, messageOf } from './failure';

/**
 * The default export of a JavaScript file of the user's own; if that is a function, what it returns.
 * @throws CommandFailure that names the flag, the file and the fault.
 */
export async function loadDefault(flag: string, file: string): Promise<unknown> {
  const path = resolve(file);
  if (!existsSync(path)) throw new CommandFailure(`${flag} ${file}: no such file`);
  try {
    const module = (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
    // A CommonJS file that sets `exports.default` nests it one level deeper.
    const { default: outer } = module;
    const exported = hasDefault(outer) ? outer.default : outer;
    if (exported === undefined) throw new Error('it has no default export');
    return typeof exported === 'function' ? await exported() : exported;
  } catch (error) {
    throw new CommandFailure(`${flag} ${file}: ${messageOf(error)}`);
  }
}

function hasDefault(exported: unknown): exported is { readonly default: unknown } {
  return typeof exported === 'object' && exported !== null && 'default' in exported;
}

/**
 * Loads a module that needs a package of the user's own, only when needed: the memory store works without
 * any.
 * @throws CommandFailure if the package is not installed.
 */
export function loadPeer<T>(name: string, what: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    const missing = new RegExp(`Cannot find (?:module|package) '${name}'`);
    if (!(error instanceof Error && missing.test(error.message))) throw error;
    throw new CommandFailure(`${what} needs the package ${name}: npm install ${name}`);
  }
}
