import { readBaseUrl, readSecret } from '../../protocol/client';
import { isSignable } from '../../protocol/identifiers';
import type { Secret } from '../../protocol/signature';

/** The other end of a line, as an option gives it. */
export interface PartyOptions {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

/** The other end of a line; the secret wrapped, the address without a trailing slash. */
export interface Party {
  /** X-H-AUTH-ID. */
  readonly authId: string;
  readonly baseUrl: string;
  readonly secret: Secret;
}

/** Names the parties in errors. */
export interface PartiesPlace {
  /** The list, such as `createWalletLine: operators`. */
  readonly list: string;
  /** The name of the id, such as `operatorId`. */
  readonly idName: string;
}

/**
 * Reads the parties of a line.
 * @throws TypeError that names the wrong option; no value is repeated, because it may be a secret.
 */
export function readParties(
  parties: readonly PartyOptions[],
  allowHttp: boolean,
  { list, idName }: PartiesPlace,
): readonly Party[] {
  const ids = new Set<string>();
  return parties.map(({ id, url, secret }, index) => {
    const at = `${list}/${index}`;
    if (!isPartyId(id)) {
      throw new TypeError(
        `${at}/${idName} must be a text without #, control characters or surrounding spaces`,
      );
    }
    if (ids.has(id)) throw new TypeError(`${at}/${idName} is given twice`);
    ids.add(id);
    return {
      authId: id,
      baseUrl: readBaseUrl(`${at}/url`, url, allowHttp),
      secret: readSecret(`${at}/secret`, secret),
    };
  });
}

function isPartyId(id: unknown): boolean {
  return (
    typeof id === 'string' && id !== '' && id.trim() === id && id.isWellFormed() && isSignable(id)
  );
}
