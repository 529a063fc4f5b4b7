import { isIdentifier } from '../../../protocol/identifiers';
import type { PlayerKey, RoundKey } from '../../wallet';

/** What a player or a round is called in a query or a form. */
export interface RequestFields {
  readonly fields: URLSearchParams;
  /** The operators that may be seen. */
  readonly operators: readonly string[];
}

/** The operator that is asked for; the only one, unless there are several. @throws RequestFault */
export function operatorOf({ fields, operators }: RequestFields): string {
  const [only] = operators;
  const operator = fields.get('operator') ?? '';
  if (operator === '' && only !== undefined && operators.length === 1) return only;
  if (operator === '') throw new RequestFault(400, 'The operator is missing.');
  if (!operators.includes(operator)) throw new RequestFault(404, 'There is no such operator here.');
  return operator;
}

/** The operator of a page of one: the first, unless another is asked for. @throws RequestFault */
export function shownOperator(request: RequestFields): string {
  const isGiven = (request.fields.get('operator') ?? '') !== '';
  return isGiven ? operatorOf(request) : (request.operators[0] ?? '');
}

/** The player that is asked for. @throws RequestFault */
export function playerOf(request: RequestFields): PlayerKey {
  return { operatorId: operatorOf(request), playerId: idOf(request, 'player') };
}

/** The round that is asked for. @throws RequestFault */
export function roundOf(request: RequestFields): RoundKey {
  return { ...playerOf(request), gameRound: idOf(request, 'round') };
}

/** The hash that is asked for. @throws RequestFault */
export function hashOf(request: RequestFields): string {
  return idOf(request, 'hash');
}

/** The block that a part of a long round begins with; null where none is asked for. @throws RequestFault */
export function firstCallOf({ fields }: Pick<RequestFields, 'fields'>): number | null {
  const text = fields.get('from') ?? '';
  if (text === '') return null;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new RequestFault(400, 'from must be the number of a block: 1 for the first.');
}

function idOf({ fields }: RequestFields, name: 'player' | 'round' | 'hash'): string {
  const id = fields.get(name) ?? '';
  if (id === '') throw new RequestFault(400, `The ${name} is missing.`, name);
  if (isIdentifier(id)) return id;
  throw new RequestFault(
    400,
    `The ${name}'s id must be 1 to 128 characters, without # or control characters.`,
    name,
  );
}

/** A request that cannot be answered as asked; nothing was changed. Its message is for the person. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';

  constructor(
    /** HTTP status of the answer. */
    readonly status: 400 | 403 | 404 | 405 | 409 | 415 | 501,
    message: string,
    /** The field that is wrong; null where the error names no single one. */
    readonly field: string | null = null,
  ) {
    super(message);
  }
}

/**
 * A store refuses a cursor that it did not give as wrong use.
 * @throws RequestFault, or any other error unchanged
 */
export function misplaced(list: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof TypeError)) throw error;
    throw new RequestFault(400, `The place in the ${list} is not valid: begin at the first page.`);
  };
}
