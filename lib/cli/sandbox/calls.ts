import type { BodyView, FindingView, WireCall } from '../../rgs/sandbox/view/wire';
import type { LineName } from '../../rgs/sandbox/view/state';
import { withoutControls } from '../terminal/failure';
import { essenceOf } from './essence';
import type { Style } from '../terminal/style';

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

/** Prints calls and findings as they happen. */
export interface CallPrinter {
  call(call: WireCall): void;
  /** Prints a finding below its call; one that a round has shown already is only counted. */
  finding(finding: FindingView): void;
  /** Prints what waits for a call that has no end, and how often findings were repeated. */
  flush(): void;
}

/** Kinds of findings, each of one round, that are counted. */
const maxCounted = 10_000;

/**
 * A printer of one line a call: time, line, call, round, what matters, status, milliseconds. A call that another
 * made stands indented under it; so it waits until that one has ended.
 */
export function createCallPrinter(
  print: (line: string) => void,
  style: Style,
  isVerbose: boolean,
): CallPrinter {
  const held = new Map<number, WireCall[]>();
  const below = new Map<number, string[]>();
  const repeated = new Map<string, number>();
  const ended = new Set<number>();
  let heldCount = 0;

  const show = (call: WireCall, depth: number): void => {
    print(lineOf(call, depth, style));
    if (isVerbose) for (const line of detailsOf(call, depth)) print(style.dim(line));
    for (const line of below.get(call.n) ?? []) print(line);
    below.delete(call.n);
    ended.add(call.n);
    const [oldest] = ended;
    if (ended.size > maxEnded && oldest !== undefined) ended.delete(oldest);
    const children = held.get(call.n) ?? [];
    held.delete(call.n);
    heldCount -= children.length;
    for (const child of children) show(child, depth + 1);
  };
  const flush = (): void => {
    const waiting = [...held.values()].flat();
    held.clear();
    heldCount = 0;
    for (const child of waiting) show(child, 1);
    for (const line of [...below.values()].flat()) print(line);
    below.clear();
  };
  const printRepeated = (): void => {
    for (const [line, times] of repeated) {
      if (times > 1) print(style.finding(`${line}: ${times} times`));
    }
    repeated.clear();
  };
  return {
    call(call) {
      const { cause } = call;
      if (cause === null || ended.has(cause)) return show(call, cause === null ? 0 : 1);
      held.set(cause, [...(held.get(cause) ?? []), call]);
      heldCount++;
      if (heldCount > maxHeld) flush();
    },
    finding({ rule, id, round, text, wire }) {
      const name = `finding ${rule} ${id}${round === null ? '' : ` ${shortRound(round)}`}`;
      const times = round === null ? 1 : (repeated.get(name) ?? 0) + 1;
      if (round !== null) repeated.set(name, times);
      if (repeated.size > maxCounted) printRepeated();
      if (times > 1) return;
      const line = style.finding(`${name}: ${withoutControls(text)}`);
      if (wire === null || ended.has(wire)) print(line);
      else below.set(wire, [...(below.get(wire) ?? []), line]);
    },
    flush() {
      flush();
      printRepeated();
    },
  };
}

/** The first characters of a round's id. */
export function shortRound(round: string | null): string {
  return round === null ? '-' : withoutControls(round).slice(0, 8);
}

function lineOf(call: WireCall, depth: number, style: Style): string {
  const { at, line, round, status, ms, fault, state } = call;
  const indent = '  '.repeat(depth);
  const name = `${indent}${withoutControls(call.call)}`;
  const columns = [
    at.slice(11, 23),
    `${indent}${lineNames[line]}`.padEnd(13),
    name.padEnd(24),
    shortRound(round).padEnd(8),
    withoutControls(essenceOf(call)).padEnd(44),
  ].join(' ');
  const isRefused = status === null || status >= 400;
  const outcome = state === 'lost' || status === null ? 'lost' : String(status);
  const end = `${outcome.padStart(4)} ${`${ms ?? '?'} ms`.padStart(8)}`;
  const named = fault === null ? '' : `  fault ${fault}`;
  const checked = call.verdict === 'refused' ? `  ${call.explanation ?? 'signature refused'}` : '';
  if (fault !== null) return style.fault(`${columns} ${end}${named}${checked}`);
  return `${columns} ${isRefused ? style.bad(end) : end}${style.bad(checked)}`;
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
  ].map((line) => margin + withoutControls(line));
}

function headersOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
}

function bodyOf({ text, encoding }: BodyView): string[] {
  if (text === '') return [];
  return [`  ${encoding === 'utf8' ? text : `base64 ${text}`}`];
}
