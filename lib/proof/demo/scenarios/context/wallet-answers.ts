import {
  isJsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
} from '../../../../protocol/json/parse';
import { engineErrors } from '../../../../protocol/engine-api/errors';
import { refusalBy } from '../../../../rgs/rounds/delivery';
import type { BodyView, WireCall, TimelineView } from '../../../../rgs/sandbox/view/wire';
import { isWalletCall, transactionsOf } from '../../../../rgs/sandbox/wire/essence';
import type { Player } from './dealer';

/** Why connect failed, by what the wallet answered to getBalance; null if it was not for the wallet. */
export function connectFault(calls: readonly WireCall[], player: Player): string | null {
  const latest = calls.findLast(({ line, call }) => line === 'rgs-wallet' && call === 'getBalance');
  if (latest === undefined) return null;
  const { status, replyBody, replyHeaders } = latest;
  if (status === null) return 'the wallet did not answer getBalance in time';
  const id = idIn(valueOf(replyBody) ?? undefined);
  if (status === 401) {
    return 'the wallet answered 401 on getBalance: does it know OPERATOR_ID, and is OPERATOR_SECRET its secret?';
  }
  if (status === 404)
    return 'the wallet answered 404 on getBalance; is the path of --wallet right?';
  if (status >= 400 && status < 500) {
    const error = id === null ? '' : `, error ${id}`;
    return `the wallet answered ${status}${error} on getBalance: does the wallet have ${player.playerId} in ${player.currency}? --players names others`;
  }
  if (status >= 500) return `the wallet answered ${status} on getBalance`;
  if (valueOf(replyBody) === null) {
    const [type = 'no content type'] = /^[\w.+-]+\/[\w.+-]+/.exec(contentType(replyHeaders)) ?? [];
    return `the wallet answered ${status} with ${type} on getBalance, not a JSON object; is the path of --wallet right?`;
  }
  return `the wallet answered ${status} on getBalance without balances in whole minor units`;
}

/**
 * The ids that the refusal of a debit may have at the game (E3): the wallet's own, of its reply or of the listed
 * hash, or 9100 where it has none that can be passed on.
 */
export function passedOn(call: WireCall): number[] {
  const value = valueOf(call.replyBody) ?? undefined;
  const listed = memberOf(value, 'hashesProcessed');
  const hashes: readonly JsonValue[] = Array.isArray(listed) ? listed : [];
  const ids = [value, ...hashes].flatMap((one) => idIn(one) ?? []);
  return (ids.length === 0 ? [null] : ids).map((id) => {
    const refusal = refusalBy({ id, msg: '' });
    return refusal.kind === 'operator' ? refusal.id : engineErrors[refusal.code].id;
  });
}

function idIn(value: JsonValue | undefined): number | null {
  const id = memberOf(memberOf(value, 'errorCode'), 'id');
  return typeof id === 'number' ? id : null;
}

function valueOf(body: BodyView | null): JsonValue | null {
  try {
    const { value } = parseJson(body?.text ?? '');
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}

/** A member of a JSON object; undefined of anything else. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return value !== undefined && isJsonObject(value) ? value[name] : undefined;
}

function contentType(headers: Readonly<Record<string, string>>): string {
  return headers['content-type'] ?? '';
}

/**
 * The calls about a round at the wallet, each as a text such as `debit 100`, `credit 250 + end (cut)` or
 * `debit 5000: 400`: what was sent, the fault in brackets, and the status unless it is 200.
 */
export function walletCallsIn({ steps }: TimelineView): string[] {
  const calls = steps.flatMap((step) => (step.kind === 'call' ? [step.call] : []));
  return calls.filter(isWalletCall).map((call) => {
    const fault = call.fault === null ? '' : ` (${call.fault})`;
    const { status } = call;
    const isPlain = status === 200 || call.fault !== null;
    return `${transactionsOf(call)}${fault}${isPlain ? '' : `: ${status ?? 'no reply'}`}`;
  });
}
