import { type Command, Option } from 'commander';
import type { OperatorOptions } from '../../operator/http/options';
import { errorCatalogue, type ErrorOverrides } from '../../protocol/operator-api/catalogue';
import { listKnownNames } from '../../platform/validation';
import { CommandFailure } from '../terminal/failure';
import { wholeNumber } from '../terminal/flags';
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
  | 'deadlineMs'
  | 'clockToleranceMs'
  | 'maxInFlight'
  | 'shed'
  | 'turnBudgetMs'
  | 'turnSpikeMs'
  | 'turnWindowMs'
  | 'creditTo'
  | 'useBonusFirst'
  | 'expiredDebits'
  | 'errors'
  | 'logTransactions'
>;

/** Adds {@link HandlerFlags}. */
export function addHandlerFlags(command: Command): Command {
  return command
    .option(
      '--deadline-ms <n>',
      'deadline of a call; after it the outcome is answered as unknown (default: 5000)',
      wholeNumber(10, 120_000),
    )
    .option(
      '--clock-tolerance <seconds>',
      'largest difference between X-H-TIMESTAMP and the clock (default: 300)',
      wholeNumber(1, 86_400),
    )
    .addOption(
      new Option(
        '--max-in-flight <n>',
        'maximum calls in flight that bet or ask for a balance; further ones are shed, debits first (default: 2000)',
      )
        .env('MAX_IN_FLIGHT')
        .argParser(wholeNumber(1, 1_000_000)),
    )
    .addOption(
      new Option(
        '--shed <answer>',
        'shed new rounds while the process is overloaded, answered by void (503) or refuse (400, only if no proxy repeats a POST) (default: none is shed)',
      )
        .env('SHED')
        .choices(['void', 'refuse']),
    )
    .addOption(
      turnOption(
        'budget',
        'milliseconds that a turn of the event loop may take while the process is overloaded (default: 500)',
      ),
    )
    .addOption(
      turnOption(
        'spike',
        'milliseconds that a single turn may take at other times (default: 500, or the budget)',
      ),
    )
    .addOption(
      turnOption(
        'window',
        'milliseconds in which every turn must be over the budget before the process counts as overloaded (default: 100)',
      ),
    )
    .addOption(
      new Option(
        '--credit-to <balance>',
        'where credits go: real, or stakeShares, split as the debits of the round were paid (default: real)',
      )
        .env('CREDIT_TO')
        .choices(['real', 'stakeShares']),
    )
    .addOption(
      new Option(
        '--use-bonus-first <yes>',
        'whether debits are paid from the bonus balance first (default: true)',
      )
        .env('USE_BONUS_FIRST')
        .choices(['true', 'false']),
    )
    .addOption(
      new Option(
        '--expired-debits <what>',
        'refuse or accept first debits that are older than the retention, whose round may be forgotten (default: refuse)',
      )
        .env('EXPIRED_DEBITS')
        .choices(['refuse', 'accept']),
    )
    .addOption(
      new Option(
        '--errors <file>',
        'JSON {"BALANCETOOLOW": {"id": 7, "msg": "...", "clientmsg": "..."}}: your own error ids and texts, by code',
      ).env('ERRORS_FILE'),
    )
    .addOption(
      new Option(
        '--log-transactions',
        'log a line for each transaction, with its hash and amount; at --log-level debug they are logged anyway',
      ).env('LOG_TRANSACTIONS'),
    );
}

function turnOption(limit: 'budget' | 'spike' | 'window', description: string): Option {
  return new Option(`--turn-${limit}-ms <n>`, description)
    .env(`TURN_${limit.toUpperCase()}_MS`)
    .argParser(wholeNumber(1, 60_000));
}

/**
 * The options that the flags set; what is left out keeps the handler's default.
 * @throws CommandFailure for a file of errors that is wrong.
 */
export function readHandlerFlags(flags: HandlerFlags): FlaggedOptions {
  const { deadlineMs, clockTolerance, maxInFlight, creditTo, useBonusFirst, errors } = flags;
  const { logTransactions, expiredDebits, shed } = flags;
  const { turnBudgetMs, turnSpikeMs, turnWindowMs } = flags;
  return {
    ...defined({ deadlineMs }),
    ...(clockTolerance === undefined ? {} : { clockToleranceMs: clockTolerance * 1000 }),
    ...defined({ maxInFlight, shed, turnBudgetMs, turnSpikeMs, turnWindowMs, creditTo }),
    ...(useBonusFirst === undefined ? {} : { useBonusFirst: useBonusFirst === 'true' }),
    ...defined({ expiredDebits }),
    ...(errors === undefined ? {} : { errors: readErrors(errors) }),
    ...defined({ logTransactions }),
  };
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
