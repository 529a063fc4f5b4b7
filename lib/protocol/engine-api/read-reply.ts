import { Fields } from '../json/fields';
import type { JsonDocument } from '../json/parse';
import { MessageFault, presentIn } from '../json/documents';
import { type EngineCall, type EngineSchema, engineSchemas } from './requests';
import type {
  Balance,
  EngineReplies,
  FreePlayInfo,
  FreePlays,
  GameRoundInfo,
  GameSettings,
  GameStateEntry,
  PlayerDataEntry,
  RoundReply,
  TokenData,
} from './replies';

/** How a body becomes a reply. */
interface Form<Reply> {
  readonly schema: EngineSchema;
  /** Where JSON is that the RGS only passes on. */
  readonly payloads: readonly string[];
  readonly read: (fields: Fields) => Reply;
}

const round = form('round-reply', roundReplyOf);
const session = form('token-data-reply', sessionOf);
const playerData = form(
  'player-data-reply',
  (fields) => ({ data: fields.list('data').map(playerDataOf) }),
  ['data/data'],
);

const forms: { readonly [Name in EngineCall]: Form<EngineReplies[Name]> } = {
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
  getUncollectedAmount: form('amount-reply', amountOf),
  getAvailableSpinCounter: form('spin-counter-reply', (fields) => ({
    ...amountOf(fields),
    spinsAvailable: fields.count('spinsAvailable') ?? 0,
  })),
  getTokenForGameRound: session,
  getBalance: form('balance', balanceOf),
  getTokenData: session,
  getLastGameRounds: form('last-game-rounds-reply', (fields) => ({
    ...sessionOf(fields),
    gameRounds: fields.list('gameRounds').map(roundInfoOf),
  })),
  getPlayerData: playerData,
  setPlayerData: playerData,
  getRandomResult: form('random-result-reply', (fields) => ({
    ...sessionOf(fields),
    values: fields.value('values') as number[],
    rngRequestId: fields.optionalText('rngRequestId'),
  })),
  testPing: form(
    'test-ping-reply',
    (fields) => ({
      testDataReceived: fields.json('testDataReceived'),
      timestamp: fields.optionalText('timestamp'),
      gameProviderId: fields.optionalText('gameProviderId'),
      signed: fields.optionalText('signed'),
    }),
    ['testDataReceived'],
  ),
  getOperatorSettings: form('game-settings', settingsOf),
};

/**
 * Reads the reply to a call in exact terms (C2). Every member but those that the schema requires may be
 * absent, or null; unknown ones are `further`.
 * @throws MessageFault if a required member is missing, or one is of a wrong type or not exact.
 */
export function readReply<Name extends EngineCall>(
  name: Name,
  document: JsonDocument,
): EngineReplies[Name] {
  const { schema, payloads, read } = forms[name];
  const fields = Fields.of(document);
  const fault = engineSchemas.locateFault(schema, presentIn(document.value, payloads));
  if (fault !== null) throw new MessageFault(fault.pointer, fault.problem);
  return read(fields);
}

/** The schema of the reply to a call. */
export function replySchemaOf(name: EngineCall): EngineSchema {
  return forms[name].schema;
}

function form<Reply>(
  schema: EngineSchema,
  read: (fields: Fields) => Reply,
  payloads: readonly string[] = [],
): Form<Reply> {
  return { schema, payloads, read };
}

function roundReplyOf(fields: Fields): RoundReply {
  const reply = {
    ...sessionOf(fields),
    balance: fields.has('balance') ? balanceOf(fields.within('balance')) : null,
    gameRoundInfo: roundInfoOf(fields.within('gameRoundInfo')),
    gameState: fields.list('gameState').map(entryOf),
    amountToCollect: fields.signedUnits('amountToCollect') ?? 0n,
    amountCredited: fields.signedUnits('amountCredited'),
    ...freePlaysOf(fields),
    passThroughData: fields.texts('passThroughData'),
    protectedInfo: fields.has('protectedInfo') ? fields.texts('protectedInfo') : null,
    spinsAvailable: fields.count('spinsAvailable'),
  };
  return { ...reply, further: fields.further(Object.keys(reply)) };
}

function amountOf(fields: Fields): EngineReplies['getUncollectedAmount'] {
  return {
    ...sessionOf(fields),
    amountToCollect: fields.signedUnits('amountToCollect') ?? 0n,
  };
}

function sessionOf(fields: Fields): EngineReplies['getTokenData'] {
  return { tokenData: tokenDataOf(fields.within('tokenData')) };
}

