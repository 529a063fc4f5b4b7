import type { Clock } from '../../../platform';
import type { PlainReply, PlainRequest } from '../../../platform/http';
import type { Secret } from '../../../protocol/signature';
import type { BodyView, WireCall, WireView } from '../view/wire';
import type { FaultKind, LineName } from '../view/state';
import { bodyView, describe, type Described, roundInReply } from './request';
import { maskBytes, maskPath, maskText } from './mask';

/** A call that is recorded: its reply, or its end without one. */
export interface OpenCall {
  readonly n: number;
  replied(reply: PlainReply): void;
  lost(): void;
}

/** What the HTTP layer says of a call once it has checked it. */
interface Checked {
  /** Null if it is known already. */
  readonly verdict: WireCall['verdict'] | null;
  readonly explanation: string | null;
}

/** What follows the end of a call. Null if the record has dropped the call meanwhile. */
export type WhenEnded = (ended: WireCall | null) => void;

/** A stored call, raw; parsed and masked on read. */
interface Kept {
  readonly n: number;
  readonly at: number;
  readonly startedAt: number;
  readonly line: LineName;
  readonly request: KeptRequest;
  readonly cause: number | null;
  readonly fault: FaultKind | null;
  reply: KeptReply | null;
  state: WireCall['state'];
  ms: number | null;
  /** Null until a check has set it. */
  verdict: WireCall['verdict'] | null;
  explanation: string | null;
  /** Of the request, or else of the reply; undefined until it is read. */
  round: string | null | undefined;
}

/** Bytes are kept as text of one character each: a small Buffer keeps alive the 8 KiB that it was cut from. */
type KeptBytes = string;
type KeptRequest = Omit<PlainRequest, 'body'> & { readonly body: KeptBytes };
type KeptReply = Omit<PlainReply, 'body'> & { readonly body: KeptBytes };

/** Calls in one view. */
const maxInView = 500;

/** Bytes of bodies that are kept unless the options say otherwise. */
const usualBytes = 64 * 1024 * 1024;

/** Options of {@link Wire}. */
interface WireOptions {
  readonly clock: Clock;
  /** How many calls are kept. */
  readonly keep: number;
  /** How many bytes of bodies are kept: a caller of a line could fill the memory. */
  readonly keepBytes?: number;
  /** No text that holds one is shown. */
  readonly secrets: readonly Secret[];
}

/** The latest calls on all four lines. */
export class Wire {
  readonly #kept = new Map<number, Kept>();
  readonly #atFault: ((call: WireCall) => WhenEnded)[] = [];
  readonly #atEnd: ((call: WireCall) => void)[] = [];
  readonly #viewOf: (call: Kept) => WireCall;
  #latest = 0;
  #oldest = 1;
  #bytes = 0;

  constructor(private readonly options: WireOptions) {
    this.#viewOf = viewerFor(options.secrets);
  }

  /** The number of the latest call. */
  get latest(): number {
    return this.#latest;
  }

