import { tellKnownNames } from './known-names';

/** The names of options, each named once: the compiler finds one that is missing or too much. */
export type OptionNames<T> = { readonly [name in keyof T]-?: true };

/**
 * Refuses options that are missing, and any that the function does not know: a misspelt one would do
 * nothing, and `waitReplica` instead of `waitReplicas` would lose money. The unknown name is not
 * repeated, since it may be a secret in the wrong place.
 * @param maker The function that is given the options, for the error.
 * @throws TypeError naming the function, the options that it knows, and the one that may be meant.
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
  const help = known.length === 0 ? 'it takes none' : tellKnownNames('the options', given, known);
  throw new TypeError(`${maker}: unknown option; ${help}`);
}
