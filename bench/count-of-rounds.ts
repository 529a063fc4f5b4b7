import { parseArgs } from 'node:util';

/** A command whose one argument is how many rounds to play. */
interface CountedCommand {
  /** As `npm run bench:memory`. */
  readonly command: string;
  readonly does: string;
  readonly usual: number;
  readonly least: number;
}

/** How many rounds were asked for. Prints the help, or what is wrong, and ends the process, where that is what there is to do. */
export function countOfRounds({ command, does, usual, least }: CountedCommand): number {
  const help = `${command} [-- ROUNDS]\n\n${does}\n\n  ROUNDS   how many rounds: a whole number of at least ${least} (${usual})\n  --help   print this\n`;
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', default: false } },
    });
    if (values.help) {
      process.stdout.write(help);
      process.exit(0);
    }
    const count = Number(positionals[0] ?? usual);
    if (Number.isSafeInteger(count) && count >= least && positionals.length < 2) return count;
  } catch {
    // an unknown flag: the help tells which there are
  }
  process.stderr.write(help);
  process.exit(2);
}
