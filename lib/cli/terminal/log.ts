import pino from 'pino';
import type { Logger } from '../../platform';
import { afterThisTurn } from '../../platform/turn';

/** Levels of --log-level. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** One of {@link logLevels}. */
export type LogLevel = (typeof logLevels)[number];

/** The log of a service: lines of JSON on stdout. */
export interface ServiceLog extends Logger {
  fatal(fields: object, message: string): void;
}

/** A pino log. It writes only some members of an error: a Redis error carries its command. */
export function createLog(level: LogLevel): ServiceLog {
  return pino({ level, serializers: { err: describeError } }, new GatheredLines());
}

/**
 * Writes the lines of one turn of the event loop in one piece, after the current events: a system call for
 * each line would cost more than the line. A log that cannot be written (a full disk, a pipe that nobody
 * reads) does not stop the wallet. Every line is written before the process ends, unless it is killed
 * within the turn.
 */
class GatheredLines {
  readonly #output = pino.destination({ dest: 1, sync: true });
  #lines = '';

  constructor() {
    this.#output.on('error', () => {});
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.#lines === '') afterThisTurn(() => this.flushSync());
    this.#lines += line;
  }

  /** Writes the held lines; pino asks for it after a fatal line. */
  flushSync(): void {
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') this.#output.write(lines);
  }
}

function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const because = cause === undefined ? {} : { cause: describeError(cause) };
  return { name, ...code, message, stack, ...because };
}

interface HeldLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

/** Most held lines; an unreachable store logs again and again. */
const maxHeld = 100;

/**
 * Holds lines back until the service listens, so that its first line has the port. If it never listens,
 * the failure is printed as one line instead.
 */
export class EarlyLog implements Logger {
  readonly #held: HeldLine[] = [];
  #target: Logger | null = null;

  /** The reasons in the lines held so far, the latest last. */
  get reasons(): string[] {
    return this.textsOf('reason');
  }

  /** The dangers that were accepted. */
  get dangers(): string[] {
    return this.textsOf('danger');
  }

  /** Writes the held lines, and from now on writes at once. */
  release(target: Logger): void {
    this.#target = target;
    for (const { level, fields, message } of this.#held.splice(0)) target[level](fields, message);
  }

  info(fields: object, message: string): void {
    this.write({ level: 'info', fields, message });
  }

  warn(fields: object, message: string): void {
    this.write({ level: 'warn', fields, message });
  }

  error(fields: object, message: string): void {
    this.write({ level: 'error', fields, message });
  }

  private write(line: HeldLine): void {
    if (this.#target !== null) this.#target[line.level](line.fields, line.message);
    else if (this.#held.push(line) > maxHeld) this.#held.shift();
  }

  private textsOf(name: string): string[] {
    const values = this.#held.map(({ fields }) => (fields as Record<string, unknown>)[name]);
    return values.filter((value) => typeof value === 'string');
  }
}
