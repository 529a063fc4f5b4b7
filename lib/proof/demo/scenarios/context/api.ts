import type { PlainReply } from '../../../../platform/http';
import { fetchWhole } from '../../../../platform/http/fetch-whole';
import type { Clock } from '../../../../platform';
import { withDeadline } from '../../../../platform/within';
import { parseJson } from '../../../../protocol/json/parse';
import type { BooksView } from '../../../../rgs/sandbox/view/books';
import type { FaultRequest, ResolveRequest, StateView } from '../../../../rgs/sandbox/view/state';
import type { FindingsView, TimelineView, WireView } from '../../../../rgs/sandbox/view/wire';

/** The API of a sandbox under /sandbox (F). Every method throws a {@link SandboxApiError} if it is refused. */
export interface SandboxApi {
  state(): Promise<StateView>;
  wire(since: number): Promise<WireView>;
  books(): Promise<BooksView>;
  findings(): Promise<FindingsView>;
  /** Empty for a round that the sandbox keeps nothing of: its call may be lost, or in flight. */
  timeline(gameRound: string): Promise<TimelineView>;
  fault(fault: FaultRequest): Promise<void>;
  clearFaults(): Promise<void>;
  /** Moves the service's clock on; resolves when what fell due is done. */
  advance(ms: number): Promise<void>;
  janitor(): Promise<void>;
  /** The service dies and starts again from its journal. */
  kill(): Promise<void>;
  resolve(request: ResolveRequest): Promise<void>;
}

/** The sandbox refused a call of its API, or is not one. */
export class SandboxApiError extends Error {
  override readonly name = 'SandboxApiError';

  constructor(
    message: string,
    /** Of HTTP. */
    readonly status: number,
  ) {
    super(message);
  }
}

const timeoutMs = 60_000;

/**
 * A client of the API under /sandbox.
 * @param url Of the sandbox, such as `http://127.0.0.1:8090`.
 */
export function createSandboxApi(url: string, clock: Clock): SandboxApi {
  const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const rawHeaders = body === undefined ? [] : ['content-type', 'application/json'];
    const text = body === undefined ? '' : JSON.stringify(body);
    const request = { method, target: '', rawHeaders, body: Buffer.from(text) };
    const reply = await withDeadline(clock, timeoutMs, (until) => {
      return fetchWhole(`${url}/sandbox/${path}`, request, until);
    });
    return valueOf(reply, `${method} /sandbox/${path}`);
  };
  const get = async <T>(path: string): Promise<T> => (await send('GET', path)) as T;
  const post = async (path: string, body: object): Promise<void> => {
    await send('POST', path, body);
  };
  return {
    state: () => get<StateView>('state'),
    wire: (since) => get<WireView>(`wire?since=${since}`),
    books: () => get<BooksView>('books'),
    findings: () => get<FindingsView>('findings'),
    async timeline(gameRound) {
      try {
        return await get<TimelineView>(`round?id=${encodeURIComponent(gameRound)}`);
      } catch (error) {
        if (!(error instanceof SandboxApiError) || error.status !== 404) throw error;
        return { round: null, steps: [] };
      }
    },
    fault: (fault) => post('faults', fault),
    clearFaults: async () => {
      await send('DELETE', 'faults');
    },
    advance: (advanceMs) => post('clock', { advanceMs }),
    janitor: () => post('janitor', {}),
    kill: () => post('kill', {}),
    resolve: (request) => post('resolve', request),
  };
}

function valueOf({ status, body }: PlainReply, what: string): unknown {
  const text = body.toString('utf8');
  if (status !== 200) throw new SandboxApiError(`${what} was answered ${status}: ${text}`, status);
  return parseJson(text).value;
}
