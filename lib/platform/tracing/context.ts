import type {
  OpenTelemetryContext,
  OpenTelemetrySpan,
  OpenTelemetrySpanContext,
} from './opentelemetry';

/**
 * The key of the span in a context. Every copy of `@opentelemetry/api` 1 has the same, registered under
 * this name, so that several copies in one process find each other's spans.
 */
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN');

/** A context that holds a span, and nothing else. */
export function contextOf(span: Pick<OpenTelemetrySpan, 'spanContext'>): OpenTelemetryContext {
  return new Values(new Map([[spanKey, span]]));
}

/** A context that holds a span of another process. */
export function remoteContext(span: OpenTelemetrySpanContext): OpenTelemetryContext {
  const remote = Object.freeze({ ...span, isRemote: true });
  return contextOf({ spanContext: () => remote });
}

class Values implements OpenTelemetryContext {
  constructor(private readonly values: ReadonlyMap<symbol, unknown>) {}

  getValue(key: symbol): unknown {
    return this.values.get(key);
  }

  setValue(key: symbol, value: unknown): OpenTelemetryContext {
    return new Values(new Map(this.values).set(key, value));
  }

  deleteValue(key: symbol): OpenTelemetryContext {
    return new Values(new Map([...this.values].filter(([known]) => known !== key)));
  }
}
