#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { CommandFailure, exitCodes, messageOf, plainLine } from './terminal/failure';
import { systemClock } from '../platform';
import { addCall } from './call/command';
import { addDemo } from './demo';
import { addInit } from './init';
import { addMigrate } from './migrate';
import { addServe } from './serve/command';
import { addSign } from './sign/command';

/** A variable that is empty counts as not set. */
const variables = [
  'PORT',
  'HOST',
  'WALLET_STORE',
  'WALLET_INIT',
  'OPERATOR_ID',
  'OPERATOR_SECRET',
  'CREDENTIALS_FILE',
  'PLAYERS_FILE',
  'LEDGER_FILE',
  'ERRORS_FILE',
  'CREDIT_TO',
  'USE_BONUS_FIRST',
  'MAX_IN_FLIGHT',
  'RGS_URL',
  'LOG_LEVEL',
];

/** How long leftovers of a command may keep the process alive, in milliseconds. */
const lingerMs = 1_000;

function createProgram(): Command {
  const program = new Command('rgs-wallet')
    .description("The operator's wallet of a remote game server, on the command line.")
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 a check failed, or the RGS refused; 2 a wrong flag, file or store.',
    );
  addServe(program);
  addDemo(program);
  addInit(program);
  addMigrate(program);
  addSign(program);
  addCall(program);
  return program;
}

async function main(): Promise<void> {
  for (const name of variables) if (process.env[name] === '') delete process.env[name];
  process.stdout.on('error', endQuietly);
  try {
    readSwitch('WALLET_INIT');
    await createProgram().parseAsync();
  } catch (error) {
    process.exit(printError(error));
  }
  systemClock.after(lingerMs, () => process.exit(), 'background');
}

/**
 * A set variable counts as its flag whatever its value, so 0 must unset it.
 * @throws CommandFailure for a value that is neither 0 nor 1.
 */
function readSwitch(name: string): void {
  const value = process.env[name];
  if (value === '0') delete process.env[name];
  else if (value !== undefined && value !== '1') {
    throw new CommandFailure(`${name} must be 1 or 0`);
  }
}

/** Prints an error as one line on stderr, never a stack; returns the exit code. */
function printError(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exitCodes.done;
    const message = error.code === 'commander.help' ? 'error: a command is missing' : error.message;
    process.stderr.write(`${plainLine(message)} (see rgs-wallet --help)\n`);
    return exitCodes.failure;
  }
  process.stderr.write(`error: ${messageOf(error)}\n`);
  return error instanceof CommandFailure ? exitCodes.failure : exitCodes.wrong;
}

/** The reader of the output may close it early, as `head` does. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

function readVersion(): string {
  const text = readFileSync(join(__dirname, '../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

void main();
