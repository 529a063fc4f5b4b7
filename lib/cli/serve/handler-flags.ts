import type { Command } from 'commander';
import type { OperatorOptions } from '../../operator/http/options';
import { errorCatalogue, type ErrorOverrides } from '../../protocol/operator-api/catalogue';
import { listKnownNames } from '../../platform/validation';
import { CommandFailure } from '../terminal/failure';
import { addFlags, wholeNumber } from '../terminal/flags';
import { readJsonFile } from '../terminal/read-json-file';
import { defined } from '../../platform/validation/defined';

/** Flags that set options of the handler. */
export interface HandlerFlags {
  readonly deadlineMs?: number;
  readonly clockTolerance?: number;
  readonly maxInFlight?: number;
  readonly shed?: 'void' | 'refuse';
  readonly turnBudgetMs?: number;
  readonly turnSpikeMs?: number;
  readonly turnWindowMs?: number;
  readonly creditTo?: 'real' | 'stakeShares';
  readonly useBonusFirst?: 'true' | 'false';
  readonly expiredDebits?: 'refuse' | 'accept';
  readonly errors?: string;
  readonly logTransactions?: true;
}

/** Options of the handler that flags can set. */
export type FlaggedOptions = Pick<
  OperatorOptions,
  'clockToleranceMs' | Exclude<keyof HandlerFlags, 'clockTolerance'>
>;

/** Adds {@link HandlerFlags}. */
export function addHandlerFlags(command: Command): Command {
  return addFlags(command, [
    [
      '--deadline-ms <n>',
      'deadline of a call; after it the outcome is answered as unknown (default: 5000)',
      { parse: wholeNumber(10, 120_000) },
    ],
    [
      '--clock-tolerance <seconds>',
      'largest difference between X-H-TIMESTAMP and the clock (default: 300)',
      { parse: wholeNumber(1, 86_400) },
    ],
    [
      '--max-in-flight <n>',
      'maximum calls in flight that bet or ask for a balance; further ones are shed, debits first (default: 2000)',
      { env: 'MAX_IN_FLIGHT', parse: wholeNumber(1, 1_000_000) },
    ],
    [
      '--shed <answer>',
      'shed new rounds while the process is overloaded, answered by void (503) or refuse (400, only if no proxy repeats a POST) (default: none is shed)',
      { env: 'SHED', choices: ['void', 'refuse'] },
    ],
    [
      '--turn-budget-ms <n>',
      'milliseconds that a turn of the event loop may take while the process is overloaded (default: 500)',
      { env: 'TURN_BUDGET_MS', parse: wholeNumber(1, 60_000) },
    ],
    [
      '--turn-spike-ms <n>',
      'milliseconds that a single turn may take at other times (default: 500, or the budget)',
      { env: 'TURN_SPIKE_MS', parse: wholeNumber(1, 60_000) },
    ],
    [
      '--turn-window-ms <n>',
      'milliseconds in which every turn must be over the budget before the process counts as overloaded (default: 100)',
      { env: 'TURN_WINDOW_MS', parse: wholeNumber(1, 60_000) },
    ],
    [
      '--credit-to <balance>',
      'where credits go: real, or stakeShares, split as the debits of the round were paid (default: real)',
      { env: 'CREDIT_TO', choices: ['real', 'stakeShares'] },
    ],
    [
      '--use-bonus-first <yes>',
      'whether debits are paid from the bonus balance first (default: true)',
      { env: 'USE_BONUS_FIRST', choices: ['true', 'false'] },
    ],
    [
      '--expired-debits <what>',
      'refuse or accept first debits that are older than the retention, whose round may be forgotten (default: refuse)',
      { env: 'EXPIRED_DEBITS', choices: ['refuse', 'accept'] },
    ],
    [
      '--errors <file>',
      'JSON {"BALANCETOOLOW": {"id": 7, "msg": "...", "clientmsg": "..."}}: your own error ids and texts, by code',
      { env: 'ERRORS_FILE' },
    ],
    [
      '--log-transactions',
      'log a line for each transaction, with its hash and amount; at --log-level debug they are logged anyway',
      { env: 'LOG_TRANSACTIONS' },
    ],
  ]);
}

/**
 * The options that the flags set; what is left out keeps the handler's default.
 * @throws CommandFailure for a file of errors that is wrong.
 */
export function readHandlerFlags(flags: HandlerFlags): FlaggedOptions {
  const { deadlineMs, maxInFlight, shed, turnBudgetMs, turnSpikeMs, turnWindowMs } = flags;
  const { clockTolerance, creditTo, useBonusFirst, expiredDebits, errors, logTransactions } = flags;
  const same = { deadlineMs, maxInFlight, shed, turnBudgetMs, turnSpikeMs, turnWindowMs, creditTo };
  return defined({
    ...same,
    expiredDebits,
    logTransactions,
    clockToleranceMs: clockTolerance && clockTolerance * 1000,
    useBonusFirst: useBonusFirst && useBonusFirst === 'true',
    errors: errors === undefined ? undefined : readErrors(errors),
  });
}

function readErrors(file: string): ErrorOverrides {
  const errors = readJsonFile(file, 'errors') as ErrorOverrides;
  const known = Object.keys(errorCatalogue);
  const given = Object.keys(errors);
  if (given.some((code) => !known.includes(code))) {
    const help = listKnownNames('the codes', given, known);
    throw new CommandFailure(`${file}: it has an unknown code; ${help}`);
  }
  return errors;
}
