import { describe, expect, test } from '@jest/globals';
import { type GameRound, GameRoundError } from '../../../lib/provider';
import { type Fault, ScriptedRgs } from '../scripted-rgs';

const opening = { token: 't', stake: 100, currency: 'EUR' };
const forLong = Array.from({ length: 200 }, (): Fault => 'lost');

async function opened(): Promise<{ readonly rgs: ScriptedRgs; readonly round: GameRound }> {
  const rgs = new ScriptedRgs();
  return { rgs, round: await rgs.run(rgs.client().openRound(opening)) };
}

/** The transaction ids that were sent, in order. */
function idsOf({ sent }: ScriptedRgs): unknown[] {
  return sent.map(({ body }) => {
    const { debitInformation, wagerInformation, rngResult } = body as Record<
      string,
      Record<string, unknown> | undefined
    >;
    return (
      debitInformation?.['externalGameProviderTransactionId'] ??
      wagerInformation?.['externalGameProviderTransactionId'] ??
      body['externalGameProviderTransactionId'] ??
      rngResult?.['rngCallId']
    );
  });
}

describe('openRound (S2)', () => {
  test('takes the first bet with a round id of 32 hexadecimal digits and a unique id', async () => {
    const { rgs, round } = await opened();
    expect(round.id).toMatch(/^[0-9a-f]{32}$/);
    expect(rgs.sent[0]).toMatchObject({
      name: 'startGameRound',
      body: {
        token: 't',
        rngResult: {},
        debitInformation: {
          debitAmount: 100,
          currency: 'EUR',
          externalGameProviderTransactionId: `bet1${round.id.slice(0, 24)}`,
        },
        endGame: false,
        externalGameProviderRoundId: round.id,
      },
    });
    expect(round.state).toMatchObject({ amountToCollect: 0n, gameRoundInfo: { stake: 100n } });
    expect(round.lost).toBeNull();
  });

  test.each([
    [
      { stake: 1.5 },
      'openRound: stake must be a whole number of minor units, as a bigint or a safe integer.',
    ],
    [{ stake: '1.50' }, /^openRound: stake must be a whole number/],
    [{ stake: undefined }, /^openRound: stake must be a whole number/],
    [{ stake: undefined, stke: 1 }, /^openRound: the request has an unknown member; .*stake\?\.$/],
    [{ useTickets: true }, /did you mean useTicket\?\.$/],
  ])('%j is refused by its own name, and nothing is sent (E4.1)', async (wrong, message) => {
    const rgs = new ScriptedRgs();
    const given = { ...opening, ...wrong } as typeof opening;
    if ('stke' in given) delete (given as { stake?: number }).stake;
    const error = await rgs.failure(rgs.client().openRound(given));
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', outcome: 'nothing' });
    expect(error.message).toMatch(message);
    expect(rgs.sent).toEqual([]);
  });

  test('an amount of a call that is not whole is refused in words of the caller (E4.1)', async () => {
    const rgs = new ScriptedRgs();
    const debitInformation = { debitAmount: 1.5, currency: 'EUR' };
    const request = { token: 't', rngResult: {}, debitInformation, endGame: false };
    const error = await rgs.failure(rgs.client().startGameRound(request));
    expect(error.message).toBe(
      'startGameRound: debitInformation/debitAmount must be a whole number of minor units, as a bigint or a safe integer.',
    );
  });

  test('a wrong win is refused by its own name; the round continues, and no id is spent (E4.1)', async () => {
    const { rgs, round } = await opened();
    await expect(round.addWin({ winAmount: 0.5 })).rejects.toThrow(
      /^addWin: winAmount must be a wh/,
    );
    await expect(round.addBet({ steak: 1 } as never)).rejects.toThrow(/^addBet: .*are rngCallId/);
    await rgs.run(round.addWin({ winAmount: 250, collect: true }));
    expect(idsOf(rgs).at(-1)).toMatch(/^win2/);
  });

  test('ids come from newId, or from the caller', async () => {
    const rgs = new ScriptedRgs();
    const client = rgs.client({ newId: () => 'a'.repeat(32) });
    const round = await rgs.run(client.openRound(opening));
    await rgs.run(round.end());
    expect(round.id).toBe('a'.repeat(32));
    expect((await rgs.run(client.openRound({ ...opening, id: 'my-round' }))).id).toBe('my-round');
    expect(idsOf(rgs).at(-1)).toMatch(/^bet1[0-9a-f]{24}$/);
  });

  test('a declined bet is the error of the operator, and nothing else is sent', async () => {
    const rgs = new ScriptedRgs();
    rgs.book.declines = true;
    const error = await rgs.failure(rgs.client().openRound(opening));
    expect(error).toMatchObject({
      id: 9001,
      clientmsg: 'Your balance is too low.',
      outcome: 'refused',
    });
    expect(rgs.names).toEqual(['startGameRound']);
  });

  test('a lost start that took the bet is a round to play on', async () => {
    const rgs = new ScriptedRgs();
    rgs.faults = ['replyLost'];
    const round = await rgs.run(rgs.client().openRound(opening));
    expect(rgs.names).toEqual(['startGameRound', 'getGameRoundInfo']);
    await rgs.run(round.addWin({ winAmount: 250, collect: true }));
    expect(rgs.book.net).toBe(150);
  });

  test('a lost start that was not taken is a refusal', async () => {
    const rgs = new ScriptedRgs();
    rgs.faults = ['lost'];
    const error = await rgs.failure(rgs.client().openRound(opening));
    expect(error).toBeInstanceOf(GameRoundError);
    expect(error).toMatchObject({ code: 'NOT_TAKEN', outcome: 'refused', clientmsg: null });
  });

  test('a lost start that stays unknown is its own error', async () => {
    const rgs = new ScriptedRgs();
    rgs.faults = [...forLong];
    const error = await rgs.failure(rgs.client().openRound({ ...opening, id: 'r-1' }));
    expect(error).toMatchObject({ operation: 'startGameRound', outcome: 'unknown' });
  });

  test('a wrong stake is refused before anything is sent', async () => {
    const rgs = new ScriptedRgs();
    const error = await rgs.failure(rgs.client().openRound({ ...opening, stake: 0.5 }));
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', outcome: 'nothing' });
    expect(rgs.sent).toEqual([]);
  });
});

