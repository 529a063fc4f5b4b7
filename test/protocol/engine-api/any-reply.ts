import * as fc from 'fast-check';

import type { EngineCall } from '../../../lib/protocol/engine-api/requests';
import type { EngineReplies } from '../../../lib/protocol/engine-api/replies';
import { ExactNumber, writeJson } from '../../../lib/protocol/json/write';
import type { ExactJsonObject } from '../../../lib/protocol/json/exact';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const name = text.filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key));
const amount = fc.bigInt({ min: 0n, max: 2n ** 53n - 1n });
const balanceAmount = fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n });
const decimal = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.stringMatching(/^\d{1,9}$/))
  .map(([whole, part]) => `${whole}.${part}`);
const count = fc.nat();
const orNull = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(one, { nil: null });
const texts = fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true });
/** The text of any JSON, as the kit writes it: no white space, numbers as they are. */
const json = fc.oneof(
  fc.constantFrom('1.50', '-0', '1e2', '12345678901234567890', 'true', '"x"', '[null,1.0]'),
  texts.map((map) => writeJson(map)),
);

/** Members that the kit does not know. */
const further = fc
  .dictionary(
    name.map((key) => `x ${key}`),
    fc.oneof(
      text,
      fc.boolean(),
      fc.constant(null),
      decimal.map((one) => new ExactNumber(one)),
    ),
    { maxKeys: 2 },
  )
  .map((members) => members as ExactJsonObject);

const tokenData = fc.record({
  operatorId: text,
  playerId: text,
  gameId: text,
  mode: text,
  currency: text,
  currentToken: text,
  gameRound: orNull(text),
  walletMode: orNull(text),
  language: orNull(text),
  currencyMultiplier: orNull(decimal),
  device: orNull(text),
  further,
});

const entry = fc.record({ type: text, currency: orNull(text), amount: balanceAmount });

const balance = fc.record({
  totalBalance: orNull(balanceAmount),
  mode: orNull(text),
  currency: orNull(text),
  balances: fc.array(entry, { minLength: 1, maxLength: 2 }),
  discountInfo: orNull(texts.map((map) => writeJson(map))),
  tickets: orNull(fc.array(texts, { maxLength: 2 }).map((list) => writeJson(list))),
  ticketInfo: orNull(texts.map((map) => writeJson(map))),
  further,
});

const gameRoundInfo = fc.record({
  hash: text,
  status: fc.constantFrom('open', 'closed'),
  stake: orNull(amount),
  baseStake: orNull(decimal),
  mode: orNull(text),
  currency: orNull(text),
  game: orNull(text),
  currencyMultiplier: orNull(decimal),
  further,
});

const gameStateEntry = fc.record({
  hash: text,
  type: fc.constantFrom('debit', 'genericwin', 'wager', 'spincounter'),
  processedOn: text,
  result: fc.record({ winAmount: orNull(amount), info: texts }),
  amountWagered: orNull(amount),
  collected: orNull(amount),
  reason: orNull(text),
  further,
});

const freePlays = {
  freePlayInfo: orNull(
    fc.record({
      used: count,
      granted: count,
      won: amount,
      isLast: fc.boolean(),
      serial: orNull(text),
      further,
    }),
  ),
  freePlaysAvailable: fc.array(
    fc.record({
      currency: text,
      stake: amount,
      count,
      feature: orNull(text),
      serial: orNull(text),
    }),
    { maxLength: 2 },
  ),
};

const round = fc.record({
  tokenData,
  balance: orNull(balance),
  gameRoundInfo,
  gameState: fc.array(gameStateEntry, { maxLength: 3 }),
  amountToCollect: amount,
  amountCredited: orNull(amount),
  ...freePlays,
  passThroughData: texts,
  protectedInfo: orNull(texts),
  spinsAvailable: orNull(count),
  further: fc
    .tuple(further, texts)
    .map(([others, map]) => ({ ...others, commonGameRoundInfo: map })),
});

const data = fc.record({
  data: fc.array(
    fc.record({
      playerId: text,
      gameId: text,
      currency: text,
      stake: amount,
      data: json,
      updated: orNull(text),
      expires: orNull(text),
    }),
    { maxLength: 3 },
  ),
});

const session = fc.record({ tokenData });
const settings = fc.dictionary(
  name,
  fc.oneof(text, fc.boolean(), fc.nat(), fc.array(text), fc.array(fc.nat())),
  { maxKeys: 5, noNullPrototype: true },
);

/** Any reply of each call, as it is read. */
export const anyReply: { readonly [Name in EngineCall]: fc.Arbitrary<EngineReplies[Name]> } = {
  startGameRound: round,
  startGameOrAddBet: round,
  addWin: round,
  endGameRound: round,
  voidGameRound: round,
  collectWin: round,
  wagerWin: round,
  addSpinCounterGameState: round,
  getGameRoundInfo: round,
  getGameRoundHistoryInfo: round,
  getUncollectedAmount: fc.record({ tokenData, amountToCollect: amount }),
  getAvailableSpinCounter: fc.record({ tokenData, amountToCollect: amount, spinsAvailable: count }),
  getTokenForGameRound: session,
  getBalance: balance,
  getTokenData: session,
  getLastGameRounds: fc.record({
    tokenData,
    gameRounds: fc.array(gameRoundInfo, { maxLength: 3 }),
  }),
  getPlayerData: data,
  setPlayerData: data,
  getRandomResult: fc.record({
    tokenData,
    values: fc.array(
      fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 })),
    ),
    rngRequestId: orNull(text),
  }),
  testPing: fc.record({
    testDataReceived: json,
    timestamp: orNull(text),
    gameProviderId: orNull(text),
    signed: orNull(text),
  }),
  getOperatorSettings: settings,
};

/** Any reply of connect. */
export const anyConnectReply = fc.record({
  token: text,
  backendUrl: text,
  logoutUrl: orNull(text),
  refreshUrl: orNull(text),
  tokenData,
  balance: orNull(balance),
  gameSettings: settings,
  ...freePlays,
});
