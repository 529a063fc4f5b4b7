import { type Command, Option } from 'commander';
import type { OperatorCredentials } from '../../operator/http/options';
import { isSignable } from '../../protocol/identifiers';
import { Secret } from '../../protocol/signature';
import { CommandFailure, orFail } from './failure';
import { readJsonFile } from './read-json-file';

/** Variables that hold a secret, or an address with a password. */
const names = ['OPERATOR_SECRET', 'PROVIDER_SECRET'] as const;

/** What was taken out of the environment by this command. */
const taken = new Map<string, string>();

/** Takes the secrets out of the environment: before the command, whether it needs them or not. */
export function takeSecrets(): void {
  taken.clear();
  for (const name of names) secretVariable(name);
}

/**
 * A variable with a secret, which is in `process.env` no longer: not in Node's diagnostic report, and not in that of a
 * process that this one starts.
 */
export function secretVariable(name: string): string | undefined {
  const given = process.env[name];
  if (given !== undefined) taken.set(name, given);
  delete process.env[name];
  return taken.get(name);
}

/** The environment as it was, for a command of the user's own that starts another wallet. */
export function wholeEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, ...Object.fromEntries(taken) };
}

/** The flag that names a file of credentials. */
export interface CredentialFlags {
  readonly credentials?: string;
}

/** Adds {@link CredentialFlags}. No flag takes a secret: every user of the machine can see flags. */
export function addCredentialFlags(command: Command): Command {
  const file = new Option(
    '--credentials <file>',
    'JSON [{"operatorId": "...", "secrets": ["..."]}], for several operators or secrets',
  );
  return command.addOption(file.env('CREDENTIALS_FILE'));
}

/** Flags that choose one operator. */
export interface OperatorFlags extends CredentialFlags {
  readonly operator?: string;
}

/** Adds the flag that chooses among the credentials. */
export function addOperatorFlag(command: Command): Command {
  const operator = new Option('--operator <id>', 'which operator of the credentials');
  return command.addOption(operator.env('OPERATOR_ID'));
}

/**
 * The operator that signs, with its first secret.
 * @throws CommandFailure if no operator is configured, or several are and the call names none.
 */
export function chooseOperator(flags: OperatorFlags): OperatorCredentials {
  const operators = readCredentials(flags);
  const { operator: wanted } = flags;
  if (wanted === undefined && operators.length > 1) {
    throw new CommandFailure('There are several operators: choose one with --operator.');
  }
  const found = operators.find(({ operatorId }) => wanted === undefined || operatorId === wanted);
  if (found === undefined) throw new CommandFailure('--operator is not among the credentials.');
  return found;
}

/**
 * Who may call: from the file, otherwise from OPERATOR_ID and OPERATOR_SECRET.
 * @throws CommandFailure that names the place, never the secret.
 */
export function readCredentials({ credentials: file }: CredentialFlags): OperatorCredentials[] {
  const operatorId = process.env['OPERATOR_ID'];
  const secret = secretVariable('OPERATOR_SECRET');
  if (file === undefined) {
    if (operatorId === undefined || secret === undefined) {
      throw new CommandFailure(
        'No operator: set OPERATOR_ID and OPERATOR_SECRET, or name a file with --credentials.',
      );
    }
    checkOperatorId(operatorId, 'OPERATOR_ID');
    checkSecret(secret, 'OPERATOR_SECRET');
    return [{ operatorId, secrets: [secret] }];
  }
  if (secret !== undefined) {
    throw new CommandFailure('Both OPERATOR_SECRET and --credentials are set: leave one out.');
  }
  return readFile(file);
}

function readFile(file: string): OperatorCredentials[] {
  const operators = readJsonFile(file, 'credentials') as OperatorCredentials[];
  const seen = new Set<string>();
  for (const [index, { operatorId, secrets }] of operators.entries()) {
    const where = `${file}: ${index}/operatorId`;
    checkOperatorId(operatorId, where);
    if (seen.has(operatorId)) throw new CommandFailure(`${where} is given twice`);
    seen.add(operatorId);
    for (const [at, secret] of secrets.entries()) {
      checkSecret(secret, `${file}: ${index}/secrets/${at}`);
    }
  }
  return operators;
}

/** @throws CommandFailure for what cannot be an id in a signature. */
export function checkOperatorId(operatorId: string, where: string): void {
  if (!isSignable(operatorId) || operatorId.trim() !== operatorId || operatorId.length > 128) {
    throw new CommandFailure(
      `${where} must be 1 to 128 characters, without #, control characters or surrounding spaces`,
    );
  }
}

/** @throws CommandFailure for a secret that nobody may sign with; never with the secret. */
export function checkSecret(secret: string, where: string): void {
  orFail(where, () => new Secret(secret));
}
