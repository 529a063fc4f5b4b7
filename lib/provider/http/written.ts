import { schemasOf } from '../../platform/validation';
import { ExactNumber, type Writable, writeJson } from '../../protocol/json/write';
import { isJsonNumber } from '../../protocol/json/exact';
import { parseJson } from '../../protocol/json/parse';
import { shortestForm } from '../../protocol/money/amount';
import type { ConfigurationQuestion } from './handlers';

/** A handler's answer that cannot be sent: what is wrong with it. It never repeats the answer. */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault';
}

const schemas = schemasOf('engine-api', ['game-configuration']);

/** Members of a configuration that are numbers, whichever way a handler gives them. */
const numbers = [
  'currencyMultiplier',
  'expectedRtp',
  'maxPayoutOdds',
  'oneHundredXOdds',
  'maxWinOdds',
  'maxPayout',
  'maxExposure',
  'calculatedMaxExposure',
  'winlineCount',
];

/**
 * The JSON of a configuration, with the gameCode next to it. Bigints and decimal texts are written as numbers,
 * digit by digit.
 * @throws AnswerFault if it is not a whole configuration, or one of another currency or multiplier.
 */
export function writeConfiguration(
  config: unknown,
  { gameCode, currency, currencyMultiplier }: ConfigurationQuestion,
): string {
  if (typeof config !== 'object' || config === null) throw new AnswerFault('it must be an object');
  const members = Object.entries(config).map(([name, value]: [string, unknown]) => {
    return [
      name,
      numbers.includes(name) ? numberOf(name, value) : writableOf(value, name),
    ] as const;
  });
  const written = writeJson(Object.fromEntries(members));
  const document = parseJson(written);
  const fault = schemas.findFault('game-configuration', document.value);
  if (fault !== null) throw new AnswerFault(fault);
  const read = document.value as { readonly currency: string };
  if (read.currency !== currency) throw new AnswerFault('currency must be that of the question');
  const multiplier = document.lexeme(read, 'currencyMultiplier') ?? '';
  if (shortestForm(multiplier) !== shortestForm(currencyMultiplier)) {
    throw new AnswerFault('currencyMultiplier must be that of the question');
  }
  return `{"gameCode":${JSON.stringify(gameCode)},"config":${written}}`;
}

/** The JSON of any other answer. @throws AnswerFault if JSON cannot hold it. */
export function writeAnswer(answer: { readonly [name: string]: unknown }): string {
  return writeJson(writableOf(answer, 'it'));
}

function numberOf(name: string, value: unknown): Writable {
  if (typeof value !== 'string') return writableOf(value, name);
  if (!isJsonNumber(value)) throw new AnswerFault(`${name} must be a number or a decimal text`);
  return new ExactNumber(value);
}

/** The value as writeJson writes it, a bigint as its digits. */
function writableOf(value: unknown, place: string, within: readonly object[] = []): Writable {
  if (within.length > 14) throw new AnswerFault(`${place} must not have more than 16 levels`);
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (value instanceof ExactNumber || typeof value === 'string') return value;
  if (typeof value === 'bigint') return new ExactNumber(String(value));
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object' || within.includes(value)) {
    throw new AnswerFault(`${place} must be JSON`);
  }
  const below = [...within, value];
  if (Array.isArray(value)) return value.map((item) => writableOf(item, place, below));
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return writableOf(value.toJSON(), place, below);
  }
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    return [name, writableOf(member, place, below)] as const;
  });
  return Object.fromEntries(members);
}
