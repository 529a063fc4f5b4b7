import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { afterAll } from '@jest/globals';

import { reapWithThisProcess } from '../servers/reaper';
import { preloaded } from '../support/openapi/preloaded';

/** How a command ended. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const running: SharedProcess[] = [];
const idle: SharedProcess[] = [];

afterAll(async () => {
  await Promise.all(running.map((shared) => shared.end()));
});

/**
 * Runs a command of the program in a process that runs others before and behind it. Commands at the same time are in different
 * processes. It has no terminal, an empty stdin, and of the variables no other than these, PATH and HOME.
 */
export async function runShared(
  main: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CliResult> {
  const shared = idle.pop() ?? new SharedProcess(main);
  const result = await shared.run(args, env);
  idle.push(shared);
  return result;
}

class SharedProcess {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  /** What it wrote past the streams of `process`. */
  #stray = '';

  constructor(main: string) {
    const { PATH = '', HOME = '' } = process.env;
    this.#child = fork(join(__dirname, 'many-commands.js'), [main], {
      env: { PATH, HOME, ...preloaded.env },
      execArgv: [...preloaded.args],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    reapWithThisProcess(this.#child);
    this.#exit = once(this.#child, 'exit');
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#stray += chunk.toString('utf8');
      });
    }
    running.push(this);
  }

  async run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<CliResult> {
    const { PATH = '', HOME = '' } = process.env;
    const result = once(this.#child, 'message') as Promise<[CliResult]>;
    this.#child.send({ args, env: { PATH, HOME, ...env } });
    const [answer] = await Promise.race([
      result,
      this.#exit.then(() => {
        throw new Error(`the process of ${args.join(' ')} ended: ${this.#stray}`);
      }),
    ]);
    if (this.#stray !== '') throw new Error(`${args.join(' ')} wrote past stdout: ${this.#stray}`);
    return answer;
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exit;
  }
}
