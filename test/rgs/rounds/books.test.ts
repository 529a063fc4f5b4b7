import { describe, expect, test } from '@jest/globals';

import type { RoundCall, StartGameRound } from '../../../lib/protocol/engine-api/calls';
import { playOf } from '../../../lib/rgs/free-plays';
import { apply } from '../../../lib/rgs/rounds/apply';
import { callFindingRules } from '../../../lib/rgs/rounds/decision';
import { decideOnRound, spinsAvailable } from '../../../lib/rgs/rounds/round-call';
import { defaultSettings } from '../../../lib/rgs/rounds/context';
import type { Due, Refusal, Round } from '../../../lib/rgs/rounds/round';
import { protectedInfoOf, replyOf } from '../../../lib/rgs/rounds/query';
import { nextCall } from '../../../lib/rgs/rounds/delivery';
import { resolve } from '../../../lib/rgs/rounds/end';
import { type Answer, cut, type WalletError } from '../../../lib/rgs/settlement/answer';
import { Desk, hashOf, idOf } from './desk';

const processed = (call: readonly Due[]): Answer => ({
  kind: 'reply',
  status: 200,
  body: { hashesProcessed: call.map(({ hash }) => ({ hash, error: null })), error: null },
});

const draw = { rngCallId: 'draw-1', result: '7,7,7', winAmount: null, betData: { line: '5' } };

const begin: StartGameRound = {
  call: 'startGameOrAddBet',
  rngResult: draw,
  debitInformation: {
    debitAmount: 100n,
    currency: 'EUR',
    externalGameProviderTransactionId: 'tx-1',
    useTicket: false,
  },
  creditInformation: null,
  endGame: false,
  closeOpenGame: false,
  useJackpot: false,
  externalGameProviderRoundId: 'r',
};

function won(amount: bigint, further: Partial<RoundCall & { call: 'addWin' }> = {}): RoundCall {
  return {
    call: 'addWin',
    gameRound: 'r',
    rngResult: { ...draw, winAmount: amount },
    collect: false,
    externalGameProviderTransactionId: 'tx-2',
    jackpotPayout: [],
    ...further,
  };
}

const ending: RoundCall = {
  call: 'endGameRound',
  gameRound: 'r',
  externalGameProviderTransactionId: null,
};

function opened(): Desk {
  const desk = new Desk(processed);
  desk.play(begin);
  return desk;
}

/** A closed round with a credit and an end that the wallet did not hear of. */
function stuck(): Desk {
  const desk = opened();
  desk.work(won(30n));
  desk.wallet = () => null;
  desk.work(ending);
  return desk;
}

/** The refusal of a start that the wallet declines by an error at the top, without listing the hash. */
function declinedBy(error: WalletError): Refusal | null {
  const body = { hashesProcessed: [], error };
  const { answer } = new Desk(() => ({ kind: 'reply', status: 400, body })).play(begin);
  return answer.kind === 'refused' ? answer.refusal : null;
}

/** The types that the next call has where these are due. */
function nextTypes(...queue: Due[]): string[] {
  return nextCall({ ...opened().round('r'), queue }, 'combined').map(({ type }) => type);
}

const dueCommon = { hash: 'h', at: 0, reason: '', amount: 1n, currency: 'EUR' };
const dueCredit: Due = { ...dueCommon, type: 'credit' };
const dueEnd: Due = { type: 'end', hash: 'e', at: 0, reason: 'end' };
const dueVoid: Due = { ...dueCommon, type: 'void' };

