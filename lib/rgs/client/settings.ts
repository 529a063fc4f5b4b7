import { type Clock, type Random, systemClock, systemRandom } from '../../platform';
import { checkPorts } from '../../platform/validation';
import {
  type ClientSettings,
  type FetchPort,
  ownFetch,
  readBaseUrl,
  readSecret,
} from '../../protocol/client';
import { isSignable } from '../../protocol/identifiers';
import type { Secret } from '../../protocol/signature';
import type { FindingListener } from './finding';

/** The other end of a line, as an option gives it. */
interface PartyOptions {
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
interface PartiesPlace {
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

/** Options that both lines have. */
export interface LineOptions {
  /** Allows `http://` for hosts other than this one; false unless set. */
  readonly allowHttp?: boolean;
  /** Called with what is almost surely a mistake of the other side; what it throws is ignored. */
  readonly onFinding?: FindingListener;
  /** Real time, also where the service's clock is moved on (E1.3); the machine's own unless set. */
  readonly clock?: Clock;
  /** The machine's own unless set. */
  readonly random?: Random;
  /** Kept connections of `node:http` and `node:https` unless set. */
  readonly fetch?: FetchPort;
  /**
   * Called as a call begins; every attempt at it is then made within what is returned, for a `fetch` that wants to know
   * which call a request belongs to.
   */
  readonly hold?: () => Held;
}

/** Does work within what was held. */
type Held = <T>(work: () => T) => T;

const nothingHeld: Held = (work) => work();

/** What the attempts of a line need of the outside. */
export interface AttemptSettings
  extends Pick<ClientSettings, 'idName' | 'errors' | 'clock' | 'random' | 'fetch'> {
  /** Time limit of one attempt, up to the last byte of its reply, in milliseconds. */
  readonly timeoutMs: number;
  /** Largest reply, in bytes (W1). */
  readonly maxReplyBytes: number;
  readonly hold: () => Held;
}

/** Largest reply, in bytes (W1). */
const maxReplyBytes = 256 * 1024;

/**
 * The settings of a line's attempts.
 * @param idName What X-H-AUTH-ID is called.
 * @throws TypeError that names the wrong option.
 */
export function attemptSettings(
  maker: string,
  { onFinding, clock, random, fetch, hold }: LineOptions,
  idName: string,
  timeoutMs: number,
): AttemptSettings {
  checkPorts(maker, { onFinding, clock, random, fetch, hold });
  return {
    idName,
    errors: { isLenient: true, codes: new Map() },
    timeoutMs,
    maxReplyBytes,
    clock: clock ?? systemClock,
    random: random ?? systemRandom,
    fetch: fetch ?? ownFetch(maxReplyBytes),
    hold: hold ?? (() => nothingHeld),
  };
}