  /** Records a request. */
  open(
    { line }: Described,
    request: PlainRequest,
    about: { readonly cause: number | null; readonly fault: FaultKind | null },
  ): OpenCall {
    const { clock } = this.options;
    const call: Kept = {
      n: ++this.#latest,
      at: clock.now(),
      startedAt: clock.monotonicMs(),
      line,
      request: { ...request, body: keptBytes(request.body) },
      ...about,
      reply: null,
      state: 'underway',
      ms: null,
      verdict: null,
      explanation: null,
      round: undefined,
    };
    this.#kept.set(call.n, call);
    this.#bytes += bytesOf(call);
    this.#makeRoom();
    const listeners = about.fault === null ? [] : this.#atFault;
    const whenEnded = listeners.map((listener) => listener(this.#viewOf(call)));
    return {
      n: call.n,
      replied: (reply) => this.#end(call, whenEnded, reply),
      lost: () => this.#end(call, whenEnded, null),
    };
  }

  /** Adds what a check found out about a call. */
  checked(n: number, { verdict, explanation }: Checked): void {
    const call = this.#kept.get(n);
    if (call === undefined) return;
    if (verdict !== null) call.verdict = verdict;
    if (explanation !== null) call.explanation = explanation;
  }

  /** The calls after this number, oldest first, at most 500. */
  since(from: number): WireView {
    const calls: WireCall[] = [];
    const first = Math.max(this.#oldest, from + 1);
    for (let n = first; n <= this.#latest && calls.length < maxInView; n++) {
      const call = this.#kept.get(n);
      if (call !== undefined) calls.push(this.#viewOf(call));
    }
    return { latest: this.#latest, oldest: this.#oldest, calls };
  }

  /** The calls about a round, and those that they made, oldest first. */
  about(round: string): readonly WireCall[] {
    const named = new Set<number>();
    for (const call of this.#kept.values()) if (roundOf(call) === round) named.add(call.n);
    // In the order of their numbers.
    return [...this.#kept.values()]
      .filter(({ n, cause }) => named.has(n) || (cause !== null && named.has(cause)))
      .map(this.#viewOf);
  }

  /** Called with a call that has a fault as it goes out; what it returns is called once the call has ended. */
  onFault(listener: (call: WireCall) => WhenEnded): void {
    this.#atFault.push(listener);
  }

  /** Called with a call once it has ended. A listener has every call read and masked, which nobody else needs. */
  onEnd(listener: (call: WireCall) => void): void {
    this.#atEnd.push(listener);
  }

  /** Nobody learns of the end of a call that was dropped. */
  #end(call: Kept, whenEnded: readonly WhenEnded[], reply: PlainReply | null): void {
    const isKept = this.#kept.has(call.n);
    call.state = reply === null ? 'lost' : 'done';
    call.ms = this.options.clock.monotonicMs() - call.startedAt;
    if (isKept && reply !== null) {
      call.reply = { ...reply, body: keptBytes(reply.body) };
      this.#bytes += reply.body.byteLength;
      this.#makeRoom();
    }
    if (whenEnded.length === 0 && (this.#atEnd.length === 0 || !isKept)) return;
    const ended = isKept ? this.#viewOf(call) : null;
    for (const follow of whenEnded) follow(ended);
    if (ended !== null) for (const listener of this.#atEnd) listener(ended);
  }

  #makeRoom(): void {
    const { keep, keepBytes = usualBytes } = this.options;
    while (this.#kept.size > keep || (this.#bytes > keepBytes && this.#kept.size > 1)) {
      const gone = this.#kept.get(this.#oldest);
      if (gone !== undefined) this.#bytes -= bytesOf(gone);
      this.#kept.delete(this.#oldest++);
    }
  }
}

function keptBytes(body: Uint8Array): KeptBytes {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
}

function bytesIn(body: KeptBytes): Buffer {
  return Buffer.from(body, 'latin1');
}

function describedOf({ line, request }: Kept): Described {
  return describe(line, { ...request, body: bytesIn(request.body) });
}

/** The round that a call names; else the one of its reply; null if there is none. */
function roundOf(call: Kept): string | null {
  if (call.round !== undefined) return call.round;
  const named = describedOf(call).round;
  const round =
    named === null && call.reply !== null ? roundInReply(bytesIn(call.reply.body)) : named;
  // The reply may still come.
  if (round !== null || call.state !== 'underway') call.round = round;
  return round;
}

/** How calls are shown: nothing of a token or a secret. */
function viewerFor(secrets: readonly Secret[]): (call: Kept) => WireCall {
  const mask = (text: string): string => maskText(text, secrets);
  const maskOrNull = (text: string | null): string | null => (text === null ? null : mask(text));
  const maskAll = (headers: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]));
  const body = (content: KeptBytes): BodyView => {
    const view = bodyView(bytesIn(content));
    const { encoding, text } = view;
    return { ...view, text: encoding === 'utf8' ? mask(text) : maskBytes(text, secrets) };
  };
  return (call) => {
    const { n, at, line, request, cause, fault, reply, state, ms, verdict, explanation } = call;
    const described = describedOf(call);
    const { signed } = described;
    return {
      n,
      at: new Date(at).toISOString(),
      line,
      call: mask(described.call),
      round: maskOrNull(roundOf(call)),
      method: request.method,
      path: maskPath(mask(request.target)),
      headers: maskAll(described.headers),
      body: body(request.body),
      status: reply?.status ?? null,
      replyHeaders: reply === null ? {} : maskAll(reply.headers),
      replyBody: reply === null ? null : body(reply.body),
      ms,
      signed: maskOrNull(signed),
      verdict: verdict ?? firstVerdict(line, signed),
      explanation: maskOrNull(explanation),
      cause,
      fault,
      state,
    };
  };
}

function firstVerdict(line: LineName, signed: string | null): WireCall['verdict'] {
  if (line === 'rgs-wallet' || line === 'rgs-provider') return 'sent';
  return signed === null ? 'unsigned' : 'unchecked';
}

function bytesOf({ request, reply }: Kept): number {
  return request.body.length + (reply?.body.length ?? 0);
}
