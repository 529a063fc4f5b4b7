import { type Clock, type Random, systemClock, systemRandom } from '../../platform';
import type { ClientSettings } from '../../protocol/client/connection';
import { type FetchPort, ownFetch } from '../../protocol/client/ports';
import type { FindingListener } from './finding';

/** The other end of a line: where it is, and what its requests are signed with. */
export type Party = Pick<ClientSettings, 'authId' | 'baseUrl' | 'secret'>;

/** Options that both lines have. */
export interface LineOptions {
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

/** The settings of a line's attempts. @param idName What X-H-AUTH-ID is called. */
export function attemptSettings(
  { clock, random, fetch, hold }: LineOptions,
  idName: string,
  timeoutMs: number,
): AttemptSettings {
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
