import type { Exchange } from '../client';
import type { Step } from '../talk/case';

/** Most steps of a case that are kept, and most bytes of their bodies. */
const [mostSteps, mostBytes] = [20, 256 * 1024];

/** What a case did, as it went: calls in the order of their answers. */
export class CaseSteps {
  #steps: Step[] = [];
  #dropped = 0;
  #bytes = 0;

  /** Forgets the case before. */
  begin(): void {
    this.#steps = [];
    this.#dropped = 0;
    this.#bytes = 0;
  }

  add(step: Step): void {
    this.#steps.push(step);
    this.#bytes += bytesOf(step);
    // One more is kept, for the call that shows the failure; that one whatever its size.
    while (this.#steps.length > mostSteps + 1 || this.#isLarge()) {
      const [first] = this.#steps.splice(0, 1);
      if (first === undefined) return;
      this.#bytes -= bytesOf(first);
      this.#dropped += 1;
    }
  }

  /** The last call; null before the first one. */
  last(): Exchange | null {
    return this.#steps.findLast((step) => typeof step !== 'string') ?? null;
  }

  /** What came before this call; all if the case did not make it. */
  before(exchange: Exchange): Step[] {
    const at = this.#steps.indexOf(exchange);
    const steps = at < 0 ? this.#steps : this.#steps.slice(0, at);
    if (this.#dropped === 0) return [...steps];
    const dropped = this.#dropped === 1 ? '1 earlier step' : `${this.#dropped} earlier steps`;
    return [`${dropped} not kept`, ...steps];
  }

  #isLarge(): boolean {
    return this.#bytes > mostBytes && this.#steps.length > 1;
  }
}

function bytesOf(step: Step): number {
  if (typeof step === 'string') return step.length;
  const { request, reply } = step;
  const answered = reply.kind === 'reply' ? reply.body.byteLength : 0;
  return (request.body?.byteLength ?? 0) + request.path.length + answered;
}
