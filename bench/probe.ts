import { Connection } from './load/connection';
import {
  balanceRequest,
  centsMoved,
  isProcessed,
  newRound,
  type RoundCall,
  signedRequest,
  type Tampering,
} from './load/signed-call';
import { startCents } from './terms';

/** What a contestant must refuse, so that none is fast for a check it leaves out. */
const refused: readonly (readonly [string, number, Tampering])[] = [
  ['a wrong signature', 401, { signature: Buffer.alloc(32).toString('base64') }],
  ['a stale timestamp', 401, { timestamp: '2020-01-01T00:00:00.000Z' }],
  [
    'another playerId than was signed',
    401,
    { body: (body) => ({ ...body, playerId: 'player-2' }) },
  ],
  ['a wrong transactionCount', 400, { body: (body) => ({ ...body, transactionCount: 4 }) }],
  ['no transactionCount', 400, { body: (body) => ({ ...body, transactionCount: undefined }) }],
  ['a type that is none', 400, { body: (body) => changeFirst(body, { type: 'other' }) }],
  ['a debit without currency', 400, { body: (body) => changeFirst(body, { currency: null }) }],
];

/**
 * Puts a contestant to the checks that all have to make; resolves to what it moved for the player, in cents, who was
 * moved by `movedBefore` before.
 * @throws Error which names what it let pass.
 */
export async function probe(port: number, playerId: string, movedBefore: number): Promise<number> {
  const connection = await Connection.open(port);
  try {
    for (const [what, status, tampering] of refused) {
      const answer = await connection.call(signedRequest(newRound(playerId), tampering));
      if (answer.status !== status) throw new Error(`${what} is answered ${answer.status}`);
    }
    const tooDear = withCents(newRound(playerId), 0, startCents * 2);
    const answer = await connection.call(signedRequest(tooDear));
    if (answer.status !== 400) throw new Error(`a debit beyond the balance is ${answer.status}`);
    const moved = await playTwice(connection, newRound(playerId));
    await askBalance(connection, playerId, startCents + movedBefore + moved);
    return moved;
  } finally {
    connection.close();
  }
}

/** A call that is sent again is answered again, and moves nothing (operator-api 4.1, rule 1). */
async function playTwice(connection: Connection, call: RoundCall): Promise<number> {
  for (const what of ['a call', 'a replay']) {
    const answer = await connection.call(signedRequest(call));
    if (!isProcessed(answer, call)) {
      throw new Error(`${what} is answered ${answer.status}: ${answer.body.slice(0, 300)}`);
    }
  }
  const cents = call.movements[1]?.cents ?? 0;
  const other = withCents(call, 1, cents + (cents % 10 === 9 ? -1 : 1));
  const answer = await connection.call(signedRequest(other));
  if (answer.status !== 400) {
    throw new Error(`a known hash with other content is answered ${answer.status}`);
  }
  return centsMoved(call);
}

/** The balance is shown to authorised callers, and to the cent (operator-api 4.2). */
async function askBalance(connection: Connection, playerId: string, cents: number): Promise<void> {
  const signature = Buffer.alloc(32).toString('base64');
  const refusal = await connection.call(balanceRequest(playerId, { signature }));
  if (refusal.status !== 401) {
    throw new Error(`a balance is told for a wrong signature, with ${refusal.status}`);
  }
  const answer = await connection.call(balanceRequest(playerId));
  const told = Number(/"amount":([\d.]+),/.exec(answer.body)?.[1]);
  if (answer.status !== 200 || Math.round(told * 100) !== cents) {
    throw new Error(`getBalance is answered ${answer.status}: ${answer.body.slice(0, 300)}`);
  }
}

function withCents(call: RoundCall, changed: number, cents: number): RoundCall {
  const movements = call.movements.map((each, at) => (at === changed ? { ...each, cents } : each));
  return { ...call, movements };
}

function changeFirst(body: { [key: string]: unknown }, change: object): object {
  const [first, ...rest] = body['transactions'] as object[];
  return { ...body, transactions: [{ ...first, ...change }, ...rest] };
}
