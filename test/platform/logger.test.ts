import { describe, expect, test } from '@jest/globals';
import type { Logger } from '../../lib/platform';
import { safeLogger } from '../../lib/platform/logger';
import { unhandledIn } from '../support/unhandled';
import { full, fullLogs } from './full-logger';

const methods = ['debug', 'info', 'warn', 'error'] as const;

describe.each(fullLogs)('a logger whose functions %s', (_, logger) => {
  test('fails nobody and ends no process, and its levels count as enabled', async () => {
    const safe = safeLogger(logger);
    const unhandled = await unhandledIn(() => {
      for (const method of methods) safe[method]?.({}, 'a line');
      expect(safe.isLevelEnabled?.('info')).toBe(true);
    });
    expect(unhandled).toEqual([]);
  });
});

test('a logger keeps its this, and gains no function that it does not have', () => {
  const lines: unknown[] = [];
  class Own implements Logger {
    readonly #lines = lines;
    info(...line: unknown[]): void {
      this.#lines.push(line);
    }
    warn(): void {}
    error(): never {
      throw full;
    }
  }
  const safe = safeLogger(new Own());
  safe.info({ a: 1 }, 'first');
  safe.error({ a: 2 }, 'second');
  expect(lines).toEqual([[{ a: 1 }, 'first']]);
  expect(Object.keys(safe)).toEqual(['info', 'warn', 'error']);
});
