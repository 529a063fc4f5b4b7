import type { Logger } from '../../platform';
import type { BooksView } from '../../rgs/sandbox/view/books';
import type { StateView } from '../../rgs/sandbox/view/state';
import type { FindingView, WireCall } from '../../rgs/sandbox/view/wire';
import { print, printJson, messageOf } from '../terminal/failure';
import { type Style, styleFor } from '../terminal/style';
import { booksText, verdictOf } from './books';
import { CallPrinter } from './calls';
import { isLoopback } from '../admin/sign-in';
import { openingLines, terminalLog } from './opening';
import type { Parties, PartyOptions } from './parties';

/** How a run ended. */
export interface Ending {
  readonly seed: number;
  /** The command that repeats the run. */
  readonly again: string;
  /** Whether everything was proved and the books agree. */
  readonly proved: boolean;
}

/** What a run prints: for a person, or with --json for a program. */
export interface SandboxOutput {
  readonly logger: Logger;
  /** @param stays Whether others may use it: of one that plays a scenario and ends, a person needs no address. */
  opened(parties: Parties, options: PartyOptions, stays: boolean): void;
  call(call: WireCall): void;
  finding(finding: FindingView): void;
  /** A line of a scenario or a script. */
  readonly line: (text: string) => void;
  /** @param rounds The rounds that its calls named. */
  scenario(name: string, proved: boolean, rounds: readonly string[]): void;
  books(books: BooksView, state: StateView, onPurpose: ReadonlySet<string>): void;
  /** A signal ends it; the books so far follow. */
  stopped(signal: string): void;
  ended(ending: Ending): void;
}

const openWarning =
  'Other machines can reach this sandbox: its page moves the clock and sets faults without a password.';
const units =
  'Amounts are in the currency; messages as they are sent, and scripts, count 1/100 of it (100 is 1.00).';

/**
 * Lines for a person.
 * @param isSilent Whether lines of calls, scenarios and the log are left out now: a stopped run prints its books alone.
 */
export function textOutput(isVerbose: boolean, isSilent: () => boolean): SandboxOutput {
  const style: Style = styleFor(process.stdout, process.env);
  const printer = new CallPrinter(print, style, isVerbose);
  const line = (text: string): void => {
    if (!isSilent()) print(text);
  };
  return {
    logger: terminalLog(line, style),
    line,
    call: (call) => printer.call(call),
    finding: (finding) => printer.finding(finding),
    scenario: () => {},
    opened: (parties, options, stays) => {
      if (stays) for (const text of openingLines(parties, options)) print(text);
      if (!isLoopback(options.host)) print(style.bad(openWarning));
      print(units);
    },
    books: (books, state, onPurpose) => {
      printer.flush();
      print('');
      for (const text of booksText(books, state, style, onPurpose)) print(text);
    },
    stopped: (signal) => print(`${signal}: stopped. The books so far:`),
    ended: ({ seed, again }) => print(style.dim(`Seed ${seed}. Again: ${again}`)),
  };
}

/**
 * Lines of JSON, each with its `kind`, as they happen. Never a secret: also one that was made up is left out. Amounts are as in the
 * views of the sandbox, in units of 1/100.
 */
export function jsonOutput(isVerbose: boolean, isSilent: () => boolean): SandboxOutput {
  const unlessSilent = (kind: string, fields: object): void => {
    if (!isSilent()) say(kind, fields);
  };
  const log = (level: string) => (fields: object, message: string) => {
    const { err } = fields as { err?: unknown };
    const reason = err === undefined ? undefined : messageOf(err);
    unlessSilent('log', { level, message, reason });
  };
  return {
    logger: { info: () => {}, warn: log('warning'), error: log('error') },
    line: (text) => unlessSilent('text', { text }),
    call: (call) => say('call', isVerbose ? call : essentials(call)),
    finding: (finding) => say('finding', finding),
    scenario: (name, proved, rounds) => unlessSilent('scenario', { name, proved, rounds }),
    opened: (parties, { operator, gameProvider, seedUsed: seed, data = null, host }) => {
      const { url, walletUrl, providerUrl, players } = parties;
      const who = { operatorId: operator.id, providerId: gameProvider.id };
      const where = { url, walletUrl, providerUrl, data, isOpenToOthers: !isLoopback(host) };
      say('start', { ...where, ...who, players, seed });
    },
    books: (books, { due, attention }, onPurpose) => {
      say('books', { verdict: verdictOf(books, onPurpose), ...books, due, attention });
    },
    stopped: (signal) => say('stopped', { signal }),
    ended: (ending) => say('end', ending),
  };
}

/** What a line for a person has too; with --verbose all of a call, its secrets and tokens masked. */
function essentials(call: WireCall): object {
  const { n, at, line, cause, round, status, ms, fault, verdict, explanation, state } = call;
  return {
    n,
    at,
    line,
    call: call.call,
    cause,
    round,
    status,
    ms,
    fault,
    verdict,
    explanation,
    state,
  };
}

function say(kind: string, fields: object): void {
  printJson({ kind, ...fields });
}
