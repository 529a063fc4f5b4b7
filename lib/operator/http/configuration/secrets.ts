import { isSignable } from '../../../protocol/identifiers';
import { Secret } from '../../../protocol/signature';
import type { Random } from '../../../platform';

/** An operator that may call, with all its current secrets: several during a rotation (D1.2). */
export interface OperatorCredentials {
  readonly operatorId: string;
  /** Each at least 16 bytes, without surrounding white space. */
  readonly secrets: readonly string[];
}

/** The secrets to try on a signature, by operator id. */
export interface OperatorSecrets {
  /**
   * For each operator: its own secrets, and decoys up to the largest number of any operator. Every try
   * costs as much as with the longest secret of all, so that the time does not reveal which ids exist
   * (D1.1).
   */
  readonly byOperator: ReadonlyMap<string, readonly Secret[]>;
  /** As many decoys, for an unknown operator. */
  readonly decoys: readonly Secret[];
}

/**
 * Reads the credentials that the schema has accepted.
 * @throws TypeError that names the operator by its index; no value is repeated, because it may be a
 * secret.
 */
export function readOperatorSecrets(
  credentials: readonly OperatorCredentials[],
  random: Random,
): OperatorSecrets {
  const lists = credentials.map(({ secrets }) => secrets);
  const lengths = lists.flat().map((secret) => Buffer.byteLength(secret));
  const longest = Math.max(...lengths);
  // With one common length, the usual case, they already cost the same.
  const costBytes = lengths.every((length) => length === longest) ? undefined : longest;
  const count = Math.max(...lists.map((secrets) => secrets.length));
  const decoys: Secret[] = [];
  const byOperator = new Map<string, readonly Secret[]>();
  for (const [index, { operatorId, secrets }] of credentials.entries()) {
    const where = `createOperatorRouter: operators/${index}`;
    checkOperatorId(operatorId, where);
    if (byOperator.has(operatorId)) throw new TypeError(`${where}/operatorId is given twice`);
    const own = secrets.map((text, at) => readSecret(text, costBytes, `${where}/secrets/${at}`));
    byOperator.set(operatorId, own);
  }
  while (decoys.length < count) decoys.push(decoy(random, longest, costBytes));
  for (const [operatorId, own] of byOperator) {
    byOperator.set(operatorId, [...own, ...decoys.slice(own.length)]);
  }
  return { byOperator, decoys };
}

function checkOperatorId(operatorId: string, where: string): void {
  if (isSignable(operatorId) && operatorId.trim() === operatorId) return;
  throw new TypeError(
    `${where}/operatorId must not contain #, control characters or surrounding spaces`,
  );
}

function readSecret(text: string, costBytes: number | undefined, where: string): Secret {
  try {
    return new Secret(text, costBytes);
  } catch (error) {
    const problem = error instanceof Error ? error.message : 'is not valid';
    throw new TypeError(`${where}: ${problem}`, { cause: error });
  }
}

/** A random secret of this many bytes. */
function decoy(random: Random, bytes: number, costBytes: number | undefined): Secret {
  return new Secret(random.bytes(bytes).toString('base64').slice(0, bytes), costBytes);
}
