import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { SignedRequest } from '../../../lib/proof';
import type { ReplyBody, ServiceReply } from '../../rgs/load/call';

/** Sends a request to a listener without a connection; resolves to what it answers. */
export function callInProcess(
  listener: RequestListener,
  { method, path, headers, body = '' }: SignedRequest,
): Promise<Extract<ServiceReply, { kind: 'answered' }>> {
  const bytes = Buffer.from(body);
  const request = Object.assign(new IncomingMessage(new Socket()), {
    method,
    url: path,
    complete: true,
    // As a body parser before the router leaves it.
    rawBody: bytes,
  });
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    request.headers[key] = value;
    request.headersDistinct[key] = [value];
  }
  return new Promise((resolve) => {
    const response = new ServerResponse(request);
    response.end = ((text: string) => {
      const answer = JSON.parse(text) as ReplyBody;
      resolve({ kind: 'answered', status: response.statusCode, body: answer });
      return response;
    }) as typeof response.end;
    listener(request, response);
  });
}