describe('the calls of a round', () => {
  test('each has a unique id, at most 32 characters, the same for the same round', async () => {
    const { rgs, round } = await opened();
    const tail = round.id.slice(0, 24);
    await rgs.run(round.addBet({ stake: 50n }));
    await rgs.run(round.addWin({ winAmount: 30, rngCallId: 'r1', result: '1,2,3' }));
    await rgs.run(round.addWin({ winAmount: '30' }));
    await rgs.run(round.wager({ wagerAmount: 60, winAmount: 120 }));
    await rgs.run(round.spins({ counterType: 'customspin', awarded: 2 }));
    await rgs.run(round.spins({ counterType: 'customspin', used: 1 }));
    await rgs.run(round.end());
    expect(idsOf(rgs)).toEqual([
      `bet1${tail}`,
      `bet2${tail}`,
      `win2${tail}`,
      `win3${tail}`,
      `wager2${tail}`,
      `spin2${tail}`,
      `spin3${tail}`,
      `end2${tail}`,
    ]);
    expect(rgs.book.net).toBe(-30);
    expect(round.state).toMatchObject({ gameRoundInfo: { status: 'closed' }, amountToCollect: 0n });
  });

  test('are made one after the other, also after a failure', async () => {
    const { rgs, round } = await opened();
    const calls = [
      round.addWin({ winAmount: 10 }),
      round.wager({ wagerAmount: 999, winAmount: 0 }).catch(() => 'refused'),
      round.end(),
    ];
    const results = await rgs.run(Promise.all(calls));
    expect(results[1]).toBe('refused');
    expect(rgs.names.slice(1)).toEqual(['addWin', 'wagerWin', 'endGameRound']);
    expect(rgs.book.net).toBe(-90);
  });

  test('go with the token that the last reply names', async () => {
    const { rgs, round } = await opened();
    await rgs.run(round.end());
    expect(rgs.sent[1]?.body).toMatchObject({ token: 'token-1' });
  });

  test('void of an added bet names it, and void of the round gives everything back', async () => {
    const { rgs, round } = await opened();
    await rgs.run(round.addBet({ stake: 50 }));
    await rgs.run(round.void({ bet: 2 }));
    expect([rgs.book.net, rgs.book.only.status]).toEqual([-100, 'open']);
    await rgs.run(round.void());
    expect([rgs.book.net, rgs.book.only.outcome]).toEqual([0, 'voided']);
  });

  test('a lost win is asked for, sent again with the same id, and paid once', async () => {
    const { rgs, round } = await opened();
    rgs.faults = ['late'];
    await rgs.run(round.addWin({ winAmount: 250 }));
    await rgs.run(round.end());
    rgs.arrive();
    expect(rgs.names.slice(1)).toEqual(['addWin', 'getGameRoundInfo', 'addWin', 'endGameRound']);
    expect(rgs.sent[3]?.body).toEqual({ ...rgs.sent[1]?.body, token: 'token-1' });
    expect(rgs.book.net).toBe(150);
  });

  test('a win in doubt holds up all else until it is known: it could be hidden, or count twice', async () => {
    const { rgs, round } = await opened();
    rgs.faults = [...forLong];
    const error = await rgs.failure(round.addWin({ winAmount: 250 }));
    expect(error).toMatchObject({ operation: 'addWin', outcome: 'unknown' });
    expect(round.lost).toMatchObject({
      call: 'addWin',
      request: { rngResult: { winAmount: 250 } },
    });
    const sent = rgs.sent.length;
    for (const call of [() => round.addWin({ winAmount: 250 }), () => round.end()]) {
      expect(await rgs.failure(call())).toMatchObject({
        code: 'INVALID_REQUEST',
        outcome: 'nothing',
        message: expect.stringContaining('recover()'),
      });
    }
    expect(rgs.sent).toHaveLength(sent);
    rgs.faults = [];
    expect(await rgs.run(round.recover())).toMatchObject({ amountToCollect: 250n });
    expect(round.lost).toBeNull();
    await rgs.run(round.end());
    expect(rgs.book.net).toBe(150);
  });

  test('recover without a lost call is the state', async () => {
    const { rgs, round } = await opened();
    expect(await rgs.run(round.recover())).toBe(round.state);
    expect(rgs.names).toEqual(['startGameRound']);
  });

  test('a round that was voided meanwhile is UNDONE; a round that is unclear stays in doubt', async () => {
    const { rgs, round } = await opened();
    rgs.faults = ['lost'];
    rgs.book.only.status = 'closed';
    rgs.book.only.outcome = 'voided';
    expect(await rgs.failure(round.addWin({ winAmount: 1 }))).toMatchObject({
      code: 'UNDONE',
      outcome: 'refused',
    });
    const other = await opened();
    other.rgs.faults = ['lost'];
    other.rgs.book.only.status = 'closed';
    other.rgs.book.only.outcome = 'closed';
    expect(await other.rgs.failure(other.round.addWin({ winAmount: 1 }))).toMatchObject({
      code: 'UNCLEAR',
      outcome: 'unknown',
      recovery: { kind: 'unclear' },
    });
    expect(other.round.lost).not.toBeNull();
  });

  test('a lost void that is refused when it is repeated is that refusal', async () => {
    const { rgs, round } = await opened();
    rgs.faults = ['lost', 'lost', 'lost'];
    rgs.book.only.credited = 5;
    expect(await rgs.failure(round.void())).toMatchObject({ id: 26, outcome: 'refused' });
    expect(round.lost).toBeNull();
  });
});

