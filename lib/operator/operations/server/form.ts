import type { IncomingMessage } from 'node:http';
import { readBytes } from '../../../platform/http';
import { RequestFault } from '../view';

/** Bytes of a form: a reason of 500 characters, each of which may take 12. */
const maxFormBytes = 16_384;

/**
 * The fields of a posted form. Takes what a body parser in front of the router has made of it as well.
 * @throws RequestFault 415 for another content type; BodyRefusedError, BodyConsumedError.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new RequestFault(415, 'A form must be sent as application/x-www-form-urlencoded.');
  }
  const { body } = request as { body?: unknown };
  if (isParsed(body)) return new URLSearchParams(textFields(body));
  const bytes = await readBytes(request, maxFormBytes);
  return new URLSearchParams(Buffer.from(bytes).toString('utf8'));
}

function isParsed(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
}

/** The text fields of a parsed body. Parsers turn some names into lists and objects; our forms have none. */
function textFields(body: object): [string, string][] {
  return Object.entries(body).filter((field): field is [string, string] => {
    return typeof field[1] === 'string';
  });
}
