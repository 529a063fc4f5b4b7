import { describe, expect, test } from '@jest/globals';

import { Events, eventsTo, type OperatorEvent } from '../../../lib/operator/events';

const back: OperatorEvent = { kind: 'ledgerBack' };

/** A logger of this level that keeps the texts. */
function loggerOf(least: 'info' | 'warn' | 'error', lines: string[]) {
  const order = ['info', 'warn', 'error'];
  const write = (_: object, text: string) => void lines.push(text);
  const isLevelEnabled = (level: string) => order.indexOf(level) >= order.indexOf(least);
  return { info: write, warn: write, error: write, isLevelEnabled };
}

function thrown(): never {
  throw new Error('a listener failed');
}

describe('an event', () => {
  test('reaches every listener, in their order', () => {
    const told: string[] = [];
    const listener = (name: string) => ({ on: () => void told.push(name) });
    new Events([listener('a')]).with(listener('b')).emit(back);
    expect(told).toEqual(['a', 'b']);
  });

  test('reaches the next listener if one throws, unnoticed by the sender', () => {
    const told: OperatorEvent[] = [];
    const events = new Events([{ on: thrown }, { on: (event) => void told.push(event) }]);
    events.emit(back);
    expect(told).toEqual([back]);
  });
});

describe('an event of every call is wanted', () => {
  test('by nobody without a listener, or without one that wants it', () => {
    expect(new Events([]).wants('callAnswered', 'error')).toBe(false);
    expect(eventsTo().wants('callAnswered', 'error')).toBe(false);
    const ofBalances = {
      wants: (kind: OperatorEvent['kind']) => kind === 'balanceAnswered',
      on: () => {},
    };
    expect(eventsTo().with(ofBalances).wants('callAnswered', 'error')).toBe(false);
    expect(eventsTo().with(ofBalances).wants('balanceAnswered', 'info')).toBe(true);
  });

  test('by a log at a level that includes it', () => {
    const events = eventsTo(loggerOf('warn', []));
    expect(events.wants('callAnswered', 'info')).toBe(false);
    expect(events.wants('callAnswered', 'warn')).toBe(true);
  });

  test('by a log that knows no levels, by a listener that wants all, and by one that cannot say', () => {
    const { info, warn, error } = loggerOf('info', []);
    expect(eventsTo({ info, warn, error }).wants('callAnswered', 'info')).toBe(true);
    expect(new Events([{ on: () => {} }]).wants('callAnswered', 'info')).toBe(true);
    expect(new Events([{ wants: thrown, on: () => {} }]).wants('callAnswered', 'info')).toBe(true);
  });
});

describe('the log', () => {
  test('says nothing of a sweep that found nothing to do, of a mark that stands, of an attempt that was answered', () => {
    const lines: string[] = [];
    const events = eventsTo(loggerOf('info', lines));
    const round = { operatorId: 'casino', playerId: 'ann', gameRound: 'r' };
    const attempt = { operation: 'assign', attempt: 1, durationMs: 1, willRetry: false } as const;
    events.emit({ kind: 'sweepDone', settled: 0, waiting: 2, failed: 0 });
    events.emit({ kind: 'roundMarked', round, isMarked: true });
    events.emit({ kind: 'rgsAttempt', attempt: { ...attempt, outcome: 'answered' } });
    expect(lines).toEqual([]);
    events.emit({ kind: 'sweepDone', settled: 0, waiting: 0, failed: 1 });
    events.emit({ kind: 'roundMarked', round, isMarked: false });
    events.emit({ kind: 'rgsAttempt', attempt: { ...attempt, outcome: 'failed' } });
    expect(lines).toHaveLength(3);
  });
});
