/** getBalance has four; further ones are ignored, up to this limit. */
const maxParameters = 200;

/**
 * Reads the query of a request target strictly: every escape is valid UTF-8, no name twice (D9), at most
 * 200 parameters. Null otherwise.
 */
export function readQuery(target: string): ReadonlyMap<string, string> | null {
  const start = target.indexOf('?');
  const parameters = new Map<string, string>();
  if (start < 0) return parameters;
  for (const pair of target.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1));
    if (name === null || value === null || parameters.has(name)) return null;
    if (parameters.size === maxParameters) return null;
    parameters.set(name, value);
  }
  return parameters;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
