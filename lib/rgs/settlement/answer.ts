import type { JsonObject, JsonValue } from '../../protocol/json/parse';

/** An error object of a wallet (operator-api 7, rule 1), as far as readable. */
export interface WalletError {
  /** Null if the wallet sent no numeric id. */
  readonly id: number | null;
  readonly msg: string;
  /** For the player; absent or null if the wallet sent no text (E3). */
  readonly clientmsg?: string | null;
}

/** One item of `hashesProcessed` (operator-api 2.3). */
export interface ListedHash {
  readonly hash: string;
  /** Null if the transaction was processed. */
  readonly error: WalletError | null;
}

/** The part of a reply that decides. */
export interface ReplyBody {
  readonly hashesProcessed: readonly ListedHash[];
  /** The error at the top of the reply. */
  readonly error: WalletError | null;
}

/** The answer to a call. `body` is null if the reply is not a JSON object. */
export type Answer =
  | { readonly kind: 'reply'; readonly status: number; readonly body: ReplyBody | null }
  | { readonly kind: 'timeOut' }
  | { readonly kind: 'cut' };

/** The meaning of a whole reply: `silent` says nothing about a debit, an end or a void. */
export type Meaning = 'success' | 'refusal' | 'silent';

/** No reply in time. */
export const timeOut: Answer = Object.freeze({ kind: 'timeOut' });

/** The connection closed before the reply was complete. */
export const cut: Answer = Object.freeze({ kind: 'cut' });

/** Success is a 2xx with a JSON object, refusal any 4xx; everything else counts as silence (W1). */
export function meaningOf(answer: Answer): Meaning {
  if (answer.kind !== 'reply') return 'silent';
  const { status, body } = answer;
  if (status >= 400 && status < 500) return 'refusal';
  return status >= 200 && status < 300 && body !== null ? 'success' : 'silent';
}

/**
 * Reads a reply to doTransactions. `document` is the parsed body, undefined if it is not JSON. An item of
 * `hashesProcessed` without a hash says nothing and is left out; an `errorCode` of any form is an error,
 * and a null one is none (E4.3).
 */
export function readReply(status: number, document: JsonValue | undefined): Answer {
  if (!isObject(document)) return { kind: 'reply', status, body: null };
  const list = document['hashesProcessed'];
  const hashesProcessed = (Array.isArray(list) ? list : []).flatMap((item): ListedHash[] => {
    if (!isObject(item) || typeof item['hash'] !== 'string') return [];
    return [{ hash: item['hash'], error: readError(item['errorCode']) }];
  });
  return {
    kind: 'reply',
    status,
    body: { hashesProcessed, error: readError(document['errorCode']) },
  };
}

/** Most characters of a text of a wallet: it is kept with its round, and shown to a player. */
const maxText = 1_000;

function readError(value: JsonValue | undefined): WalletError | null {
  if (value === undefined || value === null) return null;
  const { id, msg, clientmsg } = isObject(value) ? value : {};
  return {
    id: typeof id === 'number' ? id : null,
    msg: typeof msg === 'string' ? msg.slice(0, maxText) : '',
    clientmsg: typeof clientmsg === 'string' ? clientmsg.slice(0, maxText) : null,
  };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
