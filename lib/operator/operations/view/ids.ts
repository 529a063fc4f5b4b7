import { isIdentifier } from '../../../protocol/identifiers';
import type { PlayerKey, RoundKey } from '../../wallet';
import { RequestFault } from './request-fault';

/** What a player or a round is called in a query or a form. */
export interface AskedIds {
  readonly fields: URLSearchParams;
  /** The operators that may be seen. */
  readonly operators: readonly string[];
}

/** The operator that is asked for; the only one, unless there are several. @throws RequestFault */
export function operatorOf({ fields, operators }: AskedIds): string {
  const [only] = operators;
  const asked = fields.get('operator') ?? '';
  if (asked === '' && only !== undefined && operators.length === 1) return only;
  if (asked === '') throw new RequestFault(400, 'The operator is missing.');
  if (!operators.includes(asked)) throw new RequestFault(404, 'There is no such operator here.');
  return asked;
}

/** The player that is asked for. @throws RequestFault */
export function playerOf(asked: AskedIds): PlayerKey {
  return { operatorId: operatorOf(asked), playerId: idOf(asked, 'player') };
}

/** The round that is asked for. @throws RequestFault */
export function roundOf(asked: AskedIds): RoundKey {
  return { ...playerOf(asked), gameRound: idOf(asked, 'round') };
}

/** The hash that is asked for. @throws RequestFault */
export function hashOf(asked: AskedIds): string {
  return idOf(asked, 'hash');
}

function idOf({ fields }: AskedIds, name: 'player' | 'round' | 'hash'): string {
  const id = fields.get(name) ?? '';
  if (id === '') throw new RequestFault(400, `The ${name} is missing.`);
  if (isIdentifier(id)) return id;
  throw new RequestFault(
    400,
    `The ${name}'s id must be 1 to 128 characters, without # or control characters.`,
  );
}
