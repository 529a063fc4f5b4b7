import type { Random } from '../platform';
import { EngineRefusedError } from '../protocol/engine-api/errors';
import type { RandomRequest } from '../protocol/engine-api/requests';

/** Most values of one draw (E22.1). */
const maxValues = 10_000;

/** Bytes of one word; a value takes one, or another if its word is refused. */
const wordBytes = 8;
const wordRange = 2n ** 64n;

/**
 * Draws the values of getRandomResult from random bytes (E22.1): `getDoubles` from min to below max, with 53
 * random bits each; `getIntegers` whole ones from min to max, all equally likely. Equal bounds give that
 * value.
 * @throws EngineRefusedError 19 if count is not 1 to 10,000, if min is above max, or if a bound of
 * `getIntegers` is not a whole number of +-(2^53-1)
 */
export function drawValues(random: Random, request: RandomRequest): readonly number[] {
  const { rngEndPoint, count, min, max } = request;
  const isCount = Number.isSafeInteger(count) && count >= 1 && count <= maxValues;
  const isBound = rngEndPoint === 'getIntegers' ? Number.isSafeInteger : Number.isFinite;
  if (!isCount || !isBound(min) || !isBound(max) || min > max) {
    throw new EngineRefusedError('INVALIDPARAMETER', 'E22.1');
  }
  const nextWord = wordsOf(random, count);
  const drawOne = rngEndPoint === 'getIntegers' ? wholeBetween : doubleBetween;
  return Array.from({ length: count }, () => drawOne(nextWord, min, max));
}

/** Random words of 64 bits, taken from the source in one piece as long as it lasts. */
function wordsOf(random: Random, count: number): () => bigint {
  let bytes = random.bytes(count * wordBytes);
  let at = 0;
  return () => {
    if (at === bytes.length) {
      bytes = random.bytes(wordBytes);
      at = 0;
    }
    at += wordBytes;
    return bytes.readBigUInt64BE(at - wordBytes);
  };
}

/** A whole number; words beyond the last full multiple of the range are refused, so that none is more likely. */
function wholeBetween(nextWord: () => bigint, min: number, max: number): number {
  const range = BigInt(max) - BigInt(min) + 1n;
  const limit = wordRange - (wordRange % range);
  for (;;) {
    const word = nextWord();
    if (word < limit) return Number(BigInt(min) + (word % range));
  }
}

/** A double; one that rounding would make max is drawn again. */
function doubleBetween(nextWord: () => bigint, min: number, max: number): number {
  if (min === max) return min;
  for (;;) {
    const part = Number(nextWord() >> 11n) / 2 ** 53;
    const span = max - min;
    const value = Number.isFinite(span) ? min + part * span : min * (1 - part) + max * part;
    if (value < max) return value;
  }
}