describe('what goes to the wallet', () => {
  test('B2: a first debit has the round as its hash, the full amount, and its discount beside it', () => {
    const desk = new Desk(processed);
    desk.offer = { ...desk.offer, discount: { amount: 10n, campaignId: 'spring' } };
    expect(desk.play(begin).sent).toEqual([
      [
        {
          type: 'debit',
          hash: 'r',
          isFirstDebit: true,
          amount: 100n,
          currency: 'EUR',
          discount: { amount: 10n, campaignId: 'spring' },
          serial: null,
          at: 1_000,
          reason: 'bet',
        },
      ],
    ]);
  });

  test('E18.2: a free play is a debit of 0 with its serial, and without a discount', () => {
    const desk = new Desk(processed);
    const discount = { amount: 10n, campaignId: 'spring' };
    desk.offer = { ...desk.offer, discount, freePlaySerial: 'package-1' };
    const debitInformation = { ...begin.debitInformation, useTicket: true };
    const [[debit] = []] = desk.play({ ...begin, debitInformation }).sent;
    expect(debit).toMatchObject({
      amount: 0n,
      serial: 'package-1',
      discount: null,
      reason: 'free play',
    });
  });

  test('E15.4: an added debit, a credit and the end have hashes made of the round and a key or counter', () => {
    const desk = opened();
    const debitInformation = {
      ...begin.debitInformation,
      externalGameProviderTransactionId: 'tx-9',
    };
    const [[debit] = []] = desk.play({ ...begin, debitInformation }).sent;
    const [call = []] = desk.work(won(30n, { collect: true })).sent;
    expect([debit, ...call].map((due) => due?.hash)).toEqual([
      hashOf('r#debit#tx-9'),
      hashOf('r#credit#1'),
      hashOf('r#end#1'),
    ]);
    expect(debit).toMatchObject({ isFirstDebit: false, reason: 'added bet' });
  });

  test('W6: a void has the hash, the amount and the currency of its debit', () => {
    const desk = new Desk(() => cut);
    let calls = 0;
    desk.wallet = (call) => (calls++ === 0 ? cut : processed(call));
    const [, [voided] = []] = desk.play(begin).sent;
    expect(voided).toEqual({
      type: 'void',
      hash: 'r',
      amount: 100n,
      currency: 'EUR',
      at: 1_000,
      reason: 'void',
    });
  });

  test.each([
    ['win', { collect: true }, 'win'],
    [
      'jackpots',
      { collect: true, jackpotPayout: [{ jackpotId: 'mega', jackpotMode: null }] },
      'jackpot mega',
    ],
  ])('W9, E9.1: the reason of a credit tells of %s', (_what, further, reason) => {
    const [[credit] = []] = opened().work(won(30n, further)).sent;
    expect(credit?.reason).toBe(reason);
  });

  test('E9.1: a jackpot that is collected later is named then', () => {
    const desk = opened();
    desk.work(won(30n, { jackpotPayout: [{ jackpotId: 'mega', jackpotMode: null }] }));
    const [[credit] = []] = desk.work(ending).sent;
    expect(credit?.reason).toBe('jackpot mega');
  });

  test('W9: the reason of a credit stays short however many jackpots it names, for a wallet refuses a call that is too large', () => {
    const desk = opened();
    const jackpotPayout = Array.from({ length: 50 }, (_, nth) => ({
      jackpotId: `${nth}`.padStart(128, 'j'),
      jackpotMode: null,
    }));
    desk.work(won(30n, { jackpotPayout }));
    desk.work(won(30n, { jackpotPayout }));
    const [[credit] = []] = desk.work(ending).sent;
    expect(credit?.reason).toBe(`jackpot ${'0'.padStart(128, 'j')} and 49 more`);
  });

  test('W9: what endGameRound collects has its own reason', () => {
    const desk = opened();
    desk.work(won(30n));
    expect(desk.work(ending).sent[0]?.map(({ reason }) => reason)).toEqual(['collect', 'end']);
  });
});

