import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  OpenTelemetryContext,
  OpenTelemetrySpan,
  OpenTelemetryTracer,
  OpenTelemetrySpanContext,
} from './opentelemetry';
import { noSpan, Span, type TraceIds, readTraceparent } from './span';
import { changeLines, type Logger } from '../logger';

/** Where the parent of a call's span comes from. */
const spanParents = ['traceparent', 'active'] as const;

/** One of `spanParents`. */
export type SpanParent = (typeof spanParents)[number];

/** `SpanKind` of `@opentelemetry/api`. */
const kinds = { internal: 0, server: 1, client: 2 } as const;

/** The span in which this work is done. Of every tracer: the ledger's spans are below those of the router. */
const current = new AsyncLocalStorage<{
  readonly span: Span;
  readonly context: OpenTelemetryContext;
}>();

/** The ids of the span in which this work is done; null if there is none. */
function currentIds(): TraceIds | null {
  return current.getStore()?.span.ids ?? null;
}

/** Opens spans around work. */
export class Spans {
  constructor(
    private readonly tracer: OpenTelemetryTracer,
    private readonly parent: SpanParent = 'traceparent',
  ) {}

  /**
   * Does the work of a verified request in its own span, below that which the header names, or the
   * active one; a header that is wrong begins a new trace.
   */
  serve<T>(name: string, header: unknown, work: (span: Span) => Promise<T>): Promise<T> {
    const remote = this.parent === 'active' ? null : readTraceparent(header);
    const context = remote === null ? null : remoteContext(remote);
    return this.open(name, kinds.server, context, work);
  }

  /** Does work in a span below the current one. */
  below<T>(name: string, work: (span: Span) => Promise<T>): Promise<T> {
    return this.open(name, kinds.internal, current.getStore()?.context ?? null, work);
  }

  /** Makes a call to another party in a span below the current one. */
  call<T>(name: string, work: (span: Span) => Promise<T>): Promise<T> {
    return this.open(name, kinds.client, current.getStore()?.context ?? null, work);
  }

  /** The work is done once, whatever the tracer does, and its answer is that of the work. */
  private open<T>(
    name: string,
    kind: number,
    context: OpenTelemetryContext | null,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    let done: Promise<T> | null = null;
    const run = (span: OpenTelemetrySpan): Promise<T> => {
      done ??= follow(span, work);
      return done;
    };
    const options = { kind, attributes: {} };
    try {
      if (context === null) this.tracer.startActiveSpan(name, options, run);
      else this.tracer.startActiveSpan(name, options, context, run);
    } catch {
      // What the tracer throws is ignored.
    }
    done ??= work(noSpan);
    return done;
  }
}

/** Does work in a span, and ends it. */
async function follow<T>(opened: OpenTelemetrySpan, work: (span: Span) => Promise<T>): Promise<T> {
  const span = new Span(opened);
  try {
    return await current.run({ span, context: contextOf(opened) }, () => work(span));
  } catch (error) {
    span.fail('failed');
    throw error;
  } finally {
    span.end();
  }
}

/**
 * The spans of an option `tracer`; null if it is not set.
 * @throws TypeError for anything but a tracer.
 */
export function spansOf(
  place: string,
  tracer: OpenTelemetryTracer | undefined,
  parent?: SpanParent,
): Spans | null {
  if (tracer === undefined) return null;
  const { startActiveSpan } = Object(tracer) as { readonly startActiveSpan?: unknown };
  if (typeof startActiveSpan === 'function') return new Spans(tracer, parent);
  throw new TypeError(`${place}: tracer must be a Tracer of @opentelemetry/api`);
}

/** The same logger, whose lines have `trace_id` and `span_id` of the span in which they are written. */
export function withTraceIds(logger: Logger): Logger {
  return changeLines(logger, (fields) => {
    const ids = currentIds();
    return ids === null ? fields : { ...fields, ...ids };
  });
}

/**
 * The key of the span in a context. Every copy of `@opentelemetry/api` 1 has the same, registered under
 * this name, so that several copies in one process find each other's spans.
 */
const spanKey = Symbol.for('OpenTelemetry Context Key SPAN');

/** A context that holds a span, and nothing else. */
function contextOf(span: Pick<OpenTelemetrySpan, 'spanContext'>): OpenTelemetryContext {
  return new Values(new Map([[spanKey, span]]));
}

/** A context that holds a span of another process. */
function remoteContext(span: OpenTelemetrySpanContext): OpenTelemetryContext {
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
