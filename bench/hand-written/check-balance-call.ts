import type { IncomingHttpHeaders } from 'node:http';
import { CallRefused, checkSender, isSignatureOf, unauthorized } from './check-sender';

/** A checked request for a balance. */
export interface CheckedBalanceCall {
  readonly playerId: string;
  readonly currency: string;
}

const isIdentifier = (value: unknown): value is string =>
  typeof value === 'string' && /^[^#\p{Cc}]{1,128}$/u.test(value);

/**
 * Checks a GET /getBalance as an engineer does who writes the service by hand (operator-api 4.2).
 * @throws CallRefused
 */
export function checkBalanceCall(
  headers: IncomingHttpHeaders,
  { playerId, currency, gameCode }: { readonly [name: string]: unknown },
): CheckedBalanceCall {
  const sender = checkSender(headers);
  if (!isIdentifier(playerId)) throw invalid('playerId');
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) throw invalid('currency');
  if (gameCode !== undefined && !isIdentifier(gameCode)) throw invalid('gameCode');
  const game = gameCode === undefined ? '' : `#${gameCode}`;
  if (!isSignatureOf(sender, `${playerId}#${currency}${game}`)) throw unauthorized();
  return { playerId, currency };
}

function invalid(name: string): CallRefused {
  return new CallRefused(400, 19, `${name} is missing or not valid.`);
}