describe('closeAbandoned (S2, E16, E23.4)', () => {
  test('fetches a token, asks for the round, and ends it', async () => {
    const { rgs, round } = await opened();
    await rgs.run(round.addWin({ winAmount: 40 }));
    rgs.sent.length = 0;
    const state = await rgs.run(rgs.client().closeAbandoned(round.id));
    expect(state).toMatchObject({ gameRoundInfo: { status: 'closed' }, amountCredited: 40n });
    expect(rgs.names).toEqual(['getTokenForGameRound', 'getGameRoundInfo', 'endGameRound']);
    expect(rgs.book.net).toBe(-60);
  });

  test('lets you play what is left, with ids that were not used before', async () => {
    const { rgs, round } = await opened();
    await rgs.run(round.addWin({ winAmount: 40 }));
    const client = rgs.client();
    await rgs.run(client.closeAbandoned(round.id, (left) => left.addWin({ winAmount: 40 })));
    const ids = idsOf(rgs).filter((id) => String(id).startsWith('win'));
    expect(new Set(ids).size).toBe(2);
    expect([rgs.book.net, rgs.names.at(-1)]).toEqual([-20, 'endGameRound']);
  });

  test('does not end a round that was closed by what was left', async () => {
    const { rgs, round } = await opened();
    const client = rgs.client();
    await rgs.run(
      client.closeAbandoned(round.id, (left) => left.addWin({ winAmount: 40, collect: true })),
    );
    expect(rgs.names.at(-1)).toBe('addWin');
  });

  test('a second time it is over already', async () => {
    const { rgs, round } = await opened();
    const client = rgs.client();
    await rgs.run(client.closeAbandoned(round.id));
    rgs.sent.length = 0;
    expect(await rgs.run(client.closeAbandoned(round.id))).toBeNull();
    expect(rgs.names).toEqual(['getTokenForGameRound']);
  });

  test('a round that your book holds as not taken is voided, and not ended', async () => {
    const { rgs, round } = await opened();
    await rgs.run(rgs.client().closeAbandoned(round.id, () => 'void'));
    expect([rgs.book.net, rgs.book.only.outcome]).toEqual([0, 'voided']);
  });

  test('so is one that this client reported as not taken, and that the RGS opened late (S2.2)', async () => {
    const rgs = new ScriptedRgs();
    rgs.book.spendsQueried = false;
    const client = rgs.client();
    rgs.faults = ['late'];
    const error = await rgs.failure(client.openRound({ ...opening, id: 'r-1' }));
    expect(error).toMatchObject({ code: 'NOT_TAKEN' });
    rgs.arrive();
    expect(rgs.book.only.status).toBe('open');
    let finished = false;
    const finish = () => {
      finished = true;
    };
    await rgs.run(client.closeAbandoned('r-1', finish));
    expect([finished, rgs.book.net, rgs.book.only.outcome]).toEqual([false, 0, 'voided']);
  });

  test('a token that a late request for another one revoked is fetched again, once', async () => {
    const { rgs, round } = await opened();
    const revoked = [400, { errorCode: { id: 1008, msg: 'revoked' } }] as const;
    rgs.answers.set('getGameRoundInfo', [revoked]);
    await rgs.run(rgs.client().closeAbandoned(round.id));
    expect(rgs.book.only.status).toBe('closed');
    const other = await opened();
    other.rgs.answers.set('getGameRoundInfo', [revoked, revoked]);
    const closing = other.rgs.client().closeAbandoned(other.round.id);
    expect(await other.rgs.failure(closing)).toMatchObject({ id: 1008 });
  });

  test('a round that the RGS does not know never arrived: nothing is to be closed, and a start that comes late is voided (S2.2)', async () => {
    const rgs = new ScriptedRgs();
    const client = rgs.client();
    expect(await rgs.run(client.closeAbandoned('r-1'))).toBeNull();
    await rgs.run(rgs.client().openRound({ ...opening, id: 'r-1' }));
    await rgs.run(client.closeAbandoned('r-1'));
    expect([rgs.book.net, rgs.book.only.outcome]).toEqual([0, 'voided']);
  });

  test("a player's token that the RGS still takes is used, and none is fetched, which would revoke it", async () => {
    const { rgs, round } = await opened();
    rgs.sent.length = 0;
    await rgs.run(rgs.client().closeAbandoned(round.id, () => {}, { token: 't' }));
    expect(rgs.names).toEqual(['getGameRoundInfo', 'endGameRound']);
    rgs.sent.length = 0;
    expect(await rgs.run(rgs.client().closeAbandoned('r-2', () => {}, { token: 't' }))).toBeNull();
    expect(rgs.names).toEqual(['getGameRoundInfo']);
  });

  test("one is fetched where the RGS takes the player's no more", async () => {
    const { rgs, round } = await opened();
    rgs.answers.set('getGameRoundInfo', [[400, { errorCode: { id: 1008, msg: 'revoked' } }]]);
    rgs.sent.length = 0;
    await rgs.run(rgs.client().closeAbandoned(round.id, () => {}, { token: 't' }));
    expect(rgs.names).toEqual([
      'getGameRoundInfo',
      'getTokenForGameRound',
      'getGameRoundInfo',
      'endGameRound',
    ]);
  });

  test('what finish throws is thrown, and nothing is ended', async () => {
    const { rgs, round } = await opened();
    const closing = rgs
      .client()
      .closeAbandoned(round.id, () => Promise.reject(new Error('no draw')));
    const error = await rgs.failure(closing);
    expect(error.message).toBe('no draw');
    expect(rgs.book.only.status).toBe('open');
  });
});

