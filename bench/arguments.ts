import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A command, as its help describes it. */
interface Command {
  /** As `npm run bench:memory`. */
  readonly command: string;
  /** One sentence. */
  readonly does: string;
}

/** A command whose one argument is how many rounds to play. */
interface CountedCommand extends Command {
  readonly usual: number;
  readonly least: number;
}

/** How many rounds to play. With `--help` it prints the help and ends the process; with a wrong argument too, with exit code 2. */
export function countOfRounds({ command, does, usual, least }: CountedCommand): number {
  const rounds = `  ROUNDS   how many rounds: a whole number of at least ${least} (${usual})\n`;
  const help = helpOf({ command: `${command} [-- ROUNDS]`, does }, rounds);
  const [first, ...others] = argumentsOf(help);
  const count = Number(first ?? usual);
  if (Number.isSafeInteger(count) && count >= least && others.length === 0) return count;
  return wrongUse(help);
}

/** For a command that takes no argument: prints its help, and ends the process, where one is given. */
export function noArguments(command: Command): void {
  const help = helpOf(command, '');
  if (argumentsOf(help).length > 0) wrongUse(help);
}

/**
 * For a command whose arguments are names: which are given, at least one.
 * @param known the names there are, each with what it is
 */
export function chosenNames(command: Command, known: ReadonlyMap<string, string>): string[] {
  const lines = [...known].map(([name, title]) => `  ${name.padEnd(8)} ${title}\n`);
  const help = helpOf({ ...command, command: `${command.command} -- NAME...` }, lines.join(''));
  const names = argumentsOf(help);
  if (names.length === 0 || names.some((name) => !known.has(name))) wrongUse(help);
  return names;
}

function helpOf({ command, does }: Command, lines: string): string {
  return `${command}\n\n${does}\n\n${lines}  --help   print this\n`;
}

function argumentsOf(help: string): string[] {
  const options: ParseArgsConfig['options'] = { help: { type: 'boolean' } };
  let read: { values: { help?: boolean }; positionals: string[] };
  try {
    read = parseArgs({ allowPositionals: true, options });
  } catch {
    return wrongUse(help);
  }
  if (read.values.help !== true) return read.positionals;
  process.stdout.write(help);
  process.exit(0);
}

function wrongUse(help: string): never {
  process.stderr.write(help);
  process.exit(2);
}
