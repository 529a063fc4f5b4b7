import type { PlainReply, PlainRequest } from '../../../platform/http';
import type { FetchInit, FetchPort } from '../../../protocol/client/ports';
import type { Clock } from '../../../platform';
import { unlessAborted, withDeadline } from '../../../platform/within';
import type { LineName } from '../view/state';
import type { Pass } from './pass';

/** Sends a request to an address and reads the whole reply. */
export type Send = (url: string, request: PlainRequest, signal: AbortSignal) => Promise<PlainReply>;

/** A request without a waiting caller is given up after this long. */
const detachedMs = 30_000;

/** A `fetch` that sends through a line of the sandbox. */
export function createOutbound(
  line: LineName,
  pass: Pass,
  { send, clock }: { readonly send: Send; readonly clock: Clock },
): FetchPort {
  return async (url, init) => {
    const request = requestOf(url, init);
    const work = (plain: PlainRequest, isDetached: boolean): Promise<PlainReply> =>
      isDetached
        ? withDeadline(clock, detachedMs, (until) => send(url, plain, until))
        : send(url, plain, init.signal);
    const outcome = await unlessAborted(init.signal, pass(line, request, work));
    if (outcome.kind === 'silence') return unlessAborted(init.signal, new Promise<never>(() => {}));
    const { status, headers } = outcome.reply;
    const get = (name: string): string | null => headers[name.toLowerCase()] ?? null;
    if (outcome.kind === 'half') return { status, headers: { get }, body: halfOf(outcome.reply) };
    return { status, headers: { get }, body: null, whole: outcome.reply.body };
  };
}

function requestOf(url: string, { method, headers, body }: FetchInit): PlainRequest {
  const { host, pathname, search } = new URL(url);
  const rawHeaders = ['host', host];
  for (const [name, value] of Object.entries(headers)) rawHeaders.push(name.toLowerCase(), value);
  return { method, target: pathname + search, rawHeaders, body: Buffer.from(body ?? '', 'utf8') };
}

/** Half of the reply's bytes, then an error: the connection breaks. */
async function* halfOf({ body }: PlainReply): AsyncGenerator<Uint8Array> {
  yield body.subarray(0, body.byteLength >> 1);
  throw new Error('the connection was cut (fault)');
}
