import * as fc from 'fast-check';

import type { EngineRequests } from '../../../lib/protocol/engine-api/requests';
import type { PostedCall } from '../../../lib/protocol/engine-api/read-request';
import { findUnwritable } from '../../../lib/protocol/json/exact';
import { writeJson } from '../../../lib/protocol/json/write';

/** A request as a provider gives it, and what the service reads. */
export interface Sent<Name extends PostedCall> {
  readonly given: object;
  readonly read: EngineRequests[Name];
}

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const id = text.filter((one) => !/[#\p{Cc}]/u.test(one) && !/^[A-Z]{3}$/.test(one));
const name = text.filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key));
const texts = fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true });
const currency = fc.stringMatching(/^[A-Z]{3}$/);
const orNull = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(one, { nil: null });
const units = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n });
/** JSON that the kit writes as JSON.stringify does, and that the strict parser accepts. */
const value = fc.jsonValue({ maxDepth: 3 }).filter((one) => {
  const isExact = findUnwritable(one) === null;
  return isExact && !/-0\b|e[-+]?\d|__proto__|constructor|prototype/.test(JSON.stringify(one));
});

/** An amount in one of the spellings that a provider may give. */
const spelled = fc.tuple(units, fc.nat(2)).map(([amount, way]) => {
  return { exact: amount, given: [amount, Number(amount), String(amount)][way] };
});

const flag = fc.boolean();

/** Absent members in one of the ways to leave them out. */
function optional(key: string, member: unknown, way: number): object {
  if (member !== null) return { [key]: member };
  return [{}, { [key]: undefined }, { [key]: null }][way] ?? {};
}

const way = fc.nat(2);
const jackpot = fc.record({ jackpotId: text, jackpotMode: orNull(text) });
const jackpots = fc.array(jackpot, { maxLength: 2 });

const draw = fc
  .record({
    rngCallId: orNull(text),
    result: orNull(text),
    winAmount: orNull(spelled),
    betData: texts,
    way,
  })
  .map((one) => ({
    given: {
      ...optional('rngCallId', one.rngCallId, one.way),
      ...optional('result', one.result, one.way),
      ...optional('winAmount', one.winAmount?.given ?? null, one.way),
      betData: one.betData,
    },
    read: {
      rngCallId: one.rngCallId,
      result: one.result,
      winAmount: one.winAmount?.exact ?? null,
      betData: one.betData,
    },
  }));

const won = fc.tuple(draw, spelled).map(([{ given, read }, amount]) => ({
  given: { ...given, winAmount: amount.given },
  read: { ...read, winAmount: amount.exact },
}));

const credit = fc.record({ amount: spelled, currency, id: orNull(id), jackpots }).map((one) => ({
  given: {
    creditAmount: one.amount.given,
    currency: one.currency,
    ...optional('externalGameProviderTransactionId', one.id, 0),
    jackpotPayout: one.jackpots,
  },
  read: {
    creditAmount: one.amount.exact,
    currency: one.currency,
    externalGameProviderTransactionId: one.id,
    jackpotPayout: one.jackpots,
  },
}));

const startParts = fc.record({
  token: text,
  draw,
  stake: spelled,
  currency,
  debitId: orNull(id),
  useTicket: flag,
  credit: orNull(credit),
  endGame: flag,
  closeOpenGame: flag,
  useJackpot: flag,
  roundId: orNull(id),
  way,
});

type StartParts = typeof startParts extends fc.Arbitrary<infer Parts> ? Parts : never;

