import type { SandboxOperator, SandboxOptions } from '../../rgs/sandbox';
import { readJsonFile } from '../terminal/read-json-file';

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
    ...(settings === undefined ? {} : { settings }),
    ...(profiles === undefined ? {} : { profiles }),
  };
  return { operator, service };
}
