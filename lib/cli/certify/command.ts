import type { Command } from 'commander';
import { systemClock } from '../../platform';
import {
  type CertificationOptions,
  type CertificationResult,
  casesOf,
  certify,
} from '../../proof/certify';
import { badgeLine, jsonReport } from '../../proof/certify/report/json';
import { createProgress } from '../../proof/certify/report/progress';
import { htmlReport } from '../../proof/certify/report/page/document';
import { junitReport } from '../../proof/certify/report/junit';
import { type ReportStyle, summaryTable } from '../../proof/certify/report/terminal';
import { catchStopSignals } from '../terminal/stop-signals';
import { CommandFailure, exitCodes, messageOf, print } from '../terminal/failure';
import { styleFor } from '../terminal/style';
import { readVersion } from '../terminal/version';
import { addCertifyFlags, type CertifyFlags } from './flags';
import { choiceFrom, optionsFrom } from './options';
import { createInterface } from 'node:readline/promises';
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Adds `rgs-wallet certify`. */
export function addCertify(program: Command): void {
  const command = program
    .command('certify')
    .summary("certify an operator's wallet, in any language, over HTTP")
    .description(
      'Plays the RGS against a test wallet, over HTTP only, and reports case by case which rules of the Operator API the wallet keeps.',
    );
  addCertifyFlags(command)
    .addHelpText(
      'after',
      '\nExit codes: 0 passed; 1 a required case failed, or could not be decided though it was tried; 2 the run could not begin. Advisory cases, cases that need a flag that was not given, and exceptions are shown and do not count.',
    )
    .action((flags: CertifyFlags) => runCertify(flags));
}

async function runCertify(flags: CertifyFlags): Promise<void> {
  if (flags.list === true) return printList(flags);
  const options = optionsFrom(flags);
  const cases = casesWith(options);
  for (const flag of ['report', 'junit', 'json'] as const) {
    const file = flags[flag];
    if (file !== undefined) checkWritable(file, `--${flag}`);
  }
  for (const line of plannedLines(options, cases.length)) process.stderr.write(`${line}\n`);
  if (flags.yes !== true) await confirmStart();
  const result = await play(options, flags.quiet === true);
  const style = reportStyle(process.stdout);
  for (const line of summaryTable(result, style)) print(line);
  if (flags.badge === true) print(badgeLine(result));
  writeReports(result, flags);
  if (result.outcome === 'not run') throw new CommandFailure(result.summary);
  if (result.outcome === 'failed') process.exitCode = exitCodes.wrong;
}

/** Runs the cases. The first Ctrl-C ends the run in good order, the second one at once. */
async function play(options: CertificationOptions, isQuiet: boolean): Promise<CertificationResult> {
  const stop = new AbortController();
  const signals = catchStopSignals();
  void signals.first.then(() => stop.abort());
  void signals.second.then(() => process.exit(exitCodes.wrong));
  const style = reportStyle(process.stderr);
  const progress = createProgress(process.stderr, { clock: systemClock, style, isQuiet });
  try {
    return await certify({ ...options, version: readVersion(), signal: stop.signal, progress });
  } finally {
    progress.close();
  }
}

function writeReports(result: CertificationResult, flags: CertifyFlags): void {
  const { report, junit, json } = flags;
  if (report !== undefined) writeReport(report, '--report', htmlReport(result));
  if (junit !== undefined) writeReport(junit, '--junit', junitReport(result));
  if (json !== undefined) writeReport(json, '--json', jsonReport(result));
}

function reportStyle(stream: { readonly isTTY?: boolean }): ReportStyle {
  const { good, bad, dim, fault: warn } = styleFor(stream, process.env);
  return { good, bad, dim, warn };
}

function printList(flags: CertifyFlags): void {
  for (const { id, group, level, rule, given, when, expected } of casesWith(choiceFrom(flags))) {
    const text = `${group}  ${id}  ${level}  ${rule}\n  given ${given}; when ${when}; then ${expected}`;
    print(text);
  }
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
  const whole = useBalance === true ? ', and for moments a whole balance' : '';
  const lines = [
    `Certifies the wallet at ${urls.join(' and ')} as operator ${operator.operatorId}: ${cases} cases.`,
    `Plays with ${playerIds.join(' and ')} in ${currency}: stakes of ${stake}, at most ${stakeBudget} at one time${whole}; 100 is 1.00 where the wire has minor units.`,
    'It returns what it stakes with voids, leaves finished rounds in the store, and sends broken and hostile requests.',
  ];
  if (options.kill !== undefined)
    lines.push(`Kills the wallet ${long?.kills ?? 0} times and more, and starts it again.`);
  else if (options.restart !== undefined) lines.push('Restarts the wallet.');
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

const ownerOnly = 0o600;

/** @throws CommandFailure if the file could not be written; nothing is written yet. */
function checkWritable(file: string, flag: string): void {
  const path = resolve(file);
  try {
    const known = statSync(path, { throwIfNoEntry: false });
    if (known?.isDirectory()) throw new Error('it is a folder');
    accessSync(known === undefined ? dirname(path) : path, constants.W_OK);
  } catch (error) {
    throw new CommandFailure(`${flag}: cannot write ${file}: ${messageOf(error)}`);
  }
}

/** Writes a report, for its owner alone: its signatures are valid for minutes. @throws CommandFailure. */
function writeReport(file: string, flag: string, text: string): void {
  try {
    const opened = openSync(resolve(file), 'w', ownerOnly);
    try {
      // One that was there keeps its mode otherwise; a device or a pipe has none of ours.
      if (fstatSync(opened).isFile()) fchmodSync(opened, ownerOnly);
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new CommandFailure(`${flag}: cannot write ${file}: ${messageOf(error)}`);
  }
}
