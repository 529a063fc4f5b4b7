import type { Answer } from './exchange';
import type { Expected, Input } from './inputs/input';
import { movedBy, readReply, type Reply, unitsOf } from './reply';
import { players, secrets, startUnits } from './inputs/terms';

/**
 * Knows from the specification what an answer may be, and what every player must have: it counts by itself what the good
 * calls move, and asks the wallet for nothing but its answers.
 */
export class Judge {
  private readonly balances = new Map<string, bigint>();

  /** Each player has the start again. */
  begin(): void {
    for (const playerId of players) this.balances.set(playerId, startUnits);
  }

  /** What a player must have, in units of 1/10000. */
  balanceOf(playerId: string): bigint {
    return this.balances.get(playerId) ?? 0n;
  }

  /** What is wrong with an answer; null if nothing is. @param reached Calls that got through to what is behind. */
  fault({ expected }: Input, answer: Answer, reached: number): string | null {
    if (expected.is === 'gone') return answer.times > 1 ? 'two answers' : reachedFault(reached, 0);
    if (answer.times !== 1) return answer.times === 0 ? 'no answer' : 'two answers';
    const reply = readReply(answer);
    if (typeof reply === 'string') return reply;
    if (secrets.some((each) => answer.text.includes(each))) return 'a secret in the answer';
    return (
      reachedFault(reached, expected.is === 'reached' ? 1 : 0) ??
      this.faultOf(expected, answer.status, reply)
    );
  }

  private faultOf(expected: Expected, status: number, reply: Reply): string | null {
    switch (expected.is) {
      case 'refused':
        return refusalFault(expected.status, expected.ids, status, reply);
      case 'reached':
        return refusalFault(400, [expected.id], status, reply);
      case 'idle':
        return status === 200 ? null : `answered ${status}, not 200`;
      case 'taken':
        return this.takenFault(expected, status, reply);
      case 'shut':
        return expected.mayBeUnknown === true && status === 503
          ? refusalFault(503, [9007], status, reply)
          : shutFault(status, reply);
      case 'same':
        return this.sameFault(expected, status, reply);
      case 'gone':
        return null;
    }
  }

  private takenFault(
    { playerId, units }: Extract<Expected, { is: 'taken' }>,
    status: number,
    reply: Reply,
  ): string | null {
    if (status !== 200) return `answered ${status}, not 200`;
    if (units !== null && reply.hashes === null) return 'no hashesProcessed';
    return this.move(playerId, units ?? 0n, reply);
  }

  /** Moves the judge's own sum, and compares it with the one of the reply. */
  private move(playerId: string, units: bigint, { balance }: Reply): string | null {
    const wanted = this.balanceOf(playerId) + units;
    this.balances.set(playerId, wanted);
    const told = balance === null ? null : unitsOf(balance);
    return told === wanted ? null : `balance of ${playerId} is ${told}, not ${wanted}`;
  }

  /** A changed body under the signature of another one, never seen: what is signed must be the same (D1.5, D1.8). */
  private sameFault(
    { call, body }: Extract<Expected, { is: 'same' }>,
    status: number,
    reply: Reply,
  ): string | null {
    if (reply.hashes === null) return refusalFault(null, [1001, 16, 19], status, reply);
    const moved = movedBy(call, body, reply.hashes);
    if (typeof moved === 'string') return moved;
    const allSucceeded = reply.hashes.every(({ isRefused }) => !isRefused);
    if (allSucceeded !== (status === 200)) return `answered ${status} by the wrong rule (D6.2)`;
    return reply.balance === null && moved === 0n ? null : this.move(call.playerId, moved, reply);
  }
}

function reachedFault(reached: number, wanted: number): string | null {
  return reached === wanted ? null : `${reached} calls got through, not ${wanted}`;
}

function refusalFault(
  wantedStatus: number | null,
  ids: readonly number[] | null,
  status: number,
  { id, hashes }: Reply,
): string | null {
  const isRight =
    wantedStatus === null ? status === 400 || status === 401 : status === wantedStatus;
  if (!isRight) return `answered ${status}, not ${wantedStatus ?? '400 or 401'}`;
  if (id === null) return 'no errorCode';
  if ((id === 1001) !== (status === 401)) return `id ${id} with status ${status}`;
  if (ids !== null && !ids.includes(id)) return `id ${id}, not ${ids.join(' or ')}`;
  if (hashes?.some(({ isRefused }) => !isRefused) === true) return 'something was processed';
  return null;
}

/** Never processed; a body that is none is told before its signature is looked at (D1.7). */
function shutFault(status: number, reply: Reply): string | null {
  if (reply.hashes !== null || reply.balance !== null) return 'processed';
  return refusalFault(null, [1001, 19], status, reply);
}
