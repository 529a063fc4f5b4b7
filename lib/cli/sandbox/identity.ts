import type { Random } from '../../platform';
import { checkOperatorId, checkSecret, secretVariable } from '../terminal/credentials';
import type { SandboxOperator, SandboxOptions } from '../../rgs/sandbox';
import { readJsonFile } from '../terminal/read-json-file';
import { defined } from '../../platform/validation/defined';

/** Who a party is. */
export interface Identity {
  readonly id: string;
  readonly secret: string;
  /** The variable that the secret is from; null if it was made up. */
  readonly variable: string | null;
}

/**
 * An id and a secret from the environment; the secret is made up where it has none.
 * @param prefix `OPERATOR` reads OPERATOR_ID and OPERATOR_SECRET.
 * @throws CommandFailure that names the variable, never the secret.
 */
export function readIdentity(
  prefix: 'OPERATOR' | 'PROVIDER',
  byDefault: string,
  random: Random,
): Identity {
  const { [`${prefix}_ID`]: id = byDefault } = process.env;
  const given = secretVariable(`${prefix}_SECRET`);
  checkOperatorId(id, `${prefix}_ID`);
  if (given === undefined) {
    return { id, secret: random.bytes(24).toString('base64url'), variable: null };
  }
  checkSecret(given, `${prefix}_SECRET`);
  return { id, secret: given, variable: `${prefix}_SECRET` };
}

/** A settings file: what the operator sets about games, and what the RGS goes by. */
export interface FileSettings {
  readonly operator: Pick<SandboxOperator, 'settings' | 'profiles'>;
  readonly service: NonNullable<SandboxOptions['service']>;
}

/**
 * The settings of a file; none without one.
 * @throws CommandFailure that names the file and what is wrong in it.
 */
export function readSettings(file: string | undefined): FileSettings {
  if (file === undefined) return { operator: {}, service: {} };
  const { settings, profiles, ...service } = readJsonFile(file, 'sandbox-settings') as Pick<
    SandboxOperator,
    'settings' | 'profiles'
  > &
    FileSettings['service'];
  return { operator: defined({ settings, profiles }), service };
}