/** tokenData (game-engine-api 2.1). */
function tokenDataOf(fields: Fields): TokenData {
  const known = {
    operatorId: fields.text('operatorId'),
    playerId: fields.text('playerId'),
    gameId: fields.text('gameId'),
    mode: fields.text('mode'),
    currency: fields.text('currency'),
    currentToken: fields.text('currentToken'),
    gameRound: fields.optionalText('gameRound'),
    walletMode: fields.optionalText('walletMode'),
    language: fields.optionalText('language'),
    currencyMultiplier: fields.decimal('currencyMultiplier'),
    device: fields.optionalText('device'),
  };
  return withFurther(fields, known);
}

/** The balance (game-engine-api 2.2); what the operator sent besides the amounts stays JSON text (E17.2). */
function balanceOf(fields: Fields): Balance {
  return withFurther(fields, {
    totalBalance: fields.signedUnits('totalBalance'),
    mode: fields.optionalText('mode'),
    currency: fields.optionalText('currency'),
    balances: fields.list('balances').map((entry) => ({
      type: entry.text('type'),
      currency: entry.optionalText('currency'),
      amount: entry.signedUnits('amount') ?? 0n,
    })),
    discountInfo: fields.optionalJson('discountInfo'),
    tickets: fields.optionalJson('tickets'),
    ticketInfo: fields.optionalJson('ticketInfo'),
  });
}

/** gameRoundInfo (game-engine-api 2.6). */
function roundInfoOf(fields: Fields): GameRoundInfo {
  return withFurther(fields, {
    hash: fields.text('hash'),
    status: fields.text('status'),
    stake: fields.signedUnits('stake'),
    baseStake: fields.decimal('baseStake'),
    mode: fields.optionalText('mode'),
    currency: fields.optionalText('currency'),
    game: fields.optionalText('game'),
    currencyMultiplier: fields.decimal('currencyMultiplier'),
  });
}

/** An entry of gameState (game-engine-api 2.7). */
function entryOf(fields: Fields): GameStateEntry {
  const result = fields.within('result');
  return withFurther(fields, {
    hash: fields.text('hash'),
    type: fields.text('type'),
    processedOn: fields.text('processedOn'),
    result: { winAmount: result.signedUnits('winAmount'), info: result.texts('info') },
    amountWagered: fields.signedUnits('amountWagered'),
    collected: fields.signedUnits('collected'),
    reason: fields.optionalText('reason'),
  });
}

/** freePlayInfo and freePlaysAvailable (game-engine-api 2.4, 2.5). */
function freePlaysOf(fields: Fields): FreePlays {
  return {
    freePlayInfo: fields.has('freePlayInfo') ? freePlayInfoOf(fields.within('freePlayInfo')) : null,
    freePlaysAvailable: fields.list('freePlaysAvailable').map((one) => ({
      currency: one.text('currency'),
      stake: one.signedUnits('stake') ?? 0n,
      count: one.count('count') ?? 0,
      feature: one.optionalText('feature'),
      serial: one.optionalText('serial'),
    })),
  };
}

function freePlayInfoOf(fields: Fields): FreePlayInfo {
  return withFurther(fields, {
    used: fields.count('used') ?? 0,
    granted: fields.count('granted') ?? 0,
    won: fields.sumOfUnits('won') ?? 0n,
    isLast: fields.flag('isLast'),
    serial: fields.optionalText('serial'),
  });
}

/** An entry of player data (game-engine-api 2.11). */
function playerDataOf(fields: Fields): PlayerDataEntry {
  return {
    playerId: fields.text('playerId'),
    gameId: fields.text('gameId'),
    currency: fields.text('currency'),
    stake: fields.signedUnits('stake') ?? 0n,
    data: fields.json('data'),
    updated: fields.optionalText('updated'),
    expires: fields.optionalText('expires'),
  };
}

/** GameSettings (game-engine-api 2.12); an object among them becomes its JSON text. */
function settingsOf(fields: Fields): GameSettings {
  return Object.fromEntries(
    fields.names().map((name) => {
      const value = fields.value(name);
      const isList = Array.isArray(value);
      const isPlain = isList || typeof value !== 'object';
      return [name, isPlain ? (value as GameSettings[string]) : fields.json(name)];
    }),
  );
}

function withFurther<Known extends object>(
  fields: Fields,
  known: Known,
): Known & { readonly further: ReturnType<Fields['further']> } {
  return { ...known, further: fields.further(Object.keys(known)) };
}
