import type { Clock } from '../../../platform';
import type { Group, CaseResult, CertificationProgress } from '../talk/case';
import { standingOf, tallyInWords, tallyOf } from './facts';
import { visibleLine } from './readable';
import { paintOf, type ReportStyle } from './terminal';
import { durationInWords } from './words';

/** Where progress is written: stderr. */
interface ProgressOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** How progress is shown. */
interface ProgressOptions {
  readonly clock: Clock;
  readonly style: ReportStyle;
  /** Whether nothing is written. */
  readonly isQuiet: boolean;
}

/** Progress of a run, written as it comes. */
interface ShownProgress extends CertificationProgress {
  /** Writes one line, also where nothing else is written. */
  say(text: string): void;
  /** Ends the last line; call it when the run is over, however it ended. */
  close(): void;
}

/** Time between two lines without a terminal, in milliseconds. */
const everyMs = 10_000;
/** Least time between two notes on a terminal, in milliseconds. */
const noteEveryMs = 100;

/**
 * Shows a run in progress. On a terminal one line is written again and again; elsewhere, as in CI, there
 * is a line for each group and one every 10 seconds. A case that fails is named at once.
 */
export function createProgress(out: ProgressOutput, options: ProgressOptions): ShownProgress {
  const say = (text: string): void => void out.write(`${text}\n`);
  if (options.isQuiet) return { begins() {}, ended() {}, note() {}, say, close() {} };
  return out.isTTY === true ? rewrittenLine(out, options) : lines(out, options);
}

/** What a failed case says at once; null for any other. */
function alarm(result: CaseResult, style: ReportStyle): string | null {
  if (standingOf(result) !== 'failed') return null;
  const { group, id, message } = result;
  return `${paintOf('failed', style)('failed')}  ${group}/${id}: ${visibleLine(message ?? '')}`;
}

function rewrittenLine(out: ProgressOutput, { clock, style }: ProgressOptions): ShownProgress {
  let shown = 0;
  let head = '';
  let notedAt = Number.NEGATIVE_INFINITY;
  let failed = 0;
  // Spaces, not an escape sequence, clear the rest of the line.
  const rewrite = (text: string): void => {
    const fitting = text.slice(0, Math.max(1, (out.columns ?? 80) - 1));
    out.write(`\r${fitting}${' '.repeat(Math.max(0, shown - fitting.length))}`);
    shown = fitting.length;
  };
  const clear = (): void => {
    if (shown > 0) out.write(`\r${' '.repeat(shown)}\r`);
    shown = 0;
  };
  return {
    begins({ group, id }, index, count) {
      const failures = failed === 0 ? '' : `  ${failed} failed`;
      head = `${String(index + 1).padStart(String(count).length)} of ${count}${failures}  ${group}/${id}`;
      rewrite(head);
    },
    ended(result) {
      const text = alarm(result, style);
      if (text === null) return;
      failed += 1;
      clear();
      out.write(`${text}\n`);
    },
    note(text) {
      if (clock.monotonicMs() - notedAt < noteEveryMs) return;
      notedAt = clock.monotonicMs();
      rewrite(`${head}: ${visibleLine(text)}`);
    },
    say(text) {
      clear();
      out.write(`${text}\n`);
    },
    close: clear,
  };
}

function lines(out: ProgressOutput, { clock, style }: ProgressOptions): ShownProgress {
  const startedMs = clock.monotonicMs();
  let done: CaseResult[] = [];
  let group: Group | null = null;
  let now: string | null = null;
  let noted = '';
  let cancel: (() => void) | null = null;
  const tick = (): void => {
    cancel = clock.after(everyMs, tick, 'background');
    if (now === null) return;
    const so = durationInWords(clock.monotonicMs() - startedMs);
    out.write(`${style.dim(`${now}${noted === '' ? '' : `: ${noted}`}, ${so} so far`)}\n`);
  };
  const endGroup = (): void => {
    if (group === null || done.length === 0) return;
    const took = done.reduce((sum, { durationMs }) => sum + durationMs, 0);
    out.write(`${group}: ${tallyInWords(tallyOf(done))} (${durationInWords(took)})\n`);
    done = [];
  };
  const enter = (next: Group): void => {
    cancel ??= clock.after(everyMs, tick, 'background');
    if (next !== group) endGroup();
    group = next;
  };
  return {
    begins(one, index, count) {
      enter(one.group);
      now = `${one.group}/${one.id}, case ${index + 1} of ${count}`;
      noted = '';
    },
    ended(result) {
      enter(result.group);
      done.push(result);
      now = null;
      const text = alarm(result, style);
      if (text !== null) out.write(`${text}\n`);
    },
    note(text) {
      noted = visibleLine(text);
    },
    say: (text) => void out.write(`${text}\n`),
    close() {
      cancel?.();
      cancel = null;
      endGroup();
    },
  };
}
