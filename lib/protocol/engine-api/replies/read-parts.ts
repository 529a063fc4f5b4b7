import type { Fields } from '../../json';
import type {
  Balance,
  FreePlayInfo,
  FreePlays,
  GameRoundInfo,
  GameSettings,
  GameStateEntry,
  PlayerDataEntry,
  TokenData,
} from '../messages';

/** tokenData (game-engine-api 2.1). */
export function tokenDataOf(fields: Fields): TokenData {
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
export function balanceOf(fields: Fields): Balance {
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
export function roundInfoOf(fields: Fields): GameRoundInfo {
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
export function entryOf(fields: Fields): GameStateEntry {
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
export function freePlaysOf(fields: Fields): FreePlays {
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
export function playerDataOf(fields: Fields): PlayerDataEntry {
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
export function settingsOf(fields: Fields): GameSettings {
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
