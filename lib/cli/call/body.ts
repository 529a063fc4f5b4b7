import type { ExactJsonObject } from '../../operator/client';
import { exactRest } from '../../protocol/json';
import type { JsonDocument, JsonObject } from '../../protocol/json';
import { CommandFailure } from '../terminal/failure';
import { parseJsonText, readTextFile } from '../terminal/read-json-file';

/**
 * The object of a --body, its numbers as written; `-` reads stdin.
 * @throws CommandFailure if it is not an object, or if flags that it would replace are set too.
 */
export function readBody(
  file: string,
  replaced: Readonly<Record<string, unknown>>,
): ExactJsonObject {
  const beside = Object.keys(replaced).find((name) => replaced[name] !== undefined);
  if (beside !== undefined)
    throw new CommandFailure(`--body holds all fields: leave --${beside} out.`);
  const document = parseJsonText(readTextFile(file), file);
  return exactRest(document, objectOf(document, file), []);
}

function objectOf({ value }: JsonDocument, file: string): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new CommandFailure(`${file}: must be an object`);
}