function startOf<Name extends 'startGameRound' | 'startGameOrAddBet'>(call: Name) {
  return (one: StartParts): Sent<Name> => {
    const isAdded = call === 'startGameOrAddBet';
    const debitId = isAdded ? (one.debitId ?? 'debit-1') : one.debitId;
    const roundId = isAdded ? (one.roundId ?? 'round-1') : one.roundId;
    const read: EngineRequests['startGameRound'] = {
      call,
      token: one.token,
      rngResult: one.draw.read,
      debitInformation: {
        debitAmount: one.stake.exact,
        currency: one.currency,
        externalGameProviderTransactionId: debitId,
        useTicket: one.useTicket,
      },
      creditInformation: one.credit?.read ?? null,
      endGame: one.endGame,
      closeOpenGame: one.closeOpenGame,
      useJackpot: one.useJackpot,
      externalGameProviderRoundId: roundId,
    };
    const given = {
      token: one.token,
      rngResult: one.draw.given,
      debitInformation: {
        debitAmount: one.stake.given,
        currency: one.currency,
        ...optional('externalGameProviderTransactionId', debitId, one.way),
        useTicketInfo: one.useTicket ? { useTicket: true } : undefined,
      },
      ...optional('creditInformation', one.credit?.given ?? null, one.way),
      endGame: one.endGame,
      closeOpenGame: one.closeOpenGame,
      ...optional('useJackpot', one.useJackpot ? true : null, one.way),
      ...optional('externalGameProviderRoundId', roundId, one.way),
    };
    return { given, read };
  };
}

const round = { token: text, gameRound: id };

function same<Name extends PostedCall>(
  requests: fc.Arbitrary<EngineRequests[Name]>,
): fc.Arbitrary<Sent<Name>> {
  return requests.map((read) => ({ given: read, read }));
}

function endOrVoid<Name extends 'endGameRound' | 'voidGameRound'>(call: Name) {
  return fc.record({ ...round, id: orNull(id), way }).map(({ id: own, way: how, ...others }) => ({
    given: { ...others, ...optional('externalGameProviderTransactionId', own, how) },
    read: { call, ...others, externalGameProviderTransactionId: own },
  }));
}

const filter = fc.record({
  token: text,
  currency: fc.oneof(currency, fc.constant('')),
  stake: spelled,
});

