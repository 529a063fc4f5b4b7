import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type HeapTimer, TimerHeap } from '../../lib/platform/virtual-clock';

/** Adds a timer so many milliseconds on, takes the first out, or takes out the n-th that was added. */
const act = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), value: fc.nat(20) }),
  fc.record({ kind: fc.constant('first' as const), value: fc.constant(0) }),
  fc.record({ kind: fc.constant('remove' as const), value: fc.nat(30) }),
);

describe('timers', () => {
  test('the first is the one that falls due first; of those that fall due together, the one set first', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 80 }), (acts) => {
        const heap = new TimerHeap();
        const added: HeapTimer[] = [];
        let left: HeapTimer[] = [];
        for (const { kind, value } of acts) {
          if (kind === 'add') {
            const timer = heap.add(value, () => {});
            added.push(timer);
            left.push(timer);
          } else {
            const timer = kind === 'first' ? heap.first : added[value];
            if (timer !== undefined) heap.remove(timer);
            left = left.filter((one) => one !== timer);
          }
          const [first] = left.toSorted(
            (one, other) => one.dueAt - other.dueAt || one.order - other.order,
          );
          expect(heap.first).toBe(first);
          expect(heap.size).toBe(left.length);
        }
      }),
      { numRuns: 150 },
    );
  });
});
