import { type Command, Option } from 'commander';
import {
  createRgsClient,
  InvalidRequestError,
  NetworkError,
  type RgsClient,
  RgsClientError,
  type ExactJsonObject,
} from '../../operator/client';
import { ExactNumber, type Writable, writeJson } from '../../protocol/json/write';
import { exactRest } from '../../protocol/json/exact';
import type { JsonDocument, JsonObject } from '../../protocol/json/parse';
import {
  addCredentialFlags,
  addOperatorFlag,
  chooseOperator,
  type OperatorFlags,
} from '../terminal/credentials';
import { CommandFailure, messageOf, withoutLogin } from '../terminal/failure';
import { wholeNumber } from '../terminal/flags';
import { parseJsonText, readTextFile } from '../terminal/read-json-file';
import { withoutControls } from '../../protocol/json/printable';
import { defined } from '../../platform/validation/defined';

/** Flags of every call. */
export interface CallFlags extends OperatorFlags {
  readonly url?: string;
  readonly allowHttp?: true;
  readonly timeoutMs?: number;
  readonly attempts?: number;
}

/** Adds {@link CallFlags} and a help text on where the secret comes from. */
export function addCallFlags(command: Command): Command {
  command
    .addOption(new Option('--url <address>', 'https:// address of the RGS').env('RGS_URL'))
    .option('--allow-http', 'allow http:// to other hosts (development)')
    .option(
      '--timeout-ms <n>',
      'time limit of the call, all attempts included (default: 30000)',
      wholeNumber(1, 600_000),
    )
    .option(
      '--attempts <n>',
      'most attempts if the RGS fails or cannot be reached (default: 3)',
      wholeNumber(1, 10),
    );
  addOperatorFlag(command);
  return addCredentialFlags(command).addHelpText(
    'after',
    '\nThe secret comes from OPERATOR_SECRET, with OPERATOR_ID, or from the credentials; never from a flag.',
  );
}

/**
 * Makes a call with a client of these flags.
 * @throws CommandFailure for wrong flags or fields; an Error with one line on what the RGS did, its cause the client's.
 */
export async function callRgs<T>(
  flags: CallFlags,
  call: (client: RgsClient) => Promise<T>,
): Promise<T> {
  const client = createClient(flags);
  try {
    return await call(client);
  } catch (error) {
    if (!(error instanceof RgsClientError)) throw error;
    const at = error instanceof NetworkError ? ` at ${withoutLogin(flags.url ?? '')}` : '';
    const line = withoutControls(`${messageOf(error)}${at}`);
    throw error instanceof InvalidRequestError
      ? new CommandFailure(line)
      : new Error(line, { cause: error });
  }
}

/** Prints a reply as one line of JSON, without members that the reply lacked. */
export function printReply(reply: Writable): void {
  process.stdout.write(`${writeJson(reply)}\n`);
}

/** The members of a reply: without those that are null, and with the further ones. */
export function membersOf(reply: {
  readonly further: { readonly [key: string]: Writable };
}): Record<string, Writable> {
  const { further, ...known } = reply;
  const members: [string, Writable][] = Object.entries(known);
  return { ...Object.fromEntries(members.filter(([, member]) => member !== null)), ...further };
}

/** A number that was read as text, to be written as that number. */
export function exactNumber(text: Writable): Writable {
  return typeof text === 'string' ? new ExactNumber(text) : text;
}

function createClient(flags: CallFlags): RgsClient {
  const { url: baseUrl, allowHttp = false, timeoutMs, attempts } = flags;
  const { operatorId, secrets } = chooseOperator(flags);
  if (baseUrl === undefined) {
    throw new CommandFailure('No RGS: set RGS_URL, or name its address with --url.');
  }
  try {
    return createRgsClient({
      baseUrl,
      allowHttp,
      operatorId,
      secret: secrets[0] ?? '',
      ...defined({ timeoutMs, attempts }),
    });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandFailure(inWordsOfFlags(messageOf(error)));
  }
}

function inWordsOfFlags(message: string): string {
  return message
    .replace('createRgsClient: ', '')
    .replace('baseUrl', '--url')
    .replace('allowHttp', '--allow-http');
}

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
