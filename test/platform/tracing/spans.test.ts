import { describe, expect, test } from '@jest/globals';
import type { OpenTelemetrySpan, OpenTelemetryTracer } from '../../../lib/platform/tracing';
import { spansOf } from '../../../lib/platform/tracing';

const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };

/** A span of which every function throws. */
const broken: OpenTelemetrySpan = {
  spanContext: () => thrown(),
  setAttributes: () => thrown(),
  setStatus: () => thrown(),
  end: () => thrown(),
};

function thrown(): never {
  throw new Error('out of order');
}

type Run = (span: OpenTelemetrySpan) => unknown;

/** A tracer that does this with what it is given to run. */
function tracerThat(open: (run: Run) => unknown): OpenTelemetryTracer {
  return {
    startActiveSpan: (...given: unknown[]) => open(given.at(-1) as Run),
  };
}

describe('whatever a tracer does, the work is done once and answers as it would', () => {
  const later: Run[] = [];
  test.each<[string, OpenTelemetryTracer]>([
    ['throws', tracerThat(() => thrown())],
    [
      'throws after it ran the work',
      tracerThat((run) => {
        run(broken);
        throw new Error('late');
      }),
    ],
    ['does not run it', tracerThat(() => undefined)],
    ['runs it later', tracerThat((run) => void later.push(run))],
    [
      'runs it twice',
      tracerThat((run) => {
        run(broken);
        return run(broken);
      }),
    ],
    ['has a span that is out of order', tracerThat((run) => run(broken))],
    ['has no span', tracerThat((run) => run(undefined as unknown as OpenTelemetrySpan))],
    [
      'has a span with ids that are none',
      tracerThat((run) => run({ ...broken, spanContext: () => ({ ...context, traceId: '\r\n' }) })),
    ],
  ])('it %s', async (_, tracer) => {
    const spans = spansOf('test', tracer);
    let runs = 0;
    const answer = await spans?.below('a', async (span) => {
      runs += 1;
      span.note({ a: 1 });
      span.fail('b');
      expect(span.ids).toBeNull();
      expect(span.traceparent).toBeNull();
      return 'answer';
    });
    expect(answer).toBe('answer');
    for (const run of later.splice(0)) run(broken);
    expect(runs).toBe(1);
    const failing = spans?.below('a', async () => thrown());
    await expect(failing).rejects.toThrow('out of order');
  });
});

test('anything but a tracer is a TypeError that names the option', () => {
  for (const tracer of [null, {}, 'tracer', 1, () => {}]) {
    const given = tracer as unknown as OpenTelemetryTracer;
    expect(() => spansOf('createX', given)).toThrow(new TypeError(message));
  }
  expect(spansOf('createX', undefined)).toBeNull();
});

const message = 'createX: tracer must be a Tracer of @opentelemetry/api';
