#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { CommandFailure, exitCodes, messageOf, plainLine } from './terminal/failure';
import { InvalidInputError } from '../operator/wallet/player/store-errors';
import { systemClock } from '../platform';
import { secretVariable, takeSecrets } from './terminal/credentials';
import { readVersion } from '../platform/package/version';

/** Variables of parties, which have no flag in every command. */
const identities = ['OPERATOR_ID', 'OPERATOR_SECRET', 'PROVIDER_ID', 'PROVIDER_SECRET'];

/** How long leftovers of a command may keep the process alive, in milliseconds. */
const lingerMs = 1_000;

type AddCommand = (program: Command) => void;

/** The commands, in the order of the help. */
const commands: Readonly<Record<string, () => AddCommand>> = {
  serve: () => (require('./serve/command') as typeof import('./serve/command')).addServe,
  'admin-user': () =>
    (require('./admin/user-commands') as typeof import('./admin/user-commands')).addAdminUser,
  sandbox: () => (require('./sandbox/command') as typeof import('./sandbox/command')).addSandbox,
  certify: () => (require('./certify/command') as typeof import('./certify/command')).addCertify,
  demo: () => (require('./demo') as typeof import('./demo')).addDemo,
  init: () => (require('./init') as typeof import('./init')).addInit,
  migrate: () => (require('./migrate') as typeof import('./migrate')).addMigrate,
  'money-functions': () =>
    (require('./money-functions') as typeof import('./money-functions')).addMoneyFunctions,
  events: () => (require('./events/command') as typeof import('./events/command')).addEvents,
  archive: () => (require('./archive/command') as typeof import('./archive/command')).addArchive,
  player: () => (require('./player/command') as typeof import('./player/command')).addPlayer,
  rounds: () => (require('./rounds/command') as typeof import('./rounds/command')).addRounds,
  books: () => (require('./books/command') as typeof import('./books/command')).addBooks,
  reconcile: () =>
    (require('./reconcile/command') as typeof import('./reconcile/command')).addReconcile,
  sign: () => (require('./sign') as typeof import('./sign')).addSign,
  openapi: () => (require('./openapi') as typeof import('./openapi')).addOpenapi,
  call: () => (require('./call/command') as typeof import('./call/command')).addCall,
};

/** Loads the command that the first argument names; all of them where it names none, as for `--help`. */
function addCommands(program: Command, requested = ''): void {
  const names = Object.keys(commands);
  for (const name of names.includes(requested) ? [requested] : names) {
    commands[name]?.()(program);
  }
}

function createProgram(): Command {
  return (
    new Command('rgs-wallet')
      .description("The operator's wallet of a remote game server, on the command line.")
      .version(readVersion(), '-V, --version', 'print the version')
      .helpOption('-h, --help', 'print this help')
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      // By then the flags have it.
      .hook('preAction', () => void secretVariable('WALLET_STORE'))
      .addHelpText(
        'after',
        '\nExit codes: 0 done; 1 a check failed, or the RGS refused; 2 a wrong flag, file or store.',
      )
  );
}

/**
 * Runs the command that `process.argv` names, with the variables of `process.env`. Resolves to the exit code of an error, which it
 * has printed; to null after a command that ran to its end, whose exit code is `process.exitCode`.
 */
export async function runProgram(): Promise<number | null> {
  for (const name of identities) if (process.env[name] === '') delete process.env[name];
  takeSecrets();
  const program = createProgram();
  try {
    addCommands(program, process.argv[2]);
    readVariables(program);
    await program.parseAsync();
    return null;
  } catch (error) {
    return printError(error, program);
  } finally {
    secretVariable('WALLET_STORE');
  }
}

async function main(): Promise<void> {
  process.stdout.on('error', endWithoutOutput);
  const code = await runProgram();
  if (code !== null) process.exit(code);
  systemClock.after(lingerMs, () => process.exit(), 'background');
}

/**
 * Unsets the variables that count as not set: empty ones, and switches that are 0; a flag would be set whatever their value.
 * @throws CommandFailure for a switch that is neither 0 nor 1.
 */
function readVariables({ options, commands: below }: Command): void {
  for (const option of options) {
    const { envVar = '' } = option;
    const value = process.env[envVar];
    const isSwitch = option.isBoolean();
    if (value === '' || (isSwitch && value === '0')) delete process.env[envVar];
    else if (isSwitch && value !== undefined && value !== '1') {
      throw new CommandFailure(`${envVar} must be 1 or 0`);
    }
  }
  below.forEach(readVariables);
}

/** Prints an error as one line on stderr, never a stack; returns the exit code. */
function printError(error: unknown, program: Command): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done;
    const message = error.code === 'commander.help' ? missingCommand() : error.message;
    process.stderr.write(`${plainLine(message)} (see ${namedCommand(program)} --help)\n`);
    return exitCodes.failure;
  }
  process.stderr.write(`error: ${messageOf(error)}\n`);
  const isUsersOwn = error instanceof CommandFailure || error instanceof InvalidInputError;
  return isUsersOwn ? exitCodes.failure : exitCodes.wrong;
}

/** The command of the arguments, as far as they name one: its help has the flags. */
function namedCommand(program: Command): string {
  const names = [program.name()];
  let command: Command | undefined = program;
  for (const word of process.argv.slice(2)) {
    command = command.commands.find((one) => one.name() === word);
    if (command === undefined) break;
    names.push(word);
  }
  return names.join(' ');
}

/** Commander prints the help for both, and gives no reason. */
function missingCommand(): string {
  const isHelp = process.argv.includes('help');
  return isHelp ? 'error: help names no command that exists' : 'error: a command is missing';
}

/** The reader of the output may close it early, as `head` does; a full disk is an error. */
function endWithoutOutput(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  process.stderr.write(`error: stdout cannot be written: ${messageOf(error)}\n`);
  process.exit(exitCodes.failure);
}

if (require.main === module) void main();
