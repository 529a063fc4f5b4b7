import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { createRequestSigner, type RequestSigner, type SignedRequest } from '../../lib/proof';
import { reapWithThisProcess, temporaryFolder } from '../servers/reaper';
import { until } from '../servers/until';
import { built } from '../support/built';
import { preloaded } from '../support/openapi/preloaded';
import { type CliResult, runShared } from './shared-process';

export type { CliResult };

const ROOT = join(__dirname, '../..');
/** The command as it was built. */
export const MAIN = join(ROOT, 'dist/cli/main.js');

/** The operator of these tests, and its secret, which must show up in no output. */
export const OPERATOR_ID = 'casino';
export const SECRET = 'hush-hush-hush-hush-1';

/** The variable that keeps the money in memory, which serve does only when it is told to. */
export const IN_MEMORY = { WALLET_STORE: 'memory:' } as const;

/** The variables that name the operator, and a store in memory. */
export const OPERATOR = { OPERATOR_ID, OPERATOR_SECRET: SECRET, ...IN_MEMORY } as const;

/** Variables of the environment; nothing of the tests' own is passed on but PATH and HOME. */
export type Environment = Readonly<Record<string, string>>;

/** How to run a command. */
export interface CliOptions {
  readonly env?: Environment;
  readonly stdin?: string;
  /** The program instead of the package's own. */
  readonly main?: string;
  readonly limits?: ProcessLimits;
}

/** What a process may use. */
export interface ProcessLimits {
  /** File descriptors; those of the tests unless set. */
  readonly openFiles?: number;
}

/** One line of the log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A service that was started by `rgs-wallet serve`. */
export interface Service {
  readonly url: string;
  readonly port: number;
  readonly lines: readonly LogLine[];
  /** All it wrote, to both streams. */
  output(): string;
  signal(name: NodeJS.Signals): void;
  /** Closes the reading end of its stdout, as a log reader that died. */
  stopReading(): void;
  /** Resolves to the first line whose message starts so, now or later. */
  line(message: string): Promise<LogLine>;
  /** Resolves to the exit code. */
  readonly exit: Promise<number | null>;
  call(signed: SignedRequest): Promise<ServiceAnswer>;
  /** Sends SIGTERM unless it has ended, and resolves to the exit code. */
  stop(): Promise<number | null>;
}

/** The answer to a call. */
export interface ServiceAnswer {
  readonly status: number;
  readonly connection: string | null;
  readonly text: string;
}

/** Signs as the RGS does; no two requests bear the same time. */
export const signer: RequestSigner = signerFor(SECRET);

/** The commands that this file of tests has run as a process of their own. */
const started = new Set<string>();

/**
 * Runs a command to its end. The first of each name in a file of tests is a process of its own, as a user's; those behind it run
 * in one process that has loaded the program, for to load it takes most of their time.
 */
export async function runCli(
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  const [name = ''] = args;
  const { env = {}, ...own } = options;
  // Another program, limits, stdin and what Node reads at its start are of a process of its own.
  const isOwn = Object.keys({ ...own, ...env }).some((key) => !/^(?!NODE_)[A-Z]/.test(key));
  if (started.has(name) && !isOwn) return runShared(built('cli/main.js'), args, env);
  started.add(name);
  return runProcess(args, options);
}

/** Runs a command to its end, as a process of its own. */
export async function runProcess(
  args: readonly string[],
  { env = {}, stdin = '', main = MAIN, limits = {} }: CliOptions = {},
): Promise<CliResult> {
  const child = start(args, env, main, 'pipe', limits);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  child.stdin?.on('error', () => undefined); // it may end without having read all
  child.stdin?.end(stdin);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Starts a service on a free port, and resolves once its first log line is there. */
export async function startService(
  args: readonly string[] = [],
  env: Environment = OPERATOR,
  limits: ProcessLimits = {},
  main = MAIN,
): Promise<Service> {
  const child = start(
    ['serve', '--port', '0', ...args],
    { ...IN_MEMORY, ...env },
    main,
    'pipe',
    limits,
  );
  child.stdin?.end();
  const stderr = collect(child.stderr);
  const lines: LogLine[] = [];
  const exit = once(child, 'close').then(([code]) => code as number | null);
  if (child.stdout) {
    createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line) as LogLine));
  }
  const first = await Promise.race([
    // Where the level leaves out the line that it listens, the one behind it.
    until('the line that it listens', () =>
      lines.find((line) => 'port' in line || line.msg.startsWith('the memory store')),
    ),
    exit.then((code) => Promise.reject(new Error(`it ended with ${String(code)}: ${stderr()}`))),
  ]);
  const url = String(first['url']);
  return {
    url,
    port: Number(first['port']),
    lines,
    output: () => lines.map((line) => JSON.stringify(line)).join('\n') + stderr(),
    signal: (name) => child.kill(name),
    stopReading: () => child.stdout?.destroy(),
    line: (message) =>
      until(`the line "${message}"`, () => lines.find(({ msg }) => msg.startsWith(message))),
    exit,
    async call({ method, path, headers, body }) {
      const answer = await fetch(url + path, { method, headers, ...(body ? { body } : {}) });
      const connection = answer.headers.get('connection');
      return { status: answer.status, connection, text: await answer.text() };
    },
    stop: () => {
      child.kill('SIGTERM');
      return exit;
    },
  };
}

/** A private file that is gone with the tests. */
export async function temporaryFile(name: string, content: unknown): Promise<string> {
  const path = join(await temporaryFolder('cli'), name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** A signer with another secret, operator or clock. */
export function signerFor(secret: string, operatorId = OPERATOR_ID, agoMs = 0): RequestSigner {
  let last = 0;
  const now = () => {
    last = Math.max(last + 1, Date.now() - agoMs);
    return last;
  };
  return createRequestSigner({ operatorId, secret, now });
}

/** A call that opens a round with a debit. */
export function debitCall(
  playerId: string,
  gameRound: string,
  { amount = 10, by = signer }: { amount?: number; by?: RequestSigner } = {},
): SignedRequest {
  return by.doTransactions({
    playerId,
    gameCode: 'bells',
    gameRound,
    transactionCount: 1,
    transactions: [{ type: 'debit', hash: gameRound, amount, currency: 'EUR', isFirstDebit: true }],
  });
}

/** Starts the command; its stdout is a pipe, or a file that is open. */
export function start(
  args: readonly string[],
  env: Environment,
  main: string,
  stdout: 'pipe' | number = 'pipe',
  { openFiles }: ProcessLimits = {},
): ChildProcess {
  if (!existsSync(main)) throw new Error(`${main} is missing: run \`npm run build\` first`);
  const { PATH = '', HOME = '' } = process.env;
  const node = [process.execPath, ...preloaded.args, main, ...args];
  const limited = ['sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`, ...node];
  const [command = '', ...rest] = openFiles === undefined ? node : limited;
  const child = spawn(command, rest, {
    env: { PATH, HOME, ...preloaded.env, ...env },
    stdio: ['pipe', stdout, 'pipe'],
  });
  reapWithThisProcess(child);
  return child;
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}
