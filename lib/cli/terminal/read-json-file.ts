import { readFileSync } from 'node:fs';
import { type JsonDocument, JsonSyntaxError, parseJson } from '../../protocol/json/parse';
import { schemasOf } from '../../platform/validation';
import { CommandFailure, messageOf } from './failure';

const names = ['admin-users', 'credentials', 'errors', 'players', 'sandbox-settings'] as const;
const schemas = schemasOf('options', names);

/**
 * A JSON file that fits its schema.
 * @throws CommandFailure that names the file and the fault; it never repeats the content.
 */
export function readJsonFile(path: string, schema: (typeof names)[number]): unknown {
  const { value } = parseJsonText(readTextFile(path), path);
  const fault = schemas.findFault(schema, value);
  if (fault !== null) throw new CommandFailure(`${path}: ${fault}`);
  return value;
}

/**
 * The text of a UTF-8 file, without a byte order mark; `-` reads stdin.
 * @throws CommandFailure that names the file.
 */
export function readTextFile(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path === '-' ? 0 : path));
  } catch (error) {
    throw new CommandFailure(`${path} cannot be read: ${reasonOf(error)}`);
  }
}

/** @throws CommandFailure that names the position of the JSON fault, without repeating the text. */
export function parseJsonText(text: string, source: string): JsonDocument {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new CommandFailure(`${source} is not valid JSON. ${byLine(text, error.message)}`);
  }
}

/** In a text with several lines, `at character 42` is hard to find. */
function byLine(text: string, message: string): string {
  if (!text.trim().includes('\n')) return message;
  return message.replace(/at character (\d+)/, (_, at: string) => {
    const before = text.slice(0, Number(at)).split('\n');
    return `at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
  });
}

/** Why a file cannot be read or made, in plain words where there are any. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EEXIST') return 'it exists already';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES') return 'permission denied';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8';
  return messageOf(error);
}
