import { once } from 'node:events';

import { until } from '../servers/until';
import { type Environment, MAIN, start } from './cli';

/** A sandbox that was started by `rgs-wallet sandbox`. */
export interface StartedSandbox {
  readonly url: string;
  /** All it wrote, to both streams. */
  output(): string;
  post(path: string, body: object): Promise<unknown>;
  get(path: string): Promise<unknown>;
  /** Sends the signal, and resolves to the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a sandbox on a free port, and resolves once it has printed its first lines. */
export async function startSandbox(
  args: readonly string[] = [],
  env: Environment = {},
): Promise<StartedSandbox> {
  const child = start(['sandbox', '--port', '0', ...args], env, MAIN);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
  }
  const exit = once(child, 'close').then(([code]) => code as number | null);
  const ready = until('the first lines', () => /Ctrl-C ends it/.exec(text));
  await Promise.race([
    ready,
    exit.then((code) => Promise.reject(new Error(`it ended with ${String(code)}: ${text}`))),
  ]);
  const url = /^remote game server (http:\/\/127\.0\.0\.1:\d+) /.exec(text)?.[1] ?? '';
  return {
    url,
    output: () => text,
    get: async (path) => read(await fetch(`${url}/sandbox/${path}`)),
    post: async (path, body) =>
      read(
        await fetch(`${url}/sandbox/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    end: (signal = 'SIGINT') => {
      child.kill(signal);
      return exit;
    },
  };
}

async function read(answer: Response): Promise<unknown> {
  return answer.json();
}
