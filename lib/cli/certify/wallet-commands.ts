import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '../../platform';
import { within } from '../../platform/within';
import type { CertificationOptions } from '../../proof/certify';
import { CommandFailure } from '../terminal/failure';
import { wholeEnvironment } from '../terminal/secret-variables';
import type { CertifyFlags } from './flags';

/** Longest run of a command that ends or restarts the wallet, in milliseconds. */
const maxCommandMs = 60_000;

/**
 * How a run ends and starts the wallet: by the user's own shell commands.
 * @throws CommandFailure for one of --kill and --start without the other.
 */
export function createWalletCommands({
  restart,
  kill,
  start,
}: CertifyFlags): Pick<CertificationOptions, 'restart' | 'kill' | 'start'> {
  if ((kill === undefined) !== (start === undefined)) {
    throw new CommandFailure('--kill and --start need each other');
  }
  return {
    ...(restart === undefined ? {} : { restart: () => runToEnd(restart, '--restart') }),
    ...(kill === undefined ? {} : { kill: () => runToEnd(kill, '--kill') }),
    ...(start === undefined ? {} : { start: () => startOf(start) }),
  };
}

async function runToEnd(command: string, flag: string): Promise<void> {
  const child = inShell(command);
  const late = (): never => {
    child.kill('SIGKILL');
    throw new Error(`the command of ${flag} did not end within a minute`);
  };
  const [code] = await within(systemClock, maxCommandMs, once(child, 'exit'), { late });
  if (code !== 0) throw new Error(`the command of ${flag} ended with exit code ${String(code)}`);
}

/** Starts a wallet, which runs on when this process has ended. */
async function startOf(command: string): Promise<void> {
  const child = inShell(command);
  await once(child, 'spawn');
  child.unref();
}

function inShell(command: string): ChildProcess {
  return spawn(command, { shell: true, stdio: 'ignore', detached: true, env: wholeEnvironment() });
}
