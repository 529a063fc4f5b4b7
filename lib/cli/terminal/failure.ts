import { plain, printableJson } from '../../protocol/json/printable';

/** An error that the user of a command can fix: printed as one line, exit code 2. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Exit codes of every command. */
export const exitCodes = {
  done: 0,
  /** A check failed (books, a signature), or the program broke. */
  wrong: 1,
  /** A wrong flag, variable or file, or a store that cannot be used. */
  failure: 2,
} as const;

/**
 * A text as one line for a terminal, which it does not control, without possible secrets: the login of an address, the value of an
 * unknown flag, a private key.
 */
export function plainLine(text: string): string {
  return plain(text.trim().replace(/\s*\n\s*/g, ' '))
    .replace(privateKey, '(a private key)')
    .replace(/\/\/\S*@/g, '//')
    .replace(/(unknown option '-[^'=]*)=[^\n]*'/, "$1'");
}

/** In PEM, as one line; or one of Ed25519 without its first and last line. */
const privateKey =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*-----END [A-Z ]*PRIVATE KEY-----)?|MC4CAQAwBQYDK2Vw[\w+/=]*/g;

/**
 * The address of a store without user name and password, however they are written; pg also accepts them
 * after the `?`.
 */
export function withoutLogin(address: string): string {
  const bare = address.replace(/\/\/.*@/s, '//');
  const masked = bare.replace(/([?&])([^=&]*)=[^&]*/g, (whole, mark: string, name: string) =>
    isLoginName(name) ? `${mark}${name}=...` : whole,
  );
  return plainLine(masked);
}

/** Whether a parameter is part of the login, also with its name encoded; one that cannot be read counts as one. */
function isLoginName(name: string): boolean {
  try {
    return /^(?:user|password)$/i.test(decodeURIComponent(name));
  } catch {
    return true;
  }
}

/** The message of a thrown value, as one line. */
export function messageOf(error: unknown): string {
  return plainLine(
    error instanceof Error ? error.message : 'a value that is not an Error was thrown',
  );
}

/** What to do with an error: throw a CommandFailure of these words and its message. */
export function failing(words: string): (error: unknown) => never {
  return (error) => {
    throw new CommandFailure(`${words}: ${messageOf(error)}`);
  };
}

/** Does the work. @throws CommandFailure of these words and the message of what it threw. */
export function orFail<T>(words: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    return failing(words)(error);
  }
}

/** A read that the store did not answer. */
export function noAnswer(cause: Error): Error {
  return new Error(`The store did not answer: ${messageOf(cause)}`);
}

/** Flags that a variable sets too. */
const ofVariables: Readonly<Record<string, string>> = {
  store: 'No store: name one with --store or WALLET_STORE.',
  operator: 'No operator: name one with --operator or OPERATOR_ID.',
};

/** @throws CommandFailure that names the flag, if the value is missing. */
export function needed<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new CommandFailure(ofVariables[name] ?? `--${name} is missing.`);
  return value;
}

/** The address of the store that the wallet uses. @throws CommandFailure for none, and for one in memory. */
export function keptStore({ store }: { readonly store?: string }): string {
  const address = needed('store', store);
  if (address !== 'memory:') return address;
  throw new CommandFailure(
    '--store memory: is empty when a command starts: name the store of the wallet.',
  );
}

/** Prints a line as it is. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a value as one line of JSON, for programs. */
export function printJson(value: object): void {
  print(printableJson(JSON.stringify(value)));
}

/** A word for a POSIX shell. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A number of things: `1 event`, `2 events`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
