import { Fields, type JsonDocument, MessageFault, presentIn } from '../../json';
import {
  type EngineCall,
  type EngineReplies,
  type EngineSchema,
  engineSchemas,
  type RoundReply,
} from '../messages';
import {
  balanceOf,
  entryOf,
  freePlaysOf,
  playerDataOf,
  roundInfoOf,
  settingsOf,
  tokenDataOf,
} from './read-parts';

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