describe('what is sent in one call', () => {
  test('W4, W5: nothing follows a void in its call, a void follows nothing, and one credit is the most', () => {
    expect(nextTypes(dueVoid, dueCredit, dueEnd)).toEqual(['void']);
    expect(nextTypes(dueCredit, dueEnd, dueVoid)).toEqual(['credit', 'end']);
    expect(nextTypes(dueCredit, dueVoid)).toEqual(['credit']);
    expect(nextTypes(dueCredit, dueCredit, dueEnd)).toEqual(['credit']);
    expect(nextTypes(dueEnd)).toEqual(['end']);
    expect(nextTypes()).toEqual([]);
  });
});

describe('the answer to the game for a declined debit', () => {
  test('E3: the error at the top says why where the hash is not listed, with its text for the player', () => {
    const refusal = declinedBy({ id: 77, msg: 'secret', clientmsg: 'You play too long.' });
    expect(refusal).toEqual({
      kind: 'operator',
      id: 77,
      clientmsg: 'You play too long.',
      rule: 'W2',
    });
  });

  test.each([12, 13, 14, 15, 16, 19, 26, 37, 1001, 1008, 9000, 9100, 9199, 1.5, null])(
    'E3: under the id %p it would lie, or says nothing: 9100',
    (id) => {
      expect(declinedBy({ id, msg: '' })).toMatchObject({ kind: 'ours', code: 'GENERICBETERROR' });
    },
  );

  test.each([1, 33, 9001, 9099, 9200])('E3: the id %p is passed on', (id) => {
    expect(declinedBy({ id, msg: '' })).toMatchObject({ kind: 'operator', id });
  });
});

