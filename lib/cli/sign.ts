import { type Command, Option } from 'commander';
import {
  explainSignature,
  joinSigned,
  parseTimestamp,
  readSignedParts,
  Secret,
  type SignatureFinding,
  type SignedOperation,
  sign as signParts,
  signatureHeaders,
} from '../protocol/signature';
import { systemClock } from '../platform';
import {
  addCredentialFlags,
  addOperatorFlag,
  chooseOperator,
  type OperatorFlags,
} from './terminal/credentials';
import { CommandFailure, exitCodes, print, printJson, shellWord } from './terminal/failure';
import { collect, jsonFlag } from './terminal/flags';
import type { JsonDocument } from '../protocol/json/parse';
import { parseJsonText, readTextFile } from './terminal/read-json-file';
import { withoutTrailing } from '../platform/trailing';

interface SignFlags extends OperatorFlags {
  readonly operation: SignedOperation;
  readonly body?: string;
  readonly param?: readonly string[];
  readonly timestamp?: string;
  readonly signature?: string;
  readonly explain?: true;
  readonly curl?: string;
  readonly json?: true;
}

/** The signer: the first secret signs; a signature is checked with all of them. */
interface Signer {
  readonly operatorId: string;
  readonly secrets: readonly [Secret, ...Secret[]];
}

/** Adds `rgs-wallet sign`. */
export function addSign(program: Command): void {
  const command = program
    .command('sign')
    .summary('sign a call, or find out why a signature does not match')
    .description(
      'Prints the headers that sign a call, for curl --header @file, or a whole curl command. With --signature and --timestamp as received, explains how that signature was made; exits with 1 if a wallet refuses it.',
    )
    .addOption(
      new Option('--operation <name>', 'the call').choices(operations).makeOptionMandatory(),
    )
    .option('--body <json|file|->', 'the body of a POST, signed as written')
    .option('--param <name=value>', 'a parameter of a GET; repeatable', collect);
  addOperatorFlag(command);
  addCredentialFlags(command)
    .option('--timestamp <text>', 'X-H-TIMESTAMP (default: now)')
    .option('--explain', 'print what is signed, the secret masked')
    .option('--curl <url>', 'print a curl command for the service at this address')
    .option('--signature <text>', 'X-H-AUTH-SIG as received')
    .addOption(jsonFlag())
    .addHelpText(
      'after',
      '\nThe secret comes from OPERATOR_SECRET, with OPERATOR_ID, or from the credentials; never from a flag.',
    )
    .action((flags: SignFlags) => sign(flags));
}

function sign(flags: SignFlags): void {
  const { signature, timestamp } = flags;
  const call = readCall(flags.operation, flags.body, flags.param ?? []);
  const signer = readSigner(flags);
  if (signature === undefined) return printHeaders(flags, call, signer);
  if (timestamp === undefined) {
    throw new CommandFailure('--signature needs --timestamp: X-H-TIMESTAMP as received.');
  }
  if (flags.curl !== undefined) {
    throw new CommandFailure('--curl prints a new signature: leave --signature out.');
  }
  const found = findingOf(call, signer, { timestamp, signature });
  process.exitCode = found.accepted ? exitCodes.done : exitCodes.wrong;
  const signed = flags.explain ? signedText(call, signer.operatorId, timestamp) : undefined;
  if (flags.json) return printJson({ ...jsonOf(found), signed });
  if (signed !== undefined) print(`Signed: ${signed}`);
  for (const line of describe(found, signer.secrets.length)) print(line);
}

function readSigner(flags: SignFlags): Signer {
  const { operatorId, secrets } = chooseOperator(flags);
  const [first, ...others] = secrets.map((text) => new Secret(text));
  if (first === undefined) throw new CommandFailure('--operator has no secret.');
  return { operatorId, secrets: [first, ...others] };
}

function printHeaders(flags: SignFlags, call: GivenCall, { operatorId, secrets }: Signer): void {
  const { timestamp = new Date(systemClock.now()).toISOString(), explain } = flags;
  if (parseTimestamp(timestamp) === null) {
    throw new CommandFailure(
      '--timestamp must be a strict ISO 8601 date-time such as 2024-05-06T07:08:09.120Z (D1.3).',
    );
  }
  const headers: Record<string, string> = {
    [signatureHeaders.authId]: operatorId,
    [signatureHeaders.timestamp]: timestamp,
    [signatureHeaders.signature]: signParts(secrets[0], operatorId, timestamp, partsOf(call)),
    ...(call.body === null ? {} : { 'Content-Type': 'application/json' }),
  };
  const signed = explain ? signedText(call, operatorId, timestamp) : undefined;
  const curl = flags.curl === undefined ? undefined : curlCommand(flags.curl, call, headers);
  if (flags.json) return printJson({ headers, signed, curl });
  if (signed !== undefined) print(`Signed: ${signed}`);
  if (curl !== undefined) return print(curl);
  for (const [name, value] of Object.entries(headers)) print(`${name}: ${value}`);
}

/** The signed string begins with the secret; `[secret]` replaces it here. */
function signedText(call: GivenCall, operatorId: string, timestamp: string): string {
  return `[secret]#${joinSigned(operatorId, timestamp, partsOf(call))}`;
}

function partsOf({ operation, message }: GivenCall): Parameters<typeof joinSigned>[2] {
  const signed = readSignedParts(operation, message);
  if (signed.parts === null) {
    throw new CommandFailure(`${signed.field} is missing or cannot be signed.`);
  }
  return signed.parts;
}