/** Any request of each call. */
export const anyRequest: { readonly [Name in PostedCall]: fc.Arbitrary<Sent<Name>> } = {
  startGameRound: startParts.map(startOf('startGameRound')),
  startGameOrAddBet: startParts.map(startOf('startGameOrAddBet')),
  addWin: fc
    .record({ ...round, won, collect: flag, id: orNull(id), jackpots, way })
    .map(({ token, gameRound, ...one }) => ({
      given: {
        token,
        gameRound,
        rngResult: one.won.given,
        ...optional('collect', one.collect ? true : null, one.way),
        ...optional('externalGameProviderTransactionId', one.id, one.way),
        ...optional('jackpotPayout', one.jackpots.length > 0 ? one.jackpots : null, one.way),
      },
      read: {
        call: 'addWin',
        token,
        gameRound,
        rngResult: one.won.read,
        collect: one.collect,
        externalGameProviderTransactionId: one.id,
        jackpotPayout: one.jackpots,
      },
    })),
  endGameRound: endOrVoid('endGameRound'),
  voidGameRound: endOrVoid('voidGameRound'),
  collectWin: fc
    .record({ ...round, amount: orNull(spelled), id: orNull(id), way })
    .map(({ token, gameRound, ...one }) => ({
      given: {
        token,
        gameRound,
        ...optional('amount', one.amount?.given ?? null, one.way),
        ...optional('externalGameProviderTransactionId', one.id, one.way),
      },
      read: {
        call: 'collectWin',
        token,
        gameRound,
        amount: one.amount?.exact ?? null,
        externalGameProviderTransactionId: one.id,
      },
    })),
  wagerWin: fc
    .record({
      ...round,
      won,
      wager: spelled,
      amount: orNull(spelled),
      currency,
      status: orNull(text),
      id: orNull(id),
      jackpots,
      way,
    })
    .map(({ token, gameRound, ...one }) => ({
      given: {
        token,
        gameRound,
        rngResult: one.won.given,
        wagerInformation: {
          wagerAmount: one.wager.given,
          currency: one.currency,
          ...optional('winAmount', one.amount?.given ?? null, one.way),
          ...optional('status', one.status, one.way),
          ...optional('externalGameProviderTransactionId', one.id, one.way),
          jackpotPayout: one.jackpots,
        },
      },
      read: {
        call: 'wagerWin',
        token,
        gameRound,
        rngResult: one.won.read,
        wagerInformation: {
          wagerAmount: one.wager.exact,
          winAmount: one.amount?.exact ?? null,
          currency: one.currency,
          status: one.status,
          externalGameProviderTransactionId: one.id,
          jackpotPayout: one.jackpots,
        },
      },
    })),
  addSpinCounterGameState: fc
    .record({
      ...round,
      counterType: text,
      rngCallId: text,
      awarded: fc.nat(1_000_000),
      used: orNull(fc.nat(1_000_000)),
      amount: orNull(spelled),
      state: fc.oneof(text, texts),
      way,
    })
    .map(({ token, gameRound, counterType, rngCallId, ...one }) => ({
      given: {
        token,
        gameRound,
        counterType,
        rngResult: {
          rngCallId,
          result: { awarded: one.awarded, ...optional('used', one.used, one.way) },
          ...optional('winAmount', one.amount?.given ?? null, one.way),
        },
        gameStateResult: one.state,
      },
      read: {
        call: 'addSpinCounterGameState',
        token,
        gameRound,
        counterType,
        rngCallId,
        awarded: one.awarded,
        used: one.used ?? 0,
        winAmount: one.amount?.exact ?? null,
        gameStateResult: typeof one.state === 'string' ? one.state : writeJson(one.state),
      },
    })),
  getGameRoundInfo: same<'getGameRoundInfo'>(fc.record(round)),
  getGameRoundHistoryInfo: same<'getGameRoundHistoryInfo'>(fc.record(round)),
  getUncollectedAmount: same<'getUncollectedAmount'>(fc.record(round)),
  getAvailableSpinCounter: same<'getAvailableSpinCounter'>(
    fc.record({ ...round, counterType: text }),
  ),
  getTokenForGameRound: same<'getTokenForGameRound'>(fc.record({ gameRound: id })),
  getBalance: same<'getBalance'>(fc.record({ token: text })),
  getTokenData: same<'getTokenData'>(fc.record({ token: text })),
  getLastGameRounds: same<'getLastGameRounds'>(
    fc.record({ token: text, count: orNull(fc.integer({ min: 1, max: 100 })) }),
  ),
  getPlayerData: filter.map(({ stake, ...one }) => ({
    given: { ...one, stake: stake.given },
    read: { ...one, stake: stake.exact },
  })),
  setPlayerData: fc
    .record({ filter, data: value.filter((one) => one !== null), at: orNull(fc.nat()), way })
    .map(({ filter: { token, stake, ...one }, data, at, way: how }) => ({
      given: {
        token,
        data: {
          ...one,
          stake: stake.given,
          data,
          ...optional('expires', at === null ? null : new Date(at), how),
        },
      },
      read: { token, ...one, stake: stake.exact, data: JSON.stringify(data), expires: at },
    })),
  getRandomResult: fc
    .record({
      token: text,
      count: fc.integer({ min: 1, max: 10_000 }),
      one: fc.nat(),
      other: fc.nat(),
    })
    .map(({ token, count, one, other }) => {
      const [min, max] = [Math.min(one, other), Math.max(one, other)];
      const rngEndPoint = one % 2 === 0 ? ('getDoubles' as const) : ('getIntegers' as const);
      return {
        given: { token, rngEndPoint, rngPayload: { count, min, max } },
        read: { token, rngEndPoint, count, min, max },
      };
    }),
  testPing: value.map((testData) => ({
    given: { testData },
    read: { testData: JSON.stringify(testData) },
  })),
};