describe('what a reply says', () => {
  test('E9.3: gameState has an entry for the debit and one for the win, with what is known of the draw', () => {
    const desk = opened();
    desk.at = 2_000;
    desk.work(won(30n));
    const [debit, entry] = replyOf(desk.round('r')).gameState;
    const info = {
      rngCallId: 'draw-1',
      externalGameProviderTransactionId: 'tx-2',
      result: '7,7,7',
    };
    expect(debit).toMatchObject({ hash: 'r', type: 'debit', at: 1_000, collected: 0n });
    expect(entry).toMatchObject({ type: 'genericwin', winAmount: 30n, at: 2_000, info });
  });

  test('E9.3: a result of more than 256 characters is not shown', () => {
    const desk = opened();
    desk.work(won(1n, { rngResult: { ...draw, result: 'x'.repeat(257), winAmount: 1n } }));
    expect(replyOf(desk.round('r')).gameState[1]?.info).not.toHaveProperty('result');
  });

  test('E12.1: what is collected moves from the open pieces, oldest first', () => {
    const desk = opened();
    desk.work(won(30n));
    desk.work(won(20n, { externalGameProviderTransactionId: 'tx-3' }));
    const collect = { call: 'collectWin', gameRound: 'r', amount: 40n } as const;
    desk.work({ ...collect, externalGameProviderTransactionId: 'tx-4' });
    const pieces = replyOf(desk.round('r')).gameState.slice(1);
    expect(pieces.map(({ open, collected }) => [open, collected])).toEqual([
      [0n, 30n],
      [10n, 10n],
    ]);
  });

  test('E10.2: a wager has an entry with what was staked', () => {
    const desk = opened();
    desk.work(won(30n));
    desk.work({
      call: 'wagerWin',
      gameRound: 'r',
      rngResult: { ...draw, winAmount: 60n },
      wagerInformation: {
        wagerAmount: 30n,
        winAmount: null,
        currency: 'EUR',
        status: 'WON',
        externalGameProviderTransactionId: 'tx-5',
        jackpotPayout: [],
      },
    });
    const entry = replyOf(desk.round('r')).gameState.at(-1);
    expect(entry).toMatchObject({ type: 'wager', amountWagered: 30n, winAmount: 60n, open: 60n });
    expect(entry?.info['status']).toBe('WON');
  });

  test('E11.3: a spin counter has an entry with the state of the game, and tells what is left', () => {
    const desk = opened();
    desk.work({
      call: 'addSpinCounterGameState',
      gameRound: 'r',
      counterType: 'customspin',
      rngCallId: 'draw-5',
      awarded: 10,
      used: 3,
      winAmount: null,
      gameStateResult: '{"at":3}',
    });
    const entry = replyOf(desk.round('r')).gameState.at(-1);
    expect(entry).toMatchObject({ type: 'spincounter', reason: 'customspin' });
    expect(entry?.info).toEqual({ rngCallId: 'draw-5', gameStateResult: '{"at":3}' });
    expect(spinsAvailable(desk.round('r'), 'customspin')).toBe(7);
  });

  test('E11.4: a counter that is not known has no spins', () => {
    expect(spinsAvailable(opened().round('r'), 'customspin')).toBe(0);
  });

  test('E14.2: the history alone has betData', () => {
    const desk = opened();
    desk.work(won(30n, { rngResult: { ...draw, winAmount: 30n, betData: { dice: '6' } } }));
    expect(protectedInfoOf(desk.round('r'))).toEqual({ line: '5', dice: '6' });
    expect(replyOf(desk.round('r')).gameState.map(({ info }) => Object.keys(info))).not.toContain(
      'line',
    );
  });

  test.each([
    ['1', '100'],
    ['6', null],
    ['0.5', '200'],
    ['2.5', '40'],
    ['8', '12.5'],
    ['150', null],
    ['1000', '0.1'],
  ])(
    'E14.3: baseStake is the stake of 100 by the multiplier %s, exact: %s',
    (multiplier, expected) => {
      const desk = opened();
      const round = desk.round('r');
      const owner = { ...round.owner, currencyMultiplier: multiplier };
      expect(replyOf({ ...round, owner }).baseStake).toBe(expected);
    },
  );

  test('E8: a declined debit has no entry, and leaves nothing in the round', () => {
    const desk = opened();
    desk.wallet = () => ({ kind: 'reply', status: 400, body: null });
    const information = { ...begin.debitInformation, externalGameProviderTransactionId: 'tx-9' };
    desk.play({ ...begin, debitInformation: information });
    expect(replyOf(desk.round('r')).gameState.map(({ hash }) => hash)).toEqual(['r']);
    expect(desk.round('r').awaiting).toEqual([]);
  });

  test('E14.3: an added debit counts as stake, one that was declined does not', () => {
    const desk = opened();
    desk.wallet = () => ({ kind: 'reply', status: 400, body: null });
    const information = { ...begin.debitInformation, externalGameProviderTransactionId: 'tx-9' };
    desk.play({ ...begin, debitInformation: information });
    expect(replyOf(desk.round('r')).stake).toBe(100n);
  });
});

describe('free plays that come back to their package', () => {
  const free: StartGameRound = {
    ...begin,
    debitInformation: { ...begin.debitInformation, useTicket: true },
  };

  /** The plays that the round takes from its package: at its start, and at last. */
  function taken(wallet: Desk['wallet'], then?: RoundCall): readonly unknown[] {
    const desk = new Desk(wallet);
    desk.offer = { ...desk.offer, freePlaySerial: 'package-1' };
    desk.play(free);
    const started = desk.journal.get('r')?.[0];
    if (started === undefined) throw new Error('nothing was started');
    if (then !== undefined) desk.work(then);
    return [apply(null, started), desk.round('r')].map((round) => playOf(round)?.used);
  }

  test('E18.2: one whose debit was declined comes back', () => {
    const declined: Answer = { kind: 'reply', status: 400, body: null };
    expect(taken((call) => (call[0]?.type === 'debit' ? declined : null))).toEqual([1, 0]);
  });

  test('E18.2: so does one whose debit was not answered', () => {
    expect(taken((call) => (call[0]?.type === 'debit' ? cut : null))).toEqual([1, 0]);
  });

  test('E13.4: so does one whose round is voided', () => {
    expect(taken(processed, { ...ending, call: 'voidGameRound' })).toEqual([1, 0]);
  });

  test('E18.2: one that was played does not', () => {
    expect(taken(processed, ending)).toEqual([1, 1]);
  });
});

