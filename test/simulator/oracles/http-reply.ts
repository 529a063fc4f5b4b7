import type { Call } from '../../../lib/protocol/operator-api/transaction';
import { type Answer, readReply } from '../../../lib/rgs/settlement/answer';
import type { JsonValue } from '../../../lib/protocol/json/parse';
import type { World } from '../world/scheduler';
import type { Purse, Sighting } from './purse';
import { checkReply } from './reply';

/** A reply as it leaves a wallet. */
interface Sent {
  readonly status: number;
  readonly body: string;
}

/** What was seen of the player's balances since the request arrived; null where nobody watches them. */
type Seen = ReadonlyMap<Purse, Sighting> | null;

/** A balance in a reply. */
interface Balance {
  readonly amount: number;
  readonly currency: string;
}

/** Answers that a request of the service never gets: it is authentic, timely and well-formed. */
const refusals: readonly number[] = [401, 404, 405, 413, 415];

/** What must hold of the reply to a call of the service, as bytes (D1, D6, D7, O10). */
export function checkCallReply(world: World, call: Call, sent: Sent, seen: Seen): Answer {
  const { gameRound, transactions } = call;
  const body = JSON.parse(sent.body) as JsonValue;
  const answer = readReply(sent.status, body);
  if (refusals.includes(sent.status)) {
    world.fail('D1', `${gameRound}: a signed call was answered ${sent.status}`);
  }
  checkReply(world, gameRound, transactions, answer);
  checkBalances(world, gameRound, body, seen);
  return answer;
}

/** What must hold of the reply to getBalance (D9, O10). */
export function checkBalanceReply(world: World, sent: Sent, seen: Seen): void {
  const { status } = sent;
  if (status !== 200 && status < 500) world.fail('D9', `getBalance was answered ${status}`);
  if (status !== 200) return;
  const body = JSON.parse(sent.body) as JsonValue;
  const has = checkBalances(world, 'getBalance', body, seen);
  if (!has) world.fail('D9', 'getBalance was answered without a balance');
}

/** O10: the balances are some that the player had since the request arrived. */
function checkBalances(world: World, what: string, body: JsonValue, seen: Seen): boolean {
  const { balances } = body as { readonly balances?: readonly Balance[] };
  if (balances === undefined) return false;
  for (const [purse, sighting] of seen ?? []) {
    const own = balances.filter(({ currency }) => currency === purse.currency);
    const sum = own.reduce((all, { amount }) => all + amount, 0);
    if (own.length === 0 || purse.had(sum, sighting, false)) continue;
    const had = purse.sumsSince(sighting);
    world.fail('O10', `${what}: a reply says ${sum}, and ${purse.name} had ${had}`);
  }
  return true;
}
