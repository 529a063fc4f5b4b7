/**
 * What a comparison with an export, and one with the own check alone, costs: `npm run bench:reconcile`, or
 * `npm run bench:reconcile -- 1000000` for more rounds.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  eventLines,
  exportMap,
  exportOf,
  randomHistory,
} from '../test/operator/reconciliation/histories';
import { countOfRounds } from './arguments';
import { cpuSeconds } from './cpu-time';

const count = countOfRounds({
  command: 'npm run bench:reconcile',
  does: 'Measures the processor time of `rgs-wallet reconcile --export` over a week of rounds that agree.',
  usual: 100_000,
  least: 1_000,
});
const hourMs = 3_600_000;
/** Rounds that are made at once: many more do not fit in memory, nor their lines in a text. */
const mostAtOnce = 50_000;
const [from, to] = [Date.parse('2026-10-20T00:00:00Z'), Date.parse('2026-10-27T00:00:00Z')];
const counting = { zone: 'Europe/Malta', by: 'end' } as const;
const days = ['20', '21', '22', '23', '24', '25', '26'].map((day) => `2026-10-${day}`);

const folder = mkdtempSync(join(tmpdir(), 'rgs-wallet-bench-'));
try {
  const files = writeBothSides();
  const before = cpuSeconds(process.pid);
  const period = ['--from', days[0] ?? '', '--to', days.at(-1) ?? ''];
  const args = ['reconcile', '--operator', 'casino', ...period, ...files];
  const result = spawnSync(process.execPath, ['dist/cli/main.js', ...args], { encoding: 'utf8' });
  const seconds = cpuSeconds(process.pid) - before;
  process.stdout.write(result.stdout + result.stderr);
  const each = ((seconds * 1e6) / count).toFixed(1);
  process.stdout.write(
    `${count} rounds: ${seconds.toFixed(2)} s of processor, ${each} us a round\n`,
  );
  process.exitCode = result.status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Writes events, export and map, some rounds after the other; answers the flags that name them. */
function writeBothSides(): string[] {
  const names = { events: 'events.jsonl', export: 'export.csv', map: 'map.json' } as const;
  const paths = Object.entries(names).map(([flag, name]) => [flag, join(folder, name)] as const);
  const { events = '', export: rows = '', map = '' } = Object.fromEntries(paths);
  writeFileSync(map, JSON.stringify(exportMap));
  const pieces = Math.ceil(count / mostAtOnce);
  const spanMs = (to - from) / pieces;
  for (let piece = 0; piece < pieces; piece++) {
    const first = piece * mostAtOnce;
    const begin = Math.round(from + piece * spanMs);
    const span = [begin, Math.round(begin + spanMs)] as const;
    const history = randomHistory(1 + piece, Math.min(mostAtOnce, count - first), span, first);
    const frame = piece === 0 ? [from - 48 * hourMs, to + 96 * hourMs] : [];
    appendFileSync(events, `${eventLines(history, frame).join('\n')}\n`);
    const text = exportOf(history, counting, new Set(days));
    const body = piece === 0 ? text : text.slice(text.indexOf('\n') + 1);
    appendFileSync(rows, body === '' ? '' : `${body}\n`);
  }
  return paths.flatMap(([flag, path]) => [`--${flag}`, path]);
}
