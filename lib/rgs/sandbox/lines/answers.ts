import type { PlainReply } from '../../../platform/http';
import { engineErrors, EngineRefusedError } from '../../../protocol/engine-api/errors';
import { writeError } from '../../../protocol/engine-api/write-reply';
import { writeJson } from '../../../protocol/json/write';
import type { LineName } from '../view/state';

/** The reply that is sent instead of the request, which does not arrive. */
export function answerInstead(line: LineName, status: 503 | 429, reference: string): PlainReply {
  const retryAfter: Record<string, string> = status === 429 ? { 'retry-after': '1' } : {};
  const isOurs = line === 'provider-rgs' || line === 'operator-rgs';
  if (!isOurs) {
    const text = status === 503 ? 'Service Unavailable\n' : 'Too Many Requests\n';
    return replyOf(status, 'text/plain; charset=utf-8', text, retryAfter);
  }
  // E3: 9110 says that nothing was done, 9107 is the fault of that name.
  const { id, msg, clientmsg } =
    engineErrors[status === 503 ? 'OPERATIONBEINGPROCESSED' : 'RATELIMITEXCEEDED'];
  const text = writeJson({ errorCode: { id, msg: `${msg} (fault)`, clientmsg } });
  return replyOf(status, 'application/json; charset=utf-8', text, {
    ...retryAfter,
    'x-h-error-id': reference,
  });
}

/** The refusal of a body that is too large for the line, as the service refuses one (E2.4, E3.1). */
export function tooLarge(reference: string): PlainReply {
  const { errorObject } = new EngineRefusedError(
    'INVALIDPARAMETER',
    'E2.4',
    413,
    'too large a body',
  );
  return replyOf(413, 'application/json; charset=utf-8', writeError(errorObject), {
    'x-h-error-id': reference,
  });
}

/** 200 with HTML, as from a proxy or a maintenance page. */
export function nonsense(): PlainReply {
  const text = '<!doctype html><html><title>Welcome</title><h1>It works!</h1></html>\n';
  return replyOf(200, 'text/html; charset=utf-8', text);
}

function replyOf(
  status: number,
  contentType: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): PlainReply {
  const body = Buffer.from(text, 'utf8');
  const own = { 'content-type': contentType, 'content-length': String(body.byteLength) };
  return { status, headers: { ...own, ...headers }, body };
}