describe('resumeRound (S2)', () => {
  test('asks for the round with the token, and the round is played on', async () => {
    const { rgs, round } = await opened();
    await rgs.run(round.addWin({ winAmount: 40 }));
    rgs.sent.length = 0;
    const resumed = await rgs.run(rgs.client().resumeRound('t', round.id));
    expect(rgs.names).toEqual(['getGameRoundInfo']);
    expect(resumed).toMatchObject({ id: round.id, state: { amountToCollect: 40n }, lost: null });
    await rgs.run(resumed?.end() ?? Promise.reject(new Error('no round')));
    expect(rgs.book.net).toBe(-60);
  });

  test('a round that was closed is returned as it is', async () => {
    const { rgs, round } = await opened();
    await rgs.run(round.end());
    const resumed = await rgs.run(rgs.client().resumeRound('t', round.id));
    expect(resumed?.state.gameRoundInfo.status).toBe('closed');
  });

  test('null for a start that never arrived: its id is spent, and where the RGS opens it late it is voided (S2.2, E14.1)', async () => {
    const rgs = new ScriptedRgs();
    const client = rgs.client();
    expect(await rgs.run(client.resumeRound('t', 'r-1'))).toBeNull();
    const late = rgs.client().openRound({ ...opening, id: 'r-1' });
    expect(await rgs.failure(late)).toMatchObject({ outcome: 'refused' });

    const unspent = new ScriptedRgs();
    unspent.book.spendsQueried = false;
    const other = unspent.client();
    expect(await unspent.run(other.resumeRound('t', 'r-1'))).toBeNull();
    await unspent.run(unspent.client().openRound({ ...opening, id: 'r-1' }));
    await unspent.run(other.closeAbandoned('r-1'));
    expect([unspent.book.net, unspent.book.only.outcome]).toEqual([0, 'voided']);
  });

  test('a token that the RGS takes no more is its refusal: nothing is known of the round', async () => {
    const { rgs, round } = await opened();
    rgs.answers.set('getGameRoundInfo', [[400, { errorCode: { id: 1008, msg: 'revoked' } }]]);
    const error = await rgs.failure(rgs.client().resumeRound('t', round.id));
    expect(error).toMatchObject({ serviceCode: 'SESSIONINVALID', outcome: 'refused' });
  });

  test('a call that was on its way when the process died has its id again, so it counts once (E15.1)', async () => {
    const { rgs, round } = await opened();
    await rgs.run(round.addWin({ winAmount: 40 }));
    const doubled = { wagerAmount: 40, winAmount: 80, rngCallId: 'd-1' };
    rgs.faults = ['late', ...forLong];
    const dead = round.wager(doubled).catch(() => {});
    await rgs.clock.pass(5);
    rgs.faults = [];
    const resumed = await rgs.client().resumeRound('t', round.id);
    await rgs.run(resumed?.wager(doubled) ?? Promise.reject(new Error('no round')));
    rgs.arrive();
    await rgs.run(dead);
    const wagers = rgs.book.only.entries.filter(({ type }) => type === 'wager');
    expect([wagers.length, resumed?.state.amountToCollect]).toEqual([1, 80n]);
  });
});
