import { ExactNumber, JsonText, type Writable, writeJson } from '../json/write';
import { isJsonNumber } from '../json/exact';
import type { EngineErrorObject } from './errors';
import type {
  Balance,
  ConnectReply,
  EngineReplies,
  FreePlayInfo,
  FreePlays,
  GameRoundInfo,
  GameStateEntry,
  PlayerDataEntry,
  RoundReply,
  TokenData,
} from './replies';
import type { EngineCall } from './requests';

const writers: { readonly [Name in EngineCall]: (reply: EngineReplies[Name]) => Members } = {
  startGameRound: roundMembers,
  startGameOrAddBet: roundMembers,
  addWin: roundMembers,
  endGameRound: roundMembers,
  voidGameRound: roundMembers,
  collectWin: roundMembers,
  wagerWin: roundMembers,
  addSpinCounterGameState: roundMembers,
  getGameRoundInfo: roundMembers,
  getGameRoundHistoryInfo: roundMembers,
  getUncollectedAmount: amountMembers,
  getAvailableSpinCounter: (reply) => ({
    ...amountMembers(reply),
    spinsAvailable: reply.spinsAvailable,
  }),
  getTokenForGameRound: sessionMembers,
  getBalance: balanceMembers,
  getTokenData: sessionMembers,
  getLastGameRounds: (reply) => ({
    ...sessionMembers(reply),
    gameRounds: reply.gameRounds.map(roundInfoMembers),
  }),
  getPlayerData: ({ data }) => ({ data: data.map(playerDataMembers) }),
  setPlayerData: ({ data }) => ({ data: data.map(playerDataMembers) }),
  getRandomResult: (reply) => ({
    ...sessionMembers(reply),
    values: reply.values,
    rngRequestId: reply.rngRequestId ?? undefined,
  }),
  testPing: ({ testDataReceived, ...others }) => ({
    testDataReceived: new JsonText(testDataReceived),
    ...present(others),
  }),
  getOperatorSettings: (settings) => settings,
};

/**
 * The body of a reply (C2): absent members are absent, amounts and decimal texts are JSON numbers digit by
 * digit, payloads are written as their texts.
 */
export function writeReply<Name extends EngineCall>(
  name: Name,
  reply: EngineReplies[Name],
): string {
  const write: (reply: EngineReplies[Name]) => Members = writers[name];
  return writeJson(write(reply));
}

/** The body of the reply to connect and reconnect (C2). */
export function writeConnectReply(reply: ConnectReply): string {
  const { token, backendUrl, logoutUrl, refreshUrl, gameSettings } = reply;
  return writeJson({
    ...reply.further,
    token,
    backendUrl,
    logoutUrl: logoutUrl ?? undefined,
    refreshUrl: refreshUrl ?? undefined,
    ...sessionMembers(reply),
    balance: balanceOrNone(reply),
    gameSettings,
    ...freePlayMembers(reply),
  });
}

/** The body of the reply to a refused call (E3.1). */
export function writeError({ id, msg, clientmsg }: EngineErrorObject): string {
  return writeJson({ errorCode: { id, msg, clientmsg } });
}

function roundMembers(reply: RoundReply): Members {
  return {
    commonGameRoundInfo: {},
    ...reply.further,
    ...sessionMembers(reply),
    balance: balanceOrNone(reply),
    gameRoundInfo: roundInfoMembers(reply.gameRoundInfo),
    gameState: reply.gameState.map(entryMembers),
    amountToCollect: units(reply.amountToCollect),
    amountCredited: units(reply.amountCredited),
    ...freePlayMembers(reply),
    passThroughData: reply.passThroughData,
    protectedInfo: reply.protectedInfo ?? undefined,
    spinsAvailable: reply.spinsAvailable ?? undefined,
  };
}

function amountMembers(reply: EngineReplies['getUncollectedAmount']): Members {
  return { ...sessionMembers(reply), amountToCollect: units(reply.amountToCollect) };
}

