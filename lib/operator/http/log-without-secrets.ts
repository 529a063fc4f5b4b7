import { changeLines, type Logger } from '../../platform/logger';
import { type CallerSecrets, holdsSecret } from '../../protocol/authentication/credentials';
import type { Secret } from '../../protocol/signature';

/**
 * The same logger, whose lines have `[secret]` in place of a text that holds a secret: a verified caller can name a player, a
 * round or a hash by its own secret. A line about an operator is looked through for the secrets of this one, which no other
 * caller knows; any other line for all.
 */
export function logWithoutSecrets(logger: Logger, { byId, all }: CallerSecrets): Logger {
  return changeLines(logger, (fields: { readonly operatorId?: unknown }) =>
    withoutSecrets(fields, byId.get(String(fields.operatorId)) ?? all),
  );
}

/** The fields themselves, unless one holds a secret: nearly always nothing is copied. */
function withoutSecrets(fields: object, secrets: readonly Secret[]): object {
  let safe: Record<string, unknown> | null = null;
  for (const name of Object.keys(fields)) {
    const value: unknown = (fields as Record<string, unknown>)[name];
    if (typeof value !== 'string') continue;
    if (holdsSecret(value, secrets)) (safe ??= { ...fields })[name] = '[secret]';
  }
  return safe ?? fields;
}