function curlCommand(url: string, call: GivenCall, headers: Record<string, string>): string {
  const base = withoutTrailing(url, '/');
  if (!/^https?:\/\/[^\s?#]+$/.test(base)) {
    throw new CommandFailure(
      '--curl must be the address of the service, such as http://127.0.0.1:8080',
    );
  }
  const words = [
    'curl',
    '--request',
    call.body === null ? 'GET' : 'POST',
    shellWord(base + call.path),
  ];
  for (const [name, value] of Object.entries(headers)) {
    words.push('--header', shellWord(`${name}: ${value}`));
  }
  if (call.body !== null) words.push('--data-binary', shellWord(call.body));
  return words.join(' ');
}

/** What was found about a signature, and whether a wallet accepts the call. */
interface Found {
  readonly finding: Exclude<SignatureFinding, { readonly kind: 'unsignable' }>;
  /** Whether X-H-TIMESTAMP has the form of D1.3. */
  readonly isStrict: boolean;
  readonly accepted: boolean;
}

function findingOf(
  { operation, message }: GivenCall,
  { operatorId, secrets }: Signer,
  received: { readonly timestamp: string; readonly signature: string },
): Found {
  const finding = explainSignature(secrets, {
    operation,
    message,
    authId: operatorId,
    ...received,
  });
  if (finding.kind === 'unsignable') {
    throw new CommandFailure(`${finding.field} is missing or cannot be signed.`);
  }
  const isStrict = parseTimestamp(received.timestamp) !== null;
  const accepted = finding.kind === 'explained' && finding.accepted && isStrict;
  return { finding, isStrict, accepted };
}

/** For programs: `accepted` is what the exit code says, `secretIndex` counts from 0. */
function jsonOf({ finding, isStrict, accepted }: Found): object {
  return { ...finding, accepted, isTimestampStrict: isStrict };
}

function describe({ finding, isStrict }: Found, secretCount: number): string[] {
  const lines = describeSignature(finding, secretCount);
  if (isStrict) return lines;
  return [
    ...lines,
    'X-H-TIMESTAMP is not a strict ISO 8601 date-time: refused whatever the signature (D1.3).',
  ];
}

function describeSignature(finding: Found['finding'], secretCount: number): string[] {
  switch (finding.kind) {
    case 'malformed':
      return [`The signature is malformed: ${finding.reason}.`];
    case 'unexplained':
      return [
        `The signature does not match, and neither does any of ${finding.variantsTried} known variants.`,
        'It was made with another secret, or for another message.',
      ];
    case 'explained': {
      const { deviations, accepted, secretIndex } = finding;
      const which =
        secretCount === 1 ? '' : ` It was made with secret ${secretIndex + 1} of ${secretCount}.`;
      if (deviations.length === 0) return [`The signature is correct.${which}`];
      const verdict = accepted ? 'accepted (D1.5)' : 'refused';
      return [
        `The signature was made in another way and is ${verdict}.${which} Differences:`,
        ...deviations.map((deviation) => `- ${deviation}`),
      ];
    }
  }
}

/** The method and path of each operation. */
const endpoints: Readonly<
  Record<SignedOperation, { readonly method: 'GET' | 'POST'; readonly path: string }>
> = {
  doTransactions: { method: 'POST', path: '/doTransactions' },
  getBalance: { method: 'GET', path: '/getBalance' },
  assignPlayerFreerounds: { method: 'POST', path: '/assignPlayerFreerounds' },
  getStats: { method: 'POST', path: '/backoffice/getStats' },
  getGameConfiguration: { method: 'GET', path: '/backoffice/getGameConfiguration' },
  getGameList: { method: 'GET', path: '/backoffice/getGameList' },
  getGameURL: { method: 'POST', path: '/getGameURL' },
};

/** A call as given on the command line. */
interface GivenCall {
  readonly operation: SignedOperation;
  /** Path with the query. */
  readonly path: string;
  /** The body as written; null for a GET. */
  readonly body: string | null;
  /** The signed fields are read from it. */
  readonly message: JsonDocument;
}

/** Names of all operations. */
const operations = Object.keys(endpoints) as SignedOperation[];

/**
 * Reads a call from --body, or from --param for a GET.
 * @throws CommandFailure if one is missing, does not belong to this operation, or is not valid.
 */
function readCall(
  operation: SignedOperation,
  body: string | undefined,
  parameters: readonly string[],
): GivenCall {
  const { method, path } = endpoints[operation];
  if (method === 'GET') {
    if (body !== undefined) throw new CommandFailure(`${operation} takes --param, not --body.`);
    return readGet(operation, path, parameters);
  }
  if (parameters.length > 0) throw new CommandFailure(`${operation} takes --body, not --param.`);
  if (body === undefined) throw new CommandFailure(`${operation} needs --body.`);
  const isInline = /^\s*[[{]/.test(body);
  const text = isInline ? body : readTextFile(body);
  const message = parseJsonText(text, isInline ? '--body' : body);
  return { operation, path, body: text, message };
}

function readGet(
  operation: SignedOperation,
  path: string,
  parameters: readonly string[],
): GivenCall {
  const value: Record<string, string> = {};
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals < 1) throw new CommandFailure('--param must be name=value.');
    const name = parameter.slice(0, equals);
    if (Object.hasOwn(value, name)) throw new CommandFailure(`--param ${name} is given twice.`);
    value[name] = parameter.slice(equals + 1);
  }
  const query = Object.entries(value)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
  const message = { value, lexeme: () => undefined };
  return { operation, path: query === '' ? path : `${path}?${query}`, body: null, message };
}
