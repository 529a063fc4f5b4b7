import { escapeControls, isSignable } from '../identifiers';
import { readSecret, Secret } from '../signature/secret';
import type { Random } from '../../platform';

/** A caller, with all its current secrets: several during a rotation (D1.2). */
export interface Credentials {
  /** X-H-AUTH-ID: an operator's or a game provider's id. */
  readonly id: string;
  /** Each at least 16 bytes, without surrounding white space. */
  readonly secrets: readonly string[];
}

/** The secrets to try on a signature, by X-H-AUTH-ID. */
export interface CallerSecrets {
  /**
   * For each caller: its own secrets, and decoys up to the largest number of any caller. Every try costs
   * as much as with the longest secret of all, so that the time does not reveal which ids exist (D1.1,
   * E2.1).
   */
  readonly byId: ReadonlyMap<string, readonly Secret[]>;
  /** As many decoys, for an unknown caller. */
  readonly decoys: readonly Secret[];
  /** The secrets of all callers. */
  readonly all: readonly Secret[];
}

/** Names the credentials in errors. */
export interface CredentialsPlace {
  /** The list, such as `createOperatorRouter: operators`. */
  readonly list: string;
  /** The name of the id, such as `operatorId`. */
  readonly idName: string;
}

/**
 * Wraps the credentials that a schema has accepted.
 * @throws TypeError that names the caller by its index; no value is repeated, because it may be a secret.
 */
export function readCredentials(
  credentials: readonly Credentials[],
  random: Random,
  { list, idName }: CredentialsPlace,
): CallerSecrets {
  const lists = credentials.map(({ secrets }) => secrets);
  const lengths = lists.flat().map((secret) => Buffer.byteLength(secret));
  const longest = Math.max(...lengths);
  // With one common length, the usual case, they already cost the same.
  const costBytes = lengths.every((length) => length === longest) ? undefined : longest;
  const count = Math.max(...lists.map((secrets) => secrets.length));
  const decoys: Secret[] = [];
  const byId = new Map<string, readonly Secret[]>();
  for (const [index, { id, secrets }] of credentials.entries()) {
    const where = `${list}/${index}`;
    checkId(id, `${where}/${idName}`);
    if (byId.has(id)) throw new TypeError(`${where}/${idName} is given twice`);
    const own = secrets.map((text, at) => readSecret(`${where}/secrets/${at}`, text, costBytes));
    byId.set(id, own);
  }
  const all = [...byId.values()].flat();
  while (decoys.length < count) decoys.push(decoy(random, longest, costBytes));
  for (const [id, own] of byId) {
    byId.set(id, [...own, ...decoys.slice(own.length)]);
  }
  return { byId, decoys, all };
}

/** Whether a text holds one of the secrets, and must not be passed on. */
export function holdsSecret(text: string, secrets: readonly Secret[]): boolean {
  return secrets.some((secret) => secret.isWithin(text));
}

/** A name as a request has it, for a log: it controls no terminal, is not too long, and no secret that came in by mistake. */
export function shownName(name: string, secrets: readonly Secret[], longest = 128): string {
  return holdsSecret(name, secrets) ? '[secret]' : escapeControls(name).slice(0, longest);
}

/**
 * Refuses a secret of two callers, also of callers in two lists, as an operator and a game provider: the
 * signature of a body does not name its sender (E2.7).
 * @throws TypeError that names both callers by their indexes; no value is repeated.
 */
export function checkDistinctSecrets(
  ...lists: readonly {
    readonly credentials: readonly Pick<Credentials, 'secrets'>[];
    /** As {@link CredentialsPlace.list}. */
    readonly list: string;
  }[]
): void {
  const holders = new Map<string, string>();
  for (const { credentials, list } of lists) {
    for (const [index, { secrets }] of credentials.entries()) {
      const holder = `${list}/${index}`;
      for (const [at, secret] of secrets.entries()) {
        const other = holders.get(secret) ?? holder;
        if (other !== holder) {
          throw new TypeError(`${holder}/secrets/${at} is a secret of ${other} too`);
        }
        holders.set(secret, holder);
      }
    }
  }
}

function checkId(id: string, where: string): void {
  if (isSignable(id) && id.trim() === id) return;
  throw new TypeError(`${where} must not contain #, control characters or surrounding spaces`);
}

/** A random secret of this many bytes. */
function decoy(random: Random, bytes: number, costBytes: number | undefined): Secret {
  return new Secret(random.bytes(bytes).toString('base64').slice(0, bytes), costBytes);
}
