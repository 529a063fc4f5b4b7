/** Above this many edits a name is not a misspelling. */
const maxEdits = 2;

/**
 * Lists the known names, for an error about unknown ones, and suggests one that is close. The unknown
 * names are not repeated: one may be a misplaced secret.
 * @param what What they are names of: `the options`.
 */
export function listKnownNames(
  what: string,
  given: readonly string[],
  known: readonly string[],
): string {
  const meant = given
    .filter((name) => !known.includes(name))
    .map((name) => closest(name, known))
    .find((name) => name !== null);
  const guess = meant === undefined ? '' : `; did you mean ${meant}?`;
  return `${what} are ${known.join(', ')}${guess}`;
}

/** Whether one of the given names is close to this one. */
export function isMisspelt(name: string, given: readonly string[]): boolean {
  return given.some((one) => closest(one, [name]) !== null);
}

/** The known name that an unknown one is close to; null if there is none, or it was given as well. */
export function nameMeantBy(
  name: string,
  given: readonly string[],
  known: readonly string[],
): string | null {
  return known.includes(name)
    ? null
    : closest(
        name,
        known.filter((one) => !given.includes(one)),
      );
}

/** The known name within two edits of the given one, and fewer than a third of its letters. */
function closest(given: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = maxEdits + 1;
  for (const name of known) {
    if (Math.abs(name.length - given.length) > maxEdits) continue;
    const edits = editsBetween(given.toLowerCase(), name.toLowerCase());
    if (edits >= least || edits * 3 >= name.length) continue;
    best = name;
    least = edits;
  }
  return best;
}

/** Letters to insert, remove or change to turn one text into the other (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let at = 1; at <= other.length; at++) {
      const change = one[row - 1] === other[at - 1] ? 0 : 1;
      const [left = 0, up = 0, corner = 0] = [line[at - 1], above[at], above[at - 1]];
      line.push(Math.min(left + 1, up + 1, corner + change));
    }
    above = line;
  }
  return above[other.length] ?? 0;
}

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
