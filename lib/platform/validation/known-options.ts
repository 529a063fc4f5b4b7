import { listKnownNames } from './known-names';

/** The names of options, each once: the compiler reports a missing or extra one. */
export type OptionNames<T> = { readonly [name in keyof T]-?: true };

/**
 * Refuses missing options, and options that the function does not know: a misspelt one would have no
 * effect, and `waitReplica` instead of `waitReplicas` would lose money. The unknown name is not repeated,
 * because it may be a misplaced secret.
 * @param maker The function that takes the options, for the error.
 * @throws TypeError that names the function, the known options, and a likely one.
 */
export function checkOptionNames<T>(maker: string, options: unknown, names: OptionNames<T>): void {
  if (options === undefined || options === null) {
    throw new TypeError(`${maker}: the options are missing`);
  }
  if (typeof options !== 'object' || Array.isArray(options)) {
    throw new TypeError(`${maker}: the options must be an object`);
  }
  const given = Object.keys(options);
  if (given.every((name) => Object.hasOwn(names, name))) return;
  const known = Object.keys(names);
  const help = known.length === 0 ? 'it takes none' : listKnownNames('the options', given, known);
  throw new TypeError(`${maker}: unknown option; ${help}`);
}
