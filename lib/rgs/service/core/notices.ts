import type { Clock } from '../../../platform';
import { LatestMap } from '../../../platform/latest-map';
import type { GameSettings } from '../../../protocol/engine-api/replies';
import type { OperatorNotice } from '../../../protocol/operator-api/served-messages';
import type { ListedSession } from '../../sessions';

/** A notice of an operator, as it was received. */
export interface KeptNotice extends OperatorNotice {
  readonly operatorId: string;
  /** Milliseconds of the service's clock. */
  readonly at: number;
}

/** Most notices that are kept, one a player. */
const most = 10_000;

/**
 * The latest notice of each player, of registerPlayer or of sendRealityCheckResponse (E24.4). Nothing depends
 * on them, so they are in memory alone.
 */
export class Notices {
  readonly #kept = new LatestMap<KeptNotice>(most);

  constructor(private readonly clock: Clock) {}

  keep(operatorId: string, { playerId, body }: OperatorNotice): void {
    const notice = { operatorId, playerId, body, at: this.clock.now() };
    this.#kept.set(keyOf(operatorId, playerId), notice);
  }

  list(): readonly KeptNotice[] {
    return [...this.#kept.values()];
  }

  of(operatorId: string, playerId: string): KeptNotice | null {
    return this.#kept.get(keyOf(operatorId, playerId)) ?? null;
  }
}

/** The reality check of a session (E24.4). */
export interface RealityCheck {
  /** How many have fired. */
  readonly fired: number;
  /** When the latest fired, or the first will, in milliseconds of the service's clock. */
  readonly at: number;
  /** Whether the operator has sent a response since the latest; true if none has fired. */
  readonly isAnswered: boolean;
}

/** Fires each `rcInterval` seconds of a session, if `rcEnabled` is set; null if it never does. */
export function realityCheckOf(
  { grant: { kind }, openedAt }: ListedSession,
  { rcEnabled, rcInterval }: GameSettings,
  response: KeptNotice | null,
  now: number,
): RealityCheck | null {
  const isSet = rcEnabled === true && typeof rcInterval === 'number' && rcInterval > 0;
  if (!isSet || kind !== 'player') return null;
  const everyMs = rcInterval * 1000;
  const fired = Math.max(0, Math.floor((now - openedAt) / everyMs));
  const at = openedAt + Math.max(1, fired) * everyMs;
  const isAnswered = fired === 0 || (response !== null && response.at >= at);
  return { fired, at, isAnswered };
}

function keyOf(operatorId: string, playerId: string): string {
  return JSON.stringify([operatorId, playerId]);
}
