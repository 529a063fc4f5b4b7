import type { BodyView, FindingView, WireCall } from '../../rgs/sandbox/view/wire';
import type { LineName } from '../../rgs/sandbox/view/state';
import { amountWords } from '../../rgs/sandbox/wire/amounts';
import { essenceOf } from '../../rgs/sandbox/wire/essence';
import type { Style } from '../terminal/style';
import { plain } from '../../protocol/json/printable';

/** How a line of the sandbox is called in the terminal. */
const lineNames: Readonly<Record<LineName, string>> = {
  'provider-rgs': 'game->rgs',
  'rgs-wallet': 'rgs->wallet',
  'rgs-provider': 'rgs->game',
  'operator-rgs': 'casino->rgs',
};

/** Calls that wait for the one that made them; more are printed at once. */
const maxHeld = 500;
/** Ended calls whose numbers are remembered. */
const maxEnded = 10_000;

/** Kinds of findings, each of one round, that are counted. */
const maxCounted = 10_000;

/**
 * Prints calls and findings as they happen: a line a call with time, line, call, round, status, milliseconds, and last what
 * matters, which alone goes beyond 80 columns. A call that another made is indented below it, and so waits until that one has
 * ended.
 */
export class CallPrinter {
  private readonly held = new Map<number, WireCall[]>();
  private readonly below = new Map<number, string[]>();
  private readonly repeated = new Map<string, number>();
  private readonly ended = new Set<number>();
  private heldCount = 0;

  constructor(
    private readonly print: (line: string) => void,
    private readonly style: Style,
    private readonly isVerbose: boolean,
  ) {}

  call(call: WireCall): void {
    const { cause } = call;
    if (cause === null || this.ended.has(cause)) return this.show(call, cause === null ? 0 : 1);
    this.held.set(cause, [...(this.held.get(cause) ?? []), call]);
    this.heldCount++;
    if (this.heldCount > maxHeld) this.flushHeld();
  }

  /** Prints a finding below its call; one that a round has shown already is only counted. */
  finding({ rule, id, round, text, wire }: FindingView): void {
    const { repeated, below } = this;
    const name = `finding ${rule} ${id}${round === null ? '' : ` ${shortRound(round)}`}`;
    const times = round === null ? 1 : (repeated.get(name) ?? 0) + 1;
    if (round !== null) repeated.set(name, times);
    if (repeated.size > maxCounted) this.printRepeated();
    if (times > 1) return;
    const line = this.style.finding(`${name}: ${plain(text)}`);
    if (wire === null || this.ended.has(wire)) this.print(line);
    else below.set(wire, [...(below.get(wire) ?? []), line]);
  }

  /** Prints what waits for a call that has no end, and how often findings were repeated. */
  flush(): void {
    this.flushHeld();
    this.printRepeated();
  }

  private show(call: WireCall, depth: number): void {
    const { held, below, ended, style } = this;
    this.print(lineOf(call, depth, style));
    if (this.isVerbose) for (const line of detailsOf(call, depth)) this.print(style.dim(line));
    for (const line of below.get(call.n) ?? []) this.print(line);
    below.delete(call.n);
    ended.add(call.n);
    const [oldest] = ended;
    if (ended.size > maxEnded && oldest !== undefined) ended.delete(oldest);
    const children = held.get(call.n) ?? [];
    held.delete(call.n);
    this.heldCount -= children.length;
    for (const child of children) this.show(child, depth + 1);
  }

  private flushHeld(): void {
    const waiting = [...this.held.values()].flat();
    this.held.clear();
    this.heldCount = 0;
    for (const child of waiting) this.show(child, 1);
    for (const line of [...this.below.values()].flat()) this.print(line);
    this.below.clear();
  }

  private printRepeated(): void {
    for (const [line, times] of this.repeated) {
      if (times > 1) this.print(this.style.finding(`${line}: ${times} times`));
    }
    this.repeated.clear();
  }
}

/** The first characters of a round's id. */
export function shortRound(round: string | null): string {
  return round === null ? '-' : plain(round).slice(0, 8);
}

function lineOf(call: WireCall, depth: number, style: Style): string {
  const { at, line, round, status, ms, fault, state } = call;
  const indent = '  '.repeat(depth);
  const name = `${indent}${plain(call.call)}`;
  const columns = [
    at.slice(11, 23),
    `${indent}${lineNames[line]}`.padEnd(13),
    name.padEnd(24),
    shortRound(round).padEnd(8),
  ].join(' ');
  const isRefused = status === null || status >= 400;
  const outcome = state === 'lost' || status === null ? 'lost' : String(status);
  const end = `${outcome.padStart(4)} ${`${ms ?? '?'} ms`.padStart(8)}`;
  const said = plain(inWords(call));
  const words = said === '' ? '' : `  ${said}`;
  const checked = call.verdict === 'refused' ? `  ${call.explanation ?? 'signature refused'}` : '';
  if (fault !== null) return style.fault(`${columns} ${end}${words}  fault ${fault}${checked}`);
  return `${columns} ${isRefused ? style.bad(end) : end}${words}${style.bad(checked)}`;
}

function inWords(call: WireCall): string {
  const { request, reply } = essenceOf(call, amountWords);
  return request === '' || reply === '' ? request + reply : `${request}; ${reply}`;
}

/** Headers, bodies and the signed string; secrets and tokens are masked in a call already. */
function detailsOf(call: WireCall, depth: number): string[] {
  const margin = ' '.repeat(13 + 2 * depth);
  const { method, path, headers, body, signed, replyHeaders, replyBody } = call;
  return [
    `${method} ${path}`,
    ...headersOf(headers),
    ...bodyOf(body),
    ...(signed === null ? [] : [`signed: ${signed}`]),
    `reply ${call.status ?? 'none'}`,
    ...headersOf(replyHeaders),
    ...(replyBody === null ? [] : bodyOf(replyBody)),
  ].map((line) => margin + plain(line));
}

function headersOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
}

function bodyOf({ text, encoding }: BodyView): string[] {
  if (text === '') return [];
  return [`  ${encoding === 'utf8' ? text : `base64 ${text}`}`];
}
