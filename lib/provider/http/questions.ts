import { isCurrency, isIdentifier } from '../../protocol/identifiers';
import { isJsonObject } from '../../protocol/json';
import type { Admitted } from './admission';
import type { AbandonedRound, ConfigurationQuestion, ResultQuestion } from './handlers';
import { invalid } from './refused';

/** A decimal above 0, without sign or exponent. */
const multiplierForm = /^(?=.*[1-9])(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/;

/** The query of getGameConfiguration; all of it is required. @throws CallRefusedError */
export function readConfigurationQuestion(admitted: Admitted): ConfigurationQuestion {
  const members = membersOf(admitted);
  const { gameCode, currency, currencyMultiplier } = members;
  if (!isCurrency(currency)) throw invalid('currency must be three upper-case letters.');
  if (!isIdentifier(gameCode)) throw invalid('gameCode must be 1 to 128 characters.');
  if (typeof currencyMultiplier !== 'string' || !multiplierForm.test(currencyMultiplier)) {
    throw invalid('currencyMultiplier must be a decimal above 0.');
  }
  return { gameProviderId: idOf(admitted), gameCode, currency, currencyMultiplier };
}

/** The body of doAutoClose. @throws CallRefusedError */
export function readAbandonedRound(admitted: Admitted): AbandonedRound {
  const { gameRound, gameCode = null } = membersOf(admitted);
  if (!isIdentifier(gameRound)) throw invalid('gameRound must be 1 to 128 characters.');
  if (gameCode !== null && !isIdentifier(gameCode)) {
    throw invalid('gameCode must be 1 to 128 characters.');
  }
  return { gameProviderId: idOf(admitted), gameRound, gameCode };
}

/** The body of getGameResult. @throws CallRefusedError */
export function readResultQuestion(admitted: Admitted): ResultQuestion {
  const { language = null } = membersOf(admitted);
  if (language !== null && (typeof language !== 'string' || language.length > 64)) {
    throw invalid('language must be a text of at most 64 characters.');
  }
  return { ...readAbandonedRound(admitted), language };
}

function membersOf({ message }: Admitted): { readonly [name: string]: unknown } {
  if (!isJsonObject(message.value)) throw invalid('The body must be an object.');
  return message.value;
}

function idOf({ gameProviderId }: Admitted): string {
  if (gameProviderId === null) throw new Error('A call without a verified caller was read.');
  return gameProviderId;
}
