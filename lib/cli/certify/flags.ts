import { type Command, InvalidArgumentError } from 'commander';
import { wholeNumber } from '../terminal/flags';

/** Flags of `rgs-wallet certify`. */
export interface CertifyFlags {
  readonly url?: readonly string[];
  readonly operatorId?: string;
  readonly secretEnv?: string;
  readonly otherSecretEnv?: string;
  readonly secondOperatorId?: string;
  readonly secondSecretEnv?: string;
  readonly player?: readonly string[];
  readonly currency?: string;
  readonly game?: string;
  readonly restart?: string;
  readonly kill?: string;
  readonly start?: string;
  readonly block?: string;
  readonly unblock?: string;
  readonly memory?: string;
  readonly only?: readonly string[];
  readonly profile: string;
  readonly except?: string;
  readonly seed?: number;
  readonly histories: number;
  readonly kills: number;
  readonly load?: readonly string[];
  /** Seconds. */
  readonly timeLimit: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly stake: number;
  readonly stakeBudget: number;
  readonly useBalance?: true;
  readonly report?: string;
  readonly junit?: string;
  /** A file, or true for stdout. */
  readonly json?: string | true;
  readonly badge?: true;
  readonly signKey?: string;
  readonly walletName?: string;
  readonly walletVersion?: string;
  readonly runBy?: string;
  readonly strict?: true;
  /** A report to check instead of a run. */
  readonly check?: string;
  readonly key?: string;
  readonly quiet?: true;
  readonly yes?: true;
  readonly list?: true;
}

/** Adds {@link CertifyFlags}. No flag takes a secret: every user of the machine can see flags. */
export function addCertifyFlags(command: Command): Command {
  addWalletFlags(command);
  addChoiceFlags(command);
  addReportFlags(command);
  return addMoneyFlags(command)
    .option('--quiet', 'print no progress')
    .option('--yes', 'do not ask for confirmation; needed without a terminal')
    .option('--list', 'print the cases that would be played, and send nothing');
}

function addReportFlags(command: Command): void {
  command
    .option('--report <file.html>', 'write the report as one HTML file')
    .option('--junit <file.xml>', 'write the results as JUnit XML')
    .option(
      '--json [file]',
      'write the results as JSON; without a file on stdout, with nothing else there',
    )
    .option('--badge', 'print a badge for a README, as a line of Markdown')
    .option('--sign-key <file>', 'sign the JSON report with this key, from archive key new')
    .option('--wallet-name <text>', 'name of the wallet, for the report', shortText)
    .option('--wallet-version <text>', 'version of the wallet, for the report', shortText)
    .option('--run-by <text>', 'who runs it, for the report', shortText)
    .option('--strict', 'exit with 3 if it passed but required cases were not tried')
    .option('--check <report.json>', 'send nothing: check that --key has signed this report')
    .option('--key <key>', 'with --check: the public key, or a file of it');
}

function addWalletFlags(command: Command): void {
  command
    .option('--url <url>', 'address of the wallet; repeat for each further instance', append)
    .option('--operator-id <id>', 'X-H-AUTH-ID of the requests')
    .option('--secret-env <name>', 'environment variable that holds the secret')
    .option('--player <id>', 'a test player with money; name two to play all cases', append)
    .option('--currency <code>', "the players' currency, such as EUR")
    .option('--game <code>', 'gameCode of the requests (default: certification)')
    .option('--other-secret-env <name>', 'variable that holds a second valid secret (rotation)')
    .option('--second-operator-id <id>', 'another operator of the same wallet')
    .option('--second-secret-env <name>', "variable that holds the other operator's secret")
    .option('--restart <command>', 'command that restarts the wallet')
    .option('--kill <command>', 'command that kills the wallet, like kill -9')
    .option('--start <command>', 'command that starts the wallet after --kill')
    .option('--block <command>', 'command that blocks the first player')
    .option('--unblock <command>', 'command that lifts this block')
    .option('--memory <command>', "command that prints the wallet's memory in KiB; with --load");
}

function addChoiceFlags(command: Command): void {
  command
    .option('--only <name>', 'play only this group or case; repeat for more', append)
    .option('--profile <name>', 'specification: required cases only; full: all cases', 'full')
    .option('--except <file>', 'JSON {"case-id": "reason"} of known differences')
    .option('--seed <n>', 'seed of the random histories', wholeNumber(0, 2 ** 31 - 1))
    .option('--histories <n>', 'random histories to play', wholeNumber(0, 100_000), 200)
    .option(
      '--kills <n>',
      'how often the wallet is killed, with --kill and --start',
      wholeNumber(1, 1000),
      20,
    )
    .option(
      '--load <numbers...>',
      'play under load: rounds a second, and seconds, as in --load 20 30',
    )
    .option('--time-limit <s>', 'time limit of the run, in seconds', wholeNumber(10, 86_400), 600)
    .option(
      '--timeout <ms>',
      'time limit of a reply, in milliseconds',
      wholeNumber(100, 60_000),
      10_000,
    );
}

function addMoneyFlags(command: Command): Command {
  return command
    .option(
      '--stake <units>',
      'usual debit, as a number on the wire',
      wholeNumber(2, 1_000_000),
      100,
    )
    .option(
      '--stake-budget <units>',
      'most money at stake at any time, as a number on the wire',
      wholeNumber(2, 1_000_000_000),
      10_000,
    )
    .option('--use-balance', 'also play cases that briefly stake a whole balance');
}

/** A text of a line for the report. */
function shortText(value: string): string {
  if (/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(value) && value.trim() !== '') return value;
  throw new InvalidArgumentError('It must be 1 to 100 printable characters.');
}

/** The values of a flag that may stand several times. */
function append(value: string, earlier: readonly string[] = []): readonly string[] {
  if (value === '') throw new InvalidArgumentError('It must not be empty.');
  return [...earlier, value];
}
