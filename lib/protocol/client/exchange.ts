import { escapeControls } from '../identifiers';
import { type JsonDocument, JsonSyntaxError, parseJson } from '../json/parse';
import { MessageFault } from '../json/documents';
import { type NamedError, readErrorObject } from './error-object';
import { InvalidReplyError, ServiceError, SignatureRefusedError } from './errors';
import type { Outgoing } from './outgoing';
import { type Attempt, type Received, send } from './send';
import type { ClientSettings } from './connection';

/** Builds the result of the call from a reply. @throws MessageFault if the reply is not valid. */
export type ReplyReader<T> = (document: JsonDocument, text: string) => T;

/** A 2xx answer without an error object, read. */
export interface Answer<T> {
  readonly status: number;
  readonly reply: T;
}

const longestMsg = 500;
const signatureWrong = 1001;

/**
 * One attempt: signs, sends, reads the whole reply and checks it.
 * @throws RgsClientError, except for time-out and abort: then the reason of the signal.
 */
export async function exchange<T>(
  settings: ClientSettings,
  outgoing: Outgoing,
  read: ReplyReader<T>,
  attempt: Attempt,
): Promise<Answer<T>> {
  const { received, isSecret } = await send(settings, outgoing, attempt);
  const { status, errorReference } = received;
  const { call } = attempt;
  const withhold = (shown: string): string =>
    isSecret(shown) ? '[withheld]' : shown.slice(0, longestMsg);
  const isSuccess = status >= 200 && status < 300;
  const refuse = (error: NamedError): Error => {
    const { serviceCode } = error;
    if (status !== 401 && error.id !== signatureWrong) {
      return new ServiceError(call, status, error, { errorReference, serviceCode });
    }
    const { idName } = settings;
    return new SignatureRefusedError(call, status, error.id, {
      errorReference,
      serviceCode,
      idName,
    });
  };
  try {
    const said = textOf(received, settings.maxReplyBytes);
    const text = said === '' && isSuccess && outgoing.mayBeEmpty ? 'null' : said;
    const document = parse(text);
    const error = readErrorObject(document.value, settings.errors, isSuccess, withhold);
    if (error !== null || !isSuccess) throw refuse(error ?? noErrorObject);
    return { status, reply: read(document, text) };
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    if (!isSuccess) throw refuse(noErrorObject);
    throw new InvalidReplyError(
      call,
      status,
      escapeControls(withhold(error.pointer)),
      error.problem,
      { errorReference },
    );
  }
}

const noErrorObject: NamedError = Object.freeze({
  id: null,
  msg: null,
  clientmsg: null,
  serviceCode: null,
});

/**
 * A reply as strict JSON, and its text.
 * @throws MessageFault if it is too long, not UTF-8 or not JSON.
 */
export function documentOf(
  received: Received,
  maxBytes: number,
): { readonly document: JsonDocument; readonly text: string } {
  const text = textOf(received, maxBytes);
  return { document: parse(text), text };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf({ bytes }: Received, maxBytes: number): string {
  if (bytes === null) throw new MessageFault('', `is longer than ${maxBytes} bytes`);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new MessageFault('', 'is not UTF-8');
  }
}

function parse(text: string): JsonDocument {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new MessageFault('', 'is not JSON that the protocol allows');
  }
}
