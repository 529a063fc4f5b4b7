import type { Random } from '../../platform';
import { isSignable } from '../../protocol/identifiers';
import { Secret } from '../../protocol/signature';
import { CommandFailure, messageOf } from '../terminal/failure';
import { secretVariable } from '../terminal/credentials';
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
  if (!isSignable(id) || id.trim() !== id || id.length > 128) {
    throw new CommandFailure(
      `${prefix}_ID must be 1 to 128 characters, without #, control characters or surrounding spaces`,
    );
  }
  if (given === undefined) {
    return { id, secret: random.bytes(24).toString('base64url'), variable: null };
  }
  try {
    void new Secret(given);
  } catch (error) {
    throw new CommandFailure(`${prefix}_SECRET: ${messageOf(error)}`);
  }
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
  const operator = {
    ...defined({ settings, profiles }),
  };
  return { operator, service };
}
