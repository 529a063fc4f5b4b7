import { CommandFailure } from '../terminal/failure';

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
