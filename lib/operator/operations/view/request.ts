import { isIdentifier } from '../../../protocol/identifiers';
import type { PlayerKey, RoundKey } from '../../wallet';
import { RequestFault } from './request-fault';

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

function idOf({ fields }: RequestFields, name: 'player' | 'round' | 'hash'): string {
  const id = fields.get(name) ?? '';
  if (id === '') throw new RequestFault(400, `The ${name} is missing.`);
  if (isIdentifier(id)) return id;
  throw new RequestFault(
    400,
    `The ${name}'s id must be 1 to 128 characters, without # or control characters.`,
  );
}
