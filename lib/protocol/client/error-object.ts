import { escapeControls } from '../identifiers';
import { isJsonObject, type JsonValue } from '../json/parse';
import { MessageFault } from '../json/documents';
import type { ServiceErrorObject } from './errors';

/** How a client reads the error objects of replies. */
export interface ErrorReading {
  /**
   * Whether a reply other than 2xx may also hold `{error: {id | code, message}}`, `{id, msg}` or
   * `{code, message}`; otherwise `{errorCode: {id, msg, clientmsg}}` alone.
   */
  readonly isLenient: boolean;
  /** The codes of the API's catalogue by id, for `serviceCode`. */
  readonly codes: ReadonlyMap<number, string>;
}

/** An error object, with its code in the catalogue; null for an id that is not there. */
export interface NamedError extends ServiceErrorObject {
  readonly serviceCode: string | null;
}

/** Replaces a text that must not be shown, and cuts a long one. */
type Withhold = (said: string) => string;

type Members = { readonly [name: string]: JsonValue };

/**
 * The error object of a reply (operator-api 7, rule 1; E3.1); null if the reply has none.
 * @throws MessageFault if its `errorCode` is not an error object.
 */
export function readErrorObject(
  reply: JsonValue,
  { isLenient, codes }: ErrorReading,
  isSuccess: boolean,
  withhold: Withhold,
): NamedError | null {
  if (!isJsonObject(reply)) return null;
  if (isLenient && !isSuccess) return readLenient(reply, codes, withhold);
  const error = reply.errorCode ?? null;
  if (error === null) return null;
  if (!isJsonObject(error) || !Number.isSafeInteger(error.id)) {
    throw new MessageFault('/errorCode', 'is not an error object');
  }
  const id = error.id as number;
  return {
    id,
    msg: textIn(error.msg, withhold),
    clientmsg: playerText(error.clientmsg, withhold),
    serviceCode: codes.get(id) ?? null,
  };
}

/** The error of a reply other than 2xx, wherever it is; null if nothing says what it is. */
function readLenient(
  reply: Members,
  codes: ReadonlyMap<number, string>,
  withhold: Withhold,
): NamedError | null {
  const error = [reply.errorCode, reply.error, reply].find(isErrorLike);
  if (error === undefined) return null;
  const key = error.id ?? error.code;
  const id = idOf(key, codes);
  return {
    id,
    msg: textIn(error.msg ?? error.message, withhold),
    clientmsg: playerText(error.clientmsg, withhold),
    serviceCode: id === null ? null : (codes.get(id) ?? null),
  };
}

function isErrorLike(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  if (!isJsonObject(value)) return false;
  return ['id', 'code', 'msg', 'message'].some((name) => isTextOrNumber(value[name]));
}

/** An id, a text of its digits, or the name that the catalogue has for it. */
function idOf(key: JsonValue | undefined, codes: ReadonlyMap<number, string>): number | null {
  if (typeof key === 'number') return Number.isSafeInteger(key) ? key : null;
  if (typeof key !== 'string') return null;
  if (/^\d{1,9}$/.test(key)) return Number(key);
  for (const [id, name] of codes) if (name === key) return id;
  return null;
}

/** For the engineer. */
function textIn(said: JsonValue | undefined, withhold: Withhold): string | null {
  return typeof said === 'string' ? escapeControls(withhold(said)) : null;
}

/** For the player: line breaks are kept. */
function playerText(said: JsonValue | undefined, withhold: Withhold): string | null {
  if (typeof said !== 'string') return null;
  return withhold(said).split('\n').map(escapeControls).join('\n');
}

function isTextOrNumber(value: JsonValue | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
