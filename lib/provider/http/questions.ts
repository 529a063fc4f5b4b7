import { isCurrency, isIdentifier } from '../../protocol/identifiers';
import { isJsonObject } from '../../protocol/json';
import type { ProviderCall } from './call';
import type { AbandonedRound, ConfigurationQuestion, ResultQuestion } from './handlers';
import { invalid } from './refused';

/** A decimal above 0, without sign or exponent. */
const multiplierForm = /^(?=.*[1-9])(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/;

/** The query of getGameConfiguration; all of it is required. @throws CallRefusedError */
export function readConfigurationQuestion(call: ProviderCall<unknown>): ConfigurationQuestion {
  const members = membersOf(call);
  const { gameCode, currency, currencyMultiplier } = members;
  if (!isCurrency(currency)) throw invalid('currency must be three upper-case letters.');
  if (!isIdentifier(gameCode)) throw invalid('gameCode must be 1 to 128 characters.');
  if (typeof currencyMultiplier !== 'string' || !multiplierForm.test(currencyMultiplier)) {
    throw invalid('currencyMultiplier must be a decimal above 0.');
  }
  return { gameProviderId: call.callerId, gameCode, currency, currencyMultiplier };
}

/** The body of doAutoClose. @throws CallRefusedError */
export function readAbandonedRound(call: ProviderCall<unknown>): AbandonedRound {
  const { gameRound, gameCode = null } = membersOf(call);
  if (!isIdentifier(gameRound)) throw invalid('gameRound must be 1 to 128 characters.');
  if (gameCode !== null && !isIdentifier(gameCode)) {
    throw invalid('gameCode must be 1 to 128 characters.');
  }
  return { gameProviderId: call.callerId, gameRound, gameCode };
}

/** The body of getGameResult. @throws CallRefusedError */
export function readResultQuestion(call: ProviderCall<unknown>): ResultQuestion {
  const { language = null } = membersOf(call);
  if (language !== null && (typeof language !== 'string' || language.length > 64)) {
    throw invalid('language must be a text of at most 64 characters.');
  }
  return { ...readAbandonedRound(call), language };
}

function membersOf({ document }: ProviderCall<unknown>): { readonly [name: string]: unknown } {
  const value = document?.value;
  if (!isJsonObject(value)) throw invalid('The body must be an object.');
  return value;
}
