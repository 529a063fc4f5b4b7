/** POST /sandbox/clock. */
export interface ClockRequest {
  readonly advanceMs: number;
}

/** POST /sandbox/resolve (E16.2). */
export interface ResolveRequest {
  readonly round: string;
  readonly how: 'close' | 'resend' | 'giveUp';
}

/** POST /sandbox/launch: getGameURL for a player, without the operator's signature. Reply: {url}. */
export interface LaunchPlayerRequest {
  readonly operatorId?: string;
  readonly playerId: string;
  readonly gameCode: string;
  readonly currency: string;
  readonly mode?: 'REAL' | 'DEMO' | 'HISTORY';
  readonly language?: string;
}

/** A player whom the page offers to launch. */
export type LaunchablePlayer = Required<
  Pick<LaunchPlayerRequest, 'operatorId' | 'playerId' | 'currency'>
>;

/** POST /sandbox/play: a scenario by its name; it removes every fault that is set. Reply: PlayedView. */
export interface PlayRequest {
  readonly name: string;
}

/** What a scenario printed; `isOk` is false if its books differ. */
export interface PlayedView {
  readonly isOk: boolean;
  readonly lines: readonly string[];
}

/**
 * The other calls: POST /sandbox/janitor and POST /sandbox/kill (the service dies and starts again from its
 * journal) with an empty object, DELETE /sandbox/faults, GET /sandbox/faults: {faults}. Every POST answers with
 * 200 and a JSON object; a refusal is {error: text} with 400, 403, 404 or 405.
 */
export interface DoneView {
  readonly isDone: true;
}
