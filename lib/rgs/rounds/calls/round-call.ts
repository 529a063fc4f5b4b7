import type { RoundCall } from '../../../protocol/engine-api';
import type { Round } from '../state';
import type { Context } from './context';
import { type Decision, refuse } from './decision';
import { collectWin, endGameRound } from './end';
import { ownRound } from './find';
import { exposureFindings } from './finding';
import { contentKnown, findingsOfKey, type Identity, identityOf } from './key';
import { addSpins } from './spins';
import { voidGameRound } from './void';
import { wagerWin } from './wager';
import { addWin } from './win';

/**
 * What a call on a round does, in the order of E4.5: mode and currency, the round, whether it is open
 * (E15.2: after the end there is no memory to consult), the key, the amounts.
 */
export function decideOnRound(context: Context, found: Round | null, call: RoundCall): Decision {
  const { session } = context;
  if (session.kind === 'history') return refuse('INVALIDPARAMETER', 'E19.2');
  if (call.call === 'wagerWin' && call.wagerInformation.currency !== session.owner.currency) {
    return refuse('INVALIDPARAMETER', 'E4.4');
  }
  const round = ownRound(found, session);
  if (round === null) return refuse('GAMEROUNDNOTFOUND', 'E5.8');
  if (round.state !== 'open') return refuse('GAMEROUNDNOTACTIVE', 'E6');
  const identity = identityOf(call);
  const known = identity.key === null ? null : contentKnown(round, call, identity.key);
  if (known !== null) {
    if (known === identity.content) return { kind: 'answered', round };
    return refuse('TRANSACTIONALREADYEXISTS', 'E15.1');
  }
  const decision = work(context, round, call, identity);
  if (decision.kind !== 'changed') return decision;
  const [{ round: after }] = decision.changes;
  const findings = [
    ...findingsOfKey(round, call, identity.key),
    ...decision.findings,
    ...exposureFindings(context, round, after),
  ];
  return { ...decision, findings };
}

function work(context: Context, round: Round, call: RoundCall, identity: Identity): Decision {
  switch (call.call) {
    case 'addWin':
      return addWin(context, round, call, identity);
    case 'wagerWin':
      return wagerWin(context, round, call, identity);
    case 'addSpinCounterGameState':
      return addSpins(context, round, call, identity);
    case 'collectWin':
      return collectWin(context, round, call, identity);
    case 'endGameRound':
      return endGameRound(context, round);
    case 'voidGameRound':
      return voidGameRound(context, round, call);
  }
}
