import type { Command } from 'commander';
import { systemClock } from '../../platform';
import {
  type CertificationOptions,
  type CertificationResult,
  casesOf,
  certify,
} from '../../proof/certify';
import { badgeLine } from '../../proof/certify/report/json';
import { withoutSignatures } from '../../proof/certify/report/cleaned';
import { countsOf } from '../../proof/certify/report/facts';
import { createProgress } from '../../proof/certify/report/progress';
import { type ReportStyle, summaryTable } from '../../proof/certify/report/terminal';
import { counted } from '../../proof/certify/report/words';
import { catchStopSignals } from '../terminal/stop-signals';
import { CommandFailure, exitCodes, print, printJson } from '../terminal/failure';
import { styleFor } from '../terminal/style';
import { readVersion } from '../../platform/package/version';
import { addCertifyFlags, type CertifyFlags } from './flags';
import { choiceFrom, optionsFrom } from './options';
import { checkReports, writeReports } from './reports';
import { runCheck } from './check';
import { createInterface } from 'node:readline/promises';

/** Adds `rgs-wallet certify`. */
export function addCertify(program: Command): void {
  const command = program
    .command('certify')
    .summary("certify an operator's wallet, in any language, over HTTP")
    .description(
      'Plays the RGS against a test wallet, over HTTP only, and reports, case by case, which rules of the Operator API the wallet keeps.',
    );
  addCertifyFlags(command)
    .addHelpText(
      'after',
      '\nExit codes: 0 passed; 1 a required case failed or could not be decided; 2 the run could not begin, or the wallet took no connection any more; 3 with --strict, it passed but required cases were not tried.\nWith --check: 0 signed by the key; 1 not signed by it; 2 it could not be read.\nAdvisory cases, exceptions, and cases that need a flag that was not given do not count.',
    )
    .action((flags: CertifyFlags) => runCertify(flags));
}

async function runCertify(flags: CertifyFlags): Promise<void> {
  if (flags.check !== undefined || flags.list === true) refuseFiles(flags);
  if (flags.check !== undefined) return runCheck(flags.check, flags);
  if (flags.list === true) return printList(flags);
  const options = optionsFrom(flags);
  const cases = casesWith(options);
  const signer = checkReports(flags);
  for (const line of plannedLines(options, cases.length)) process.stderr.write(`${line}\n`);
  if (flags.yes !== true) await confirmStart();
  const result = await play(options, flags.quiet === true);
  printResult(result, flags);
  writeReports(result, flags, signer);
  if (result.outcome === 'not run' || result.outcome === 'broken off')
    throw new CommandFailure(result.summary);
  if (result.outcome === 'failed') process.exitCode = exitCodes.wrong;
  else if (flags.strict === true && countsOf(result, 'required').untried > 0) {
    process.exitCode = partlyTried;
  }
}

/** @throws CommandFailure for a file that would not be written, or a key that would sign nothing. */
function refuseFiles({ json, report, junit, signKey }: CertifyFlags): void {
  const files = { json, report, junit, 'sign-key': signKey };
  const useless = Object.entries(files).find(([, file]) => typeof file === 'string');
  if (useless === undefined) return;
  throw new CommandFailure(
    `--${useless[0]} with a file is for a run: --check and --list write none`,
  );
}

/** For a person: on stderr where the JSON report is on stdout. */
function printResult(result: CertificationResult, { json, badge }: CertifyFlags): void {
  const stream = json === true ? process.stderr : process.stdout;
  // A person at a terminal may send a call again while its signature is valid; a log is kept, and read by others.
  const shown = stream.isTTY ? result : withoutSignatures(result);
  const lines = summaryTable(shown, reportStyle(stream));
  if (badge === true) lines.push(badgeLine(result));
  for (const line of lines) stream.write(`${line}\n`);
}

/** With --strict: it passed, but required cases were not tried. */
const partlyTried = 3;

/** Runs the cases. The first Ctrl-C ends the run in good order, the second one at once. */
async function play(options: CertificationOptions, isQuiet: boolean): Promise<CertificationResult> {
  const stop = new AbortController();
  const signals = catchStopSignals();
  const style = reportStyle(process.stderr);
  const progress = createProgress(process.stderr, { clock: systemClock, style, isQuiet });
  void signals.first.then(() => {
    progress.say(
      'Stopping: what the last case staked is voided first. Once more stops at once and leaves it.',
    );
    stop.abort();
  });
  void signals.second.then(() => process.exit(exitCodes.wrong));
  try {
    return await certify({ ...options, version: readVersion(), signal: stop.signal, progress });
  } finally {
    progress.close();
  }
}

function reportStyle(stream: { readonly isTTY?: boolean }): ReportStyle {
  const { good, bad, dim, fault: warn } = styleFor(stream, process.env);
  return { good, bad, dim, warn };
}

function printList(flags: CertifyFlags): void {
  if (flags.json !== undefined) return printJson(casesWith(choiceFrom(flags)).map(plannedCase));
  for (const { id, group, level, rule, given, when, expected } of casesWith(choiceFrom(flags))) {
    const text = `${group}  ${id}  ${level}  ${rule}\n  given ${given}; when ${when}; then ${expected}`;
    print(text);
  }
}

function plannedCase(one: ReturnType<typeof casesOf>[number]): object {
  const { id, group, level, rule, given, when, expected } = one;
  return { id, group, level, rule, given, when, expected };
}

function casesWith(options: Parameters<typeof casesOf>[0]): ReturnType<typeof casesOf> {
  try {
    return casesOf(options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandFailure(error.message.replace(/^(only|exceptions):/, '--only or --except:'));
  }
}

/** What a run is about to do, in lines for the terminal. */
function plannedLines(options: CertificationOptions, cases: number): string[] {
  const { urls, operator, playerIds, currency, stake, stakeBudget, useBalance, long } = options;
  const whole = useBalance === true ? ', and briefly a whole balance' : '';
  const lines = [
    `Certifies the wallet at ${urls.join(' and ')} as operator ${operator.operatorId}: ${cases} cases.`,
    `Plays with ${playerIds.join(' and ')} in ${currency}: stakes of ${stake}, at most ${stakeBudget} at any time${whole}; 100 is 1.00 if the wallet counts in minor units.`,
    'It voids what it stakes, leaves its rounds in the wallet, and sends broken and hostile requests.',
  ];
  if (options.kill !== undefined)
    lines.push(
      `Kills the wallet at least ${counted(long?.kills ?? 0, 'time')}, and starts it again.`,
    );
  else if (options.restart !== undefined) lines.push('Restarts the wallet.');
  if (options.block !== undefined) lines.push(`Blocks ${playerIds[0]} for a moment.`);
  return [...lines, 'Use it only with a test wallet, never in production.'];
}

/**
 * Asks a person whether to begin.
 * @throws CommandFailure without a terminal, or for any answer but yes.
 */
async function confirmStart(): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new CommandFailure('without a terminal to ask, certify needs --yes');
  }
  const line = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await line.question('Begin? Type yes: ');
  line.close();
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailure('not begun');
}
