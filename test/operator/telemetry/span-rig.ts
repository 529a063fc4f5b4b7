import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, ROOT_CONTEXT, type Tracer } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** A tracer of the SDK of OpenTelemetry, and what it exported. */
export interface SpanRig {
  readonly tracer: Tracer;
  /** Every span that has ended, in the order of the ends. */
  spans(): Promise<readonly ReadableSpan[]>;
  /** The same, as `name < name of the parent`, or `name < ?` where that is none of them. */
  tree(): Promise<string[]>;
  close(): Promise<void>;
}

/** Makes a tracer that keeps its spans in memory. */
export function createSpanRig(): SpanRig {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  const provider = new BasicTracerProvider({ spanProcessors });
  const spans = async (): Promise<readonly ReadableSpan[]> => {
    await provider.forceFlush();
    return exporter.getFinishedSpans();
  };
  return {
    tracer: provider.getTracer('wallet'),
    spans,
    tree: async () => {
      const all = await spans();
      return all.map((span) => {
        const parent = parentOf(span, all);
        if (span.parentSpanContext === undefined) return span.name;
        return `${span.name} < ${parent?.name ?? '?'}`;
      });
    },
    close: () => provider.shutdown(),
  };
}

/** The parent of a span, if it is one of these. */
export function parentOf(span: ReadableSpan, all: readonly ReadableSpan[]): ReadableSpan | null {
  const id = span.parentSpanContext?.spanId;
  return all.find((other) => other.spanContext().spanId === id) ?? null;
}

/** As the package `@opentelemetry/context-async-hooks` has it. */
export class AsyncContexts implements ContextManager {
  private readonly storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.storage.getStore() ?? ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    work: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.storage.run(context, () => Reflect.apply(work, thisArg, args));
  }

  bind<T>(_: Context, target: T): T {
    return target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.storage.disable();
    return this;
  }
}
