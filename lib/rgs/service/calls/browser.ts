import type { Balance, ConnectReply } from '../../../protocol/engine-api/replies';
import { EngineRefusedError } from '../../../protocol/engine-api/errors';
import type { Granted } from '../../sessions';
import { tokenBytes, tokenOf } from '../../session-tokens';
import { refusalBy } from '../../rounds/delivery';
import { type Caller, commitSessions, type Core } from '../core/parts';
import { refusedBy } from '../core/carry-out';
import { tokenDataOf } from '../core/reply';
import type { BalanceAnswer } from '../../ports';

/**
 * connect (E5.2). The launch token is burned first, also if what follows fails; so one answer alone can come
 * of it. Then the operator is asked for the balance, and the session opens.
 */
export async function connect(core: Core, launchToken: string): Promise<ConnectReply> {
  const { state, clock, random, surroundings, cause } = core;
  const burn = (): Granted => granted(state.sessions.burn(launchToken, clock.now()), 'E5.2');
  const { grant } = burn();
  await commitSessions(core, grant.owner, () => burn().events);
  surroundings.warmUp(grant, cause);
  const balance = balanceOf(await surroundings.fetchBalance(grant, cause));
  const token = tokenOf(random.bytes(tokenBytes));
  const isBeside = surroundings.settingsOf(grant)['multipleInstancesAllowed'] === true;
  await commitSessions(core, grant.owner, () =>
    state.sessions.open(token, grant, clock.now(), isBeside),
  );
  return replyTo(core, { token, grant }, balance);
}

/** reconnect: a new long token; the old one is revoked (E5.5). The balance is the latest known. */
export async function reconnect(core: Core, token: string): Promise<ConnectReply> {
  const { state, clock, random } = core;
  const newToken = tokenOf(random.bytes(tokenBytes));
  const renew = (): Granted =>
    granted(state.sessions.reconnect(token, newToken, clock.now()), 'E5.5');
  const { grant } = renew();
  await commitSessions(core, grant.owner, () => renew().events);
  const balance = core.surroundings.balanceOf(grant.owner);
  return replyTo(core, { token: newToken, grant }, balance);
}

/** disconnect: revokes the token; an open round stays open, and autoclose takes it (E5.5). */
export async function disconnect(core: Core, token: string): Promise<void> {
  const { state, clock } = core;
  const found = granted(state.sessions.find(token, clock.now()), 'E5.5');
  await commitSessions(core, found.grant.owner, () =>
    granted(state.sessions.disconnect(token, clock.now()), 'E5.5'),
  );
}

/**
 * The balance of an answer to getBalance.
 * @throws EngineRefusedError the operator's error for a 4xx, 9111 for silence (E5.2)
 */
export function balanceOf(answer: BalanceAnswer): Balance {
  switch (answer.kind) {
    case 'known':
      return answer.balance;
    case 'silent':
      throw new EngineRefusedError('WALLETUNAVAILABLE', 'E5.2');
    case 'refused': {
      // An id of ours would say what is not so, such as that the token is not valid (E3).
      const refusal = refusalBy({ ...answer.error, msg: '' });
      throw refusedBy({ ...refusal, rule: 'E5.2' });
    }
  }
}

/** @throws EngineRefusedError 1008 */
function granted<T>(found: T | null, rule: string): T {
  if (found === null) throw new EngineRefusedError('SESSIONINVALID', rule);
  return found;
}

function replyTo(
  { state, surroundings, engineUrl }: Core,
  caller: Caller,
  balance: Balance | null,
): ConnectReply {
  const { token, grant } = caller;
  const backendUrl = engineUrl();
  const query = `token=${encodeURIComponent(token)}`;
  return {
    ...surroundings.freePlaysOf(grant.owner, null),
    token,
    backendUrl,
    logoutUrl: `${backendUrl}/disconnect?${query}`,
    refreshUrl: `${backendUrl}/reconnect?${query}`,
    tokenData: tokenDataOf(state, caller),
    balance,
    gameSettings: surroundings.settingsOf(grant),
  };
}
