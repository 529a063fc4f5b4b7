import { createHmac } from 'node:crypto';
import {
  createGameEngineClient,
  type GameEngineClient,
  type GameEngineClientOptions,
} from '../../lib/provider';
import { createSeededRandom } from '../../lib/platform';
import { VirtualClock } from '../../lib/platform/virtual-clock';
import type { FetchInit, FetchPort } from '../../lib/protocol/client/ports';
import { type Json, RoundBook } from './round-book';

export const gameProviderId = 'studio-1';
export const secret = 'studio-secret-0123456789';

/**
 * What happens to one request. `lost`: it never arrives. `replyLost`: it is processed, and the reply lost.
 * `late`: as lost, but it arrives after two further requests. `busy`: 503, nothing was done. `broken`: 500,
 * although it was processed. `nonsense`: 200 without JSON, although it was processed.
 */
export type Fault = 'none' | 'lost' | 'replyLost' | 'late' | 'busy' | 'broken' | 'nonsense';

/** A request as it arrived at fetch. */
export interface Sent {
  readonly name: string;
  readonly body: Json;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly url: URL;
}

/** A remote game server as the specification has it, for one player, through a fetch that fails on demand. */
export class ScriptedRgs {
  readonly clock = new VirtualClock();
  readonly book = new RoundBook();
  readonly sent: Sent[] = [];
  /** For the requests to come, in order; then nothing fails. */
  faults: Fault[] = [];
  /** Answers in place of the book, by the name of the call; each is used once. */
  readonly answers = new Map<string, (readonly [status: number, json: unknown])[]>();
  readonly #late: { readonly after: number; readonly sent: Sent }[] = [];

  /** A client of this server, on virtual time. */
  client(options: Partial<GameEngineClientOptions> = {}): GameEngineClient {
    return createGameEngineClient({
      baseUrl: 'https://rgs.example/gameapi/v2',
      gameProviderId,
      secret,
      clock: this.clock,
      random: createSeededRandom(7),
      fetch: this.fetch,
      ...options,
    });
  }

  /** Runs work to its end, as time passes. */
  run<T>(work: Promise<T>): Promise<T> {
    return this.clock.run(work);
  }

  /** The error of work that fails. */
  async failure(work: Promise<unknown>): Promise<Error & Record<string, unknown>> {
    return this.run(
      work.then(
        (value) => {
          throw new Error('it did not fail', { cause: value });
        },
        (error: unknown) => error as Error & Record<string, unknown>,
      ),
    );
  }

  /** Names of the calls that were sent. */
  get names(): readonly string[] {
    return this.sent.map(({ name }) => name);
  }

  /** All that is late arrives. */
  arrive(): void {
    for (const { sent } of this.#late.splice(0)) this.book.answer(sent.name, sent.body);
  }

  readonly fetch: FetchPort = async (url, init) => {
    const sent = readSent(url, init);
    this.sent.push(sent);
    const due = this.#late.filter(({ after }) => after < this.sent.length);
    for (const late of due) {
      this.#late.splice(this.#late.indexOf(late), 1);
      this.book.answer(late.sent.name, late.sent.body);
    }
    const fault = this.faults.shift() ?? 'none';
    if (fault === 'late') this.#late.push({ after: this.sent.length + 2, sent });
    if (fault === 'lost' || fault === 'late') throw disconnected();
    if (fault === 'busy') return reply(503, { errorCode: { id: 9110, msg: 'busy' } });
    const [status, json] = this.#answer(sent);
    if (fault === 'replyLost') throw disconnected();
    if (fault === 'broken') return reply(500, { errorCode: { id: 9000, msg: 'broken' } });
    if (fault === 'nonsense') return new Response('<html>', { status: 200 });
    return reply(status, json);
  };

  #answer({ name, body, headers, text }: Sent): readonly [number, unknown] {
    const signed = `${text}#${headers['X-H-TIMESTAMP']}`;
    const signature = createHmac('sha256', secret).update(signed).digest('base64');
    if (headers['X-H-AUTH-SIG'] !== signature) return [401, { errorCode: { id: 1001 } }];
    const scripted = this.answers.get(name)?.shift();
    return scripted ?? this.book.answer(name, body);
  }
}

function readSent(url: string, { body = '', headers }: FetchInit): Sent {
  const address = new URL(url);
  const name = address.pathname.replace('/gameapi/v2/', '');
  const json = body === '' ? {} : (JSON.parse(body) as Json);
  return { name, body: json, text: body, headers, url: address };
}

function reply(status: number, json: unknown): Response {
  return new Response(JSON.stringify(json), { status, headers: { 'x-h-error-id': 'ref-1' } });
}

function disconnected(): Error {
  const cause = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}
