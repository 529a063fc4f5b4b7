import { isZone, momentIn } from '../../platform/html';
import { isAmountText } from '../../protocol/money/amount';
import { parseTimestamp } from '../../protocol/signature';
import { type LimitOrder, StoreUnavailableError, type Unknown } from '../wallet';
import { playerHref } from './page/links';
import { checkReason } from './repairs/input';
import { type Answer, type PageRequest, actorOf, checked, reasonOf } from './request';
import { limitRefusals } from './view/players/limits';
import { RequestFault, playerOf } from './view/request';

/** Blocks or unblocks a player and redirects to the player's page. */
export async function block(request: PageRequest): Promise<Answer> {
  const { store, fields } = request;
  const player = playerOf(request);
  const wanted = fields.get('blocked');
  if (wanted !== 'true' && wanted !== 'false') {
    throw new RequestFault(400, 'blocked must be true or false.');
  }
  const { players } = store;
  if (players === undefined) {
    throw new RequestFault(501, "This store does not block players: the platform's ledger does.");
  }
  const [blocked, by, until] = [wanted === 'true', actorOf(request), untilOf(fields)];
  const end = until === null ? {} : { until };
  const result = await checked(async () => {
    if (players.blocks === undefined) return players.setBlocked(player, blocked, end);
    const reason = reasonOf(fields);
    checkReason('reason', reason);
    return players.setBlocked(player, blocked, { by, reason, ...end });
  });
  // A store of the platform's own may return nothing.
  if (result !== undefined) checkKnown(result);
  request.events.emit({ kind: 'playerBlocked', player, blocked, until, by });
  return { kind: 'moved', to: playerHref(player, blocked ? 'blocked' : 'unblocked') };
}

/**
 * A browser's field has no zone, and seconds only if they were typed: it is in the zone that the form names, or in UTC.
 * @throws RequestFault
 */
function untilOf(fields: URLSearchParams): number | null {
  const text = fields.get('until') ?? '';
  if (text === '') return null;
  const zone = fields.get('zone') ?? 'UTC';
  if (!isZone(zone)) throw new RequestFault(400, 'There is no such zone.', 'zone');
  const hasZone = !/^[\d-]{10}T\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text);
  const given = parseTimestamp(text.length === 16 ? `${text}:00` : text);
  const until = given === null || hasZone ? given : momentIn(zone, given);
  if (until !== null) return until;
  const rule = `until must be a time such as 2026-12-24T18:00, in ${zone}`;
  const message = given === null ? `${rule}.` : `${rule}, whose clocks skip this one.`;
  throw new RequestFault(400, message, 'until');
}

/** Sets a limit of a player and redirects to the player's page. */
export function setLimit(request: PageRequest): Promise<Answer> {
  const { fields } = request;
  const [kind, window, currency, zone, counts] = limitFields.map((name) => fields.get(name) ?? '');
  const amount = (fields.get('amount') ?? '').trim();
  if (!isAmountText(amount)) {
    throw new RequestFault(400, 'amount must be an amount such as 100.00.', 'amount');
  }
  const order = {
    kind,
    window,
    currency,
    amount,
    ...(zone === '' ? {} : { zone }),
    ...(counts === '' ? {} : { counts }),
  };
  return changeLimit(request, order as LimitOrder, 'limit-set');
}

const limitFields = ['kind', 'window', 'currency', 'zone', 'counts'] as const;

/** Lifts a limit of a player and redirects to the player's page. */
export function liftLimit(request: PageRequest): Promise<Answer> {
  const [kind, window, currency] = (request.fields.get('limit') ?? '').split(' ');
  const order = { kind, window, currency, amount: null };
  return changeLimit(request, order as LimitOrder, 'limit-lifted');
}

/** The store checks the order: what a field holds may be anything. */
async function changeLimit(request: PageRequest, order: LimitOrder, did: string): Promise<Answer> {
  const player = playerOf(request);
  const by = actorOf(request);
  const { players } = request.store;
  const set = players?.setLimit?.bind(players);
  if (set === undefined) {
    throw new RequestFault(501, 'This store holds no limits: the platform does.');
  }
  const result = await checked(async () => {
    const reason = reasonOf(request.fields);
    checkReason('reason', reason);
    return set(player, order, { by, reason });
  });
  checkKnown(result);
  if (result.kind === 'refused') throw new RequestFault(409, limitRefusals[result.reason]);
  const { kind, window, currency, amount } = order;
  const limit = { kind, window, currency, amount: amount as string | null };
  request.events.emit({ kind: 'limitChanged', player, limit, by });
  return { kind: 'moved', to: playerHref(player, did) };
}

/** @throws RequestFault, StoreUnavailableError */
function checkKnown<T extends { readonly kind: string }>(
  result: T | Unknown | { readonly kind: 'noPlayer' },
): asserts result is Exclude<T, Unknown | { readonly kind: 'noPlayer' }> {
  if (result.kind === 'unknown') throw new StoreUnavailableError((result as Unknown).cause.message);
  if (result.kind === 'noPlayer') throw new RequestFault(404, 'The store has no such player.');
}
