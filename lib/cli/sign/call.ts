import type { JsonDocument } from '../../protocol/json';
import type { SignedOperation } from '../../protocol/signature';
import { CommandFailure } from '../terminal/failure';
import { parseJsonText, readTextFile } from '../terminal/read-json-file';

/** The method and path of each operation. */
const endpoints: Readonly<
  Record<SignedOperation, { readonly method: 'GET' | 'POST'; readonly path: string }>
> = {
  doTransactions: { method: 'POST', path: '/doTransactions' },
  getBalance: { method: 'GET', path: '/getBalance' },
  assignPlayerFreerounds: { method: 'POST', path: '/assignPlayerFreerounds' },
  getStats: { method: 'POST', path: '/backoffice/getStats' },
  getGameConfiguration: { method: 'GET', path: '/backoffice/getGameConfiguration' },
  getGameList: { method: 'GET', path: '/backoffice/getGameList' },
  getGameURL: { method: 'POST', path: '/getGameURL' },
};

/** A call as given on the command line. */
export interface GivenCall {
  readonly operation: SignedOperation;
  /** Path with the query. */
  readonly path: string;
  /** The body as written; null for a GET. */
  readonly body: string | null;
  /** The signed fields are read from it. */
  readonly message: JsonDocument;
}

/** Names of all operations. */
export const operations = Object.keys(endpoints) as SignedOperation[];

/**
 * Reads a call from --body, or from --param for a GET.
 * @throws CommandFailure if one is missing, does not belong to this operation, or is not valid.
 */
export function readCall(
  operation: SignedOperation,
  body: string | undefined,
  parameters: readonly string[],
): GivenCall {
  const { method, path } = endpoints[operation];
  if (method === 'GET') {
    if (body !== undefined) throw new CommandFailure(`${operation} takes --param, not --body.`);
    return readGet(operation, path, parameters);
  }
  if (parameters.length > 0) throw new CommandFailure(`${operation} takes --body, not --param.`);
  if (body === undefined) throw new CommandFailure(`${operation} needs --body.`);
  const isInline = /^\s*[[{]/.test(body);
  const text = isInline ? body : readTextFile(body);
  const message = parseJsonText(text, isInline ? '--body' : body);
  return { operation, path, body: text, message };
}

function readGet(
  operation: SignedOperation,
  path: string,
  parameters: readonly string[],
): GivenCall {
  const value: Record<string, string> = {};
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals < 1) throw new CommandFailure('--param must be name=value.');
    const name = parameter.slice(0, equals);
    if (Object.hasOwn(value, name)) throw new CommandFailure(`--param ${name} is given twice.`);
    value[name] = parameter.slice(equals + 1);
  }
  const query = Object.entries(value)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
  const message = { value, lexeme: () => undefined };
  return { operation, path: query === '' ? path : `${path}?${query}`, body: null, message };
}