function sessionMembers({ tokenData }: EngineReplies['getTokenData']): Members {
  return { tokenData: tokenDataMembers(tokenData) };
}

function balanceOrNone({ balance }: Pick<RoundReply, 'balance'>): Writable {
  return balance === null ? undefined : balanceMembers(balance);
}

/** The members of an object on the wire; undefined ones are absent. */
type Members = { readonly [name: string]: Writable };

/** tokenData (game-engine-api 2.1). */
function tokenDataMembers({ further, ...tokenData }: TokenData): Members {
  const currencyMultiplier = decimal(tokenData.currencyMultiplier);
  return { ...further, ...present(tokenData), currencyMultiplier };
}

/** The balance (game-engine-api 2.2). */
function balanceMembers({ further, ...balance }: Balance): Members {
  const { totalBalance, mode, currency, balances } = balance;
  return {
    ...further,
    totalBalance: units(totalBalance),
    mode: mode ?? undefined,
    currency: currency ?? undefined,
    balances: balances.map((entry) => ({
      type: entry.type,
      currency: entry.currency ?? undefined,
      amount: units(entry.amount),
    })),
    discountInfo: json(balance.discountInfo),
    tickets: json(balance.tickets),
    ticketInfo: json(balance.ticketInfo),
  };
}

/** gameRoundInfo (game-engine-api 2.6). */
function roundInfoMembers({ further, ...info }: GameRoundInfo): Members {
  const { stake, baseStake, currencyMultiplier, ...texts } = info;
  return {
    ...further,
    ...present(texts),
    stake: units(stake),
    baseStake: decimal(baseStake),
    currencyMultiplier: decimal(currencyMultiplier),
  };
}

/** An entry of gameState (game-engine-api 2.7). */
function entryMembers({ further, ...entry }: GameStateEntry): Members {
  const { hash, type, processedOn, result, amountWagered, collected, reason } = entry;
  return {
    ...further,
    hash,
    type,
    processedOn,
    result: { winAmount: units(result.winAmount), info: result.info },
    amountWagered: units(amountWagered),
    collected: units(collected),
    reason: reason ?? undefined,
  };
}

/** freePlayInfo and freePlaysAvailable, each absent if there is none (game-engine-api 2.4, 2.5). */
function freePlayMembers({ freePlayInfo, freePlaysAvailable }: FreePlays): Members {
  const available = freePlaysAvailable.map((one) => ({ ...present(one), stake: units(one.stake) }));
  return {
    freePlayInfo: freePlayInfo === null ? undefined : freePlayInfoMembers(freePlayInfo),
    freePlaysAvailable: available.length === 0 ? undefined : available,
  };
}

function freePlayInfoMembers({ further, ...info }: FreePlayInfo): Members {
  return { ...further, ...present(info), won: units(info.won) };
}

/** An entry of player data (game-engine-api 2.11). */
function playerDataMembers(entry: PlayerDataEntry): Members {
  const { playerId, gameId, currency, stake, data, updated, expires } = entry;
  return {
    playerId,
    gameId,
    currency,
    stake: units(stake),
    data: json(data),
    updated: updated ?? undefined,
    expires: expires ?? undefined,
  };
}

/** An amount as a JSON integer. */
function units(amount: bigint | null): Writable {
  return amount === null ? undefined : new ExactNumber(String(amount));
}

function json(text: string | null): Writable {
  return text === null ? undefined : new JsonText(text);
}

/** A decimal text as a JSON number. @throws TypeError */
function decimal(text: string | null): Writable {
  if (text === null) return undefined;
  if (!isJsonNumber(text)) throw new TypeError('a decimal text must be a JSON number');
  return new ExactNumber(text);
}

/** The members without those that are null. */
function present(members: object): Members {
  const kept: Record<string, Writable> = {};
  for (const [name, member] of Object.entries(members)) if (member !== null) kept[name] = member;
  return kept;
}
