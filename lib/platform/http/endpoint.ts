import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Span, type Spans, traceparentHeader } from '../tracing';
import { hasUnreadBody } from './read-body';
import { canAnswer, type JsonAnswer, ReplyLostError, sendJson, sendOrCut } from './send-json';

/** An empty body. */
export const noBody: Uint8Array = Buffer.alloc(0);

/** One call from its request to its reply: each step adds what it has found. */
export class ServedCall<M> {
  /** Who calls; empty until that is verified, and for a call that nobody signs. */
  callerId = '';
  /** The body as received, until the call is read; empty if there is none. */
  body: Uint8Array = noBody;
  /** What is asked, once verified and read: an error before that is a refusal, one after it leaves the outcome unknown (D7). */
  message: M | null = null;
  span: Span | null = null;
  /** HTTP status of the answer that was sent, by whomever; of ours if the caller was gone. */
  status = 200;

  /** @param startedAt When it arrived, by the monotonic clock. */
  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly startedAt: number,
  ) {}
}

/** How one call of an API is served: receive, verify, read, work, reply. Each of these steps may throw. */
export abstract class Endpoint<C extends ServedCall<M>, M> {
  /** Opens a span for each call that is verified; null without a tracer. */
  protected readonly spans: Spans | null = null;
  protected readonly spanName: string = '';

  protected abstract begin(request: IncomingMessage, response: ServerResponse): C;
  /** The body; nothing unless a call has one. */
  protected receive(_call: C): Uint8Array | Promise<Uint8Array> {
    return noBody;
  }
  /** Who calls. */
  protected abstract verify(call: C): void;
  /** What is asked. */
  protected abstract read(call: C): M;
  protected abstract work(call: C, message: M): Promise<void>;
  /** The answer to what the work has found. */
  protected abstract reply(call: C, message: M): JsonAnswer;
  /** The answer to an error of any step before, or to a reply that could not be sent. */
  protected abstract fail(call: C, error: unknown): JsonAnswer;
  /** Reports the answer: called last, and once for each call. */
  protected abstract report(call: C): void;

  /**
   * Serves a call.
   * @param refusal What it is answered with at once, such as an error for its method.
   */
  async handle(
    request: IncomingMessage,
    response: ServerResponse,
    refusal: Error | null = null,
  ): Promise<void> {
    const { spans } = this;
    try {
      const call = this.begin(request, response);
      try {
        if (refusal !== null) throw refusal;
        const body = this.receive(call);
        call.body = body instanceof Promise ? await body : body;
        this.verify(call);
        // Not by `answer`: a promise more costs every call.
        if (spans === null) {
          const message = this.begun(call);
          await this.work(call, message);
          this.send(call, message);
        }
      } catch (error) {
        return this.end(call, error);
      }
      if (spans === null) return this.report(call);
      await spans.serve(this.spanName, request.headers[traceparentHeader], (span) => {
        call.span = span;
        return this.answer(call);
      });
    } catch (error) {
      if (!response.writableEnded) response.destroy();
      throw error;
    }
  }

  /** What `handle` does without spans. */
  private async answer(call: C): Promise<void> {
    try {
      const message = this.begun(call);
      await this.work(call, message);
      this.send(call, message);
    } catch (error) {
      return this.end(call, error);
    }
    this.report(call);
  }

  private begun(call: C): M {
    const message = this.read(call);
    call.message = message;
    // The work may take long, and a body be large.
    call.body = noBody;
    return message;
  }

  private send(call: C, message: M): void {
    const { response } = call;
    const answer = this.reply(call, message);
    if (!canAnswer(response)) throw new ReplyLostError(response);
    sendJson(response, answer);
    call.status = answer.status;
  }

  private end(call: C, error: unknown): void {
    const { request, response } = call;
    const { status, text } = this.fail(call, error);
    sendOrCut(response, { status, text, close: hasUnreadBody(request) });
    call.status = response.writableEnded ? response.statusCode : status;
    this.report(call);
  }
}