describe('the hand of a person (E16.2)', () => {
  test('E16.2: giving up empties the queue, and each amount stays listed as not delivered', () => {
    const desk = stuck();
    const decision = resolve(desk.context(), desk.round('r'), 'giveUp');
    const { round } = (decision.kind === 'changed' ? decision.changes[0] : null) ?? {};
    expect(round?.queue).toEqual([]);
    expect(round?.undelivered.map((due) => ('amount' in due ? due.amount : due.type))).toEqual([
      30n,
      'end',
    ]);
    expect(round).toMatchObject({ needsPerson: true, state: 'closed' });
    expect(replyOf(round as Round)).toMatchObject({ amountCredited: 0n, creditPending: 0n });
  });

  test('E16.2: closing ends an open round as endGameRound does', () => {
    const desk = opened();
    desk.work(won(30n));
    const decision = resolve(desk.context(), desk.round('r'), 'close');
    if (decision.kind !== 'changed') throw new Error('not closed');
    expect(decision.changes[0].round.queue.map(({ type }) => type)).toEqual(['credit', 'end']);
  });

  test('E16.2: a round that is not open is not closed again', () => {
    const desk = stuck();
    const decision = resolve(desk.context(), desk.round('r'), 'close');
    expect(decision.kind === 'refused' && idOf(decision)).toBe(13);
  });

  test('W5: the credit that was refused for good and what waited for it are listed', () => {
    const desk = stuck();
    desk.wallet = ([credit]) => ({
      kind: 'reply',
      status: 400,
      body: {
        hashesProcessed: [{ hash: credit?.hash ?? '', error: { id: 9005, msg: '' } }],
        error: null,
      },
    });
    desk.deliver('r');
    const { undelivered, needsPerson, state } = desk.round('r');
    expect(undelivered.map(({ type }) => type)).toEqual(['credit', 'end']);
    expect([needsPerson, state]).toEqual([true, 'stranded']);
  });
});

describe('a journal that is wrong', () => {
  test('B4: a round that starts twice, or changes before it starts, is an error', () => {
    const desk = opened();
    const [started] = desk.journal.get('r') ?? [];
    if (started === undefined) throw new Error('nothing was started');
    expect(() => apply(desk.round('r'), started)).toThrow('has started already');
    expect(() => apply(null, { type: 'givenUp', at: 1 })).toThrow('never started');
  });
});

describe('what is set unless somebody sets it', () => {
  test('E1.6: the readings are the literal ones, and every option is off', () => {
    expect(defaultSettings).toEqual({
      readings: { partialWager: 'replace', startWin: 'record', openRounds: 'perPlayer' },
      enforceStakes: false,
      zeroCredits: false,
      collectBeforeAddedBet: false,
    });
  });

  test('E1.5: each finding names its rule', () => {
    const rules = Object.values(callFindingRules);
    expect(rules.filter((rule) => !/^E\d+\.\d+$/.test(rule))).toEqual([]);
  });

  test('E10.4: a gamble that the operator does not allow is a finding, not a refusal', () => {
    const desk = opened();
    desk.work(won(30n));
    const decision = decideOnRound({ ...desk.context(), isGambleEnabled: false }, desk.round('r'), {
      call: 'wagerWin',
      gameRound: 'r',
      rngResult: { ...draw, winAmount: 0n },
      wagerInformation: {
        wagerAmount: 30n,
        winAmount: null,
        currency: 'EUR',
        status: null,
        externalGameProviderTransactionId: 'tx-5',
        jackpotPayout: [],
      },
    });
    expect(decision).toMatchObject({
      kind: 'changed',
      findings: expect.arrayContaining(['gambleNotEnabled']),
    });
  });
});
