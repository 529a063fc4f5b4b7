import { isJsonObject, type JsonDocument, type JsonValue } from '../../protocol/json/parse';
import { memberText } from '../../protocol/json/documents';
import { isCurrency } from '../../protocol/identifiers';
import { parseAmount, shortestForm } from '../../protocol/money/amount';
import type { ProviderConfiguration } from '../ports';

/** The requested game, currency and multiplier. */
interface ConfigurationRequest {
  readonly gameCode: string;
  readonly currency: string;
  /** A decimal text. */
  readonly currencyMultiplier: string;
}

/**
 * Reads the reply to getGameConfiguration (game-engine-api 2.13, E21.3); null if a mandatory member is
 * missing or not valid, or if it is of another game, currency or multiplier than requested.
 */
export function readConfiguration(
  document: JsonDocument,
  text: string,
  requested: ConfigurationRequest,
): ProviderConfiguration | null {
  const { value } = document;
  if (!isJsonObject(value) || value['gameCode'] !== requested.gameCode) return null;
  const { config } = value;
  if (!isJsonObject(config)) return null;
  const number = (name: string): string | null => positive(document.lexeme(config, name));
  const currencyMultiplier = number('currencyMultiplier');
  const stakes = readStakes(document, config['stakes']);
  if (stakes === null || number('maxPayoutOdds') === null || number('expectedRtp') === null) {
    return null;
  }
  const { currency } = config;
  if (!isCurrency(currency) || currency !== requested.currency) return null;
  if (
    currencyMultiplier === null ||
    currencyMultiplier !== shortestForm(requested.currencyMultiplier)
  ) {
    return null;
  }
  return { stakes, currency, currencyMultiplier, text: text.trim() };
}

/** The text of `result` in a reply to getGameResult; null if the reply is of another round (E23.2). */
export function readResult(document: JsonDocument, gameRound: string): string | null {
  const { value } = document;
  if (!isJsonObject(value) || value['gameRound'] !== gameRound) return null;
  return 'result' in value ? memberText(document, value, 'result') : 'null';
}

/** The text of `list` in a reply to certifiedfiles; null if it is not a list of {file, hash}. */
export function readFiles(document: JsonDocument): string | null {
  const { value } = document;
  const list = isJsonObject(value) ? value['list'] : undefined;
  if (!isJsonObject(value) || !Array.isArray(list)) return null;
  const isWhole = list.every(
    (item) =>
      isJsonObject(item) && typeof item['file'] === 'string' && typeof item['hash'] === 'string',
  );
  return isWhole ? memberText(document, value, 'list') : null;
}

/** Stakes are whole units of 1 or more, at least one. */
function readStakes(document: JsonDocument, list: JsonValue | undefined): bigint[] | null {
  if (!Array.isArray(list) || list.length === 0) return null;
  const stakes: bigint[] = [];
  for (const index of list.keys()) {
    const units = parseAmount(document.lexeme(list, index) ?? '', 0);
    if (units === null || units < 1n) return null;
    stakes.push(units);
  }
  return stakes;
}

/** The shortest form of a number that is not below zero; null for anything else. */
function positive(lexeme: string | undefined): string | null {
  if (lexeme === undefined || lexeme.startsWith('-')) return null;
  return shortestForm(lexeme);
}
