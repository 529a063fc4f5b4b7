import type { Logger } from '../../../platform';
import type { CallerSecrets } from '../../../protocol/authentication';
import type { Secret } from '../../../protocol/signature';

/**
 * The same logger, whose lines have `[secret]` in place of a text that holds a secret: a verified caller can name a player, a
 * round or a hash by its own secret. A line about an operator is looked through for the secrets of this one, which no other
 * caller knows; any other line for all.
 */
export function logWithoutSecrets(logger: Logger, { byId }: CallerSecrets): Logger {
  const all = [...byId.values()].flat();
  const safe = (fields: { readonly operatorId?: unknown }): object =>
    withoutSecrets(fields, byId.get(String(fields.operatorId)) ?? all);
  const hasDebug = logger.debug !== undefined;
  const hasLevels = logger.isLevelEnabled !== undefined;
  return Object.freeze({
    info: (fields: object, message: string) => logger.info(safe(fields), message),
    warn: (fields: object, message: string) => logger.warn(safe(fields), message),
    error: (fields: object, message: string) => logger.error(safe(fields), message),
    ...(hasDebug
      ? { debug: (fields: object, message: string) => logger.debug?.(safe(fields), message) }
      : {}),
    ...(hasLevels
      ? { isLevelEnabled: (level: string) => logger.isLevelEnabled?.(level) !== false }
      : {}),
  });
}

/** The fields themselves, unless one holds a secret: nearly always nothing is copied. */
function withoutSecrets(fields: object, secrets: readonly Secret[]): object {
  let safe: Record<string, unknown> | null = null;
  for (const name of Object.keys(fields)) {
    const value: unknown = (fields as Record<string, unknown>)[name];
    if (typeof value !== 'string') continue;
    const held = secrets.find((secret) => secret.isWithin(value));
    if (held !== undefined) (safe ??= { ...fields })[name] = String(held);
  }
  return safe ?? fields;
}
