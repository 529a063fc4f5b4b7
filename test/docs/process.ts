import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { reapWithThisProcess } from '../servers/reaper';
import { type Truthy, until } from '../servers/until';
import { built } from '../support/built';

/** A process of a page's code. */
export interface Running {
  /** What it has written to both streams so far. */
  output(): string;
  /** Resolves once a GET there is answered, whatever the answer; rejects once the program has ended. */
  answers(url: string): Promise<Response>;
  /** Resolves once it has written the text; rejects once the program has ended. */
  writes(text: string): Promise<void>;
  /** Ends it and resolves once it has ended. */
  readonly stop: () => Promise<void>;
  /** Resolves to its exit code. */
  readonly exit: Promise<number | null>;
}

/** Starts a program over the built package, with these variables alone, and PATH and HOME. */
export function startProgram(
  command: string,
  args: readonly string[],
  { env = {}, cwd }: { env?: Readonly<Record<string, string>>; cwd?: string } = {},
): Running {
  built();
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
  });
  reapWithThisProcess(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (text += bytes.toString('utf8')));
  }
  let code: number | null | undefined;
  const exit = once(child, 'close').then(([ended]) => (code = ended as number | null));
  async function untilEnded<T>(what: string, ask: () => Promise<T>): Promise<Truthy<T>> {
    const found = await until<T | Error>(what, () =>
      code === undefined ? ask() : failed(code, text),
    );
    if (found instanceof Error) throw found;
    return found;
  }
  return {
    output: () => text,
    exit,
    answers: (url) => untilEnded(`an answer of ${url}`, () => fetch(url)),
    writes: async (wanted) => {
      await untilEnded(`"${wanted}"`, async () => text.includes(wanted));
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

/** Runs a program to its end; resolves to what it wrote. @throws where it ends with anything but 0. */
export async function runProgram(...args: Parameters<typeof startProgram>): Promise<string> {
  const running = startProgram(...args);
  const code = await running.exit;
  if (code !== 0) throw failed(code, running.output());
  return running.output();
}

function failed(code: number | null, output: string): Error {
  return new Error(`it ended with ${String(code)}:\n${output}`);
}
