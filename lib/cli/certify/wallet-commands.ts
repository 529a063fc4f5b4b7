import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { systemClock } from '../../platform';
import { within } from '../../platform/within';
import type { CertificationOptions } from '../../proof/certify';
import { wholeEnvironment } from '../terminal/credentials';
import { CommandFailure } from '../terminal/failure';
import type { CertifyFlags } from './flags';

/** Longest run of a command that is waited for, in milliseconds. */
const maxCommandMs = 60_000;

/**
 * How a run ends and starts the wallet, blocks a player, and reads the memory: by the user's own shell commands.
 * @throws CommandFailure for one of --kill and --start, or of --block and --unblock, without the other.
 */
export function createWalletCommands({
  restart,
  kill,
  start,
  block,
  unblock,
  memory,
}: CertifyFlags): Pick<
  CertificationOptions,
  'restart' | 'kill' | 'start' | 'block' | 'unblock' | 'memoryBytes'
> {
  if ((kill === undefined) !== (start === undefined)) {
    throw new CommandFailure('--kill and --start need each other');
  }
  if ((block === undefined) !== (unblock === undefined)) {
    throw new CommandFailure('--block and --unblock need each other');
  }
  return {
    ...(restart === undefined ? {} : { restart: () => runToEnd(restart, '--restart') }),
    ...(kill === undefined ? {} : { kill: () => runToEnd(kill, '--kill') }),
    ...(start === undefined ? {} : { start: () => startOf(start) }),
    ...(block === undefined ? {} : { block: () => runToEnd(block, '--block') }),
    ...(unblock === undefined ? {} : { unblock: () => runToEnd(unblock, '--unblock') }),
    ...(memory === undefined ? {} : { memoryBytes: () => memoryBy(memory) }),
  };
}

async function runToEnd(command: string, flag: string, child = inShell(command)): Promise<void> {
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

/** Most of what a command prints that is read, in characters. */
const maxPrinted = 4096;

/** The numbers that a command prints, in KiB as `ps -o rss=` has them, together in bytes. */
async function memoryBy(command: string): Promise<number> {
  const child = inShell(command, ['ignore', 'pipe', 'ignore']);
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(0, maxPrinted);
  });
  const closed = once(child, 'close');
  await runToEnd(command, '--memory', child);
  await closed;
  const numbers = printed.split(/\s+/).filter((word) => word !== '');
  if (numbers.length === 0 || !numbers.every((word) => /^\d{1,12}$/.test(word))) {
    throw new Error('the command of --memory must print whole numbers of KiB, and nothing else');
  }
  return numbers.reduce((sum, word) => sum + Number(word) * 1024, 0);
}

function inShell(command: string, stdio: StdioOptions = 'ignore'): ChildProcess {
  return spawn(command, { shell: true, stdio, detached: true, env: wholeEnvironment() });
}
