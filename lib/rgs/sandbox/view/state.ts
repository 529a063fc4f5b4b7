import type { Resolution } from '../../ports';
import type { Due, Owner, RoundState } from '../../rounds/round';
import type { Game } from '../../service/core/options';
import type { OfAccount } from './books';

/*
 * What the API under /sandbox returns, as JSON; its other parts are beside this file. Amounts are texts of digits in
 * minor units; times are ISO 8601; null means unknown or none. Tokens appear by their last four characters, secrets
 * never.
 */

/** The four lines, by who calls whom. */
export const lineNames = Object.freeze([
  'provider-rgs',
  'rgs-wallet',
  'rgs-provider',
  'operator-rgs',
] as const);

/** One of the four lines. */
export type LineName = (typeof lineNames)[number];

/** The faults that a line can have. */
export const faultKinds = Object.freeze([
  'loseRequest',
  'loseReply',
  'late',
  'twice',
  'reorder',
  '503',
  '429',
  'html',
  'cut',
] as const);

/** One of the faults. */
export type FaultKind = (typeof faultKinds)[number];

/** POST /sandbox/faults: exactly one of `next` (so many calls) and `probability` (0 to 1); next 1 if neither. */
export interface FaultRequest {
  readonly line: LineName;
  /** The name of a call; every call of the line if absent. */
  readonly call?: string;
  readonly kind: FaultKind;
  readonly next?: number;
  readonly probability?: number;
  /** For `late`: how long the reply is held back; 1,000 unless given. */
  readonly delayMs?: number;
}

/** A fault that is set. */
export interface FaultView {
  readonly id: number;
  readonly line: LineName;
  readonly call: string | null;
  readonly kind: FaultKind;
  /** Calls that it still hits; null if it goes by probability. */
  readonly left: number | null;
  readonly probability: number | null;
  readonly delayMs: number;
  /** Calls that it has hit. */
  readonly hits: number;
}

/** GET /sandbox/faults. */
export interface FaultsView {
  readonly faults: readonly FaultView[];
}

/** POST /sandbox/clock. */
export interface ClockRequest {
  readonly advanceMs: number;
}

/** The reply to POST /sandbox/clock: the service's clock, ISO 8601. */
export interface ClockView {
  readonly now: string;
}

/** POST /sandbox/resolve (E16.2). */
export interface ResolveRequest {
  readonly round: string;
  readonly how: Resolution;
}

/** POST /sandbox/launch: getGameURL for a player, without the operator's signature. */
export interface LaunchPlayerRequest {
  readonly operatorId?: string;
  readonly playerId: string;
  readonly gameCode: string;
  readonly currency: string;
  readonly mode?: 'REAL' | 'DEMO' | 'HISTORY';
  readonly language?: string;
}

/** The reply to POST /sandbox/launch. */
export interface LaunchView {
  readonly url: string;
}

/** POST /sandbox/play: the name of a scenario. */
export interface PlayRequest {
  readonly name: string;
}

/** A player whom the page offers to launch. */
export type LaunchablePlayer = Required<
  Pick<LaunchPlayerRequest, 'operatorId' | 'playerId' | 'currency'>
>;

/**
 * What a scenario printed: the reply to POST /sandbox/play with its `name`, which removes every fault that is set.
 * `isOk` is false if its books differ.
 */
export interface PlayedView {
  readonly isOk: boolean;
  readonly lines: readonly string[];
}

/**
 * The other calls: POST /sandbox/janitor and POST /sandbox/kill (the service dies and starts again from its
 * journal) with an empty object, DELETE /sandbox/faults. Every POST answers with
 * 200 and a JSON object; a refusal is {error: text} with 400, 403, 404 or 405.
 */
export interface DoneView {
  readonly isDone: true;
}

/** A session that is valid. */
export interface SessionView extends OfAccount {
  /** The last four characters of its token. */
  readonly token: string;
  readonly kind: 'player' | 'janitor' | 'history';
  readonly gameCode: string;
  readonly mode: string;
  readonly openedAt: string;
  /** On the service's clock. */
  readonly ageMs: number;
  readonly openRound: string | null;
  /** By `rcEnabled` and `rcInterval`; null without them (E24.4). */
  readonly realityCheck: {
    readonly fired: number;
    /** When the latest fired, or the first will. */
    readonly at: string;
    readonly isAnswered: boolean;
  } | null;
}

/** What registerPlayer or sendRealityCheckResponse sent of a player (E24.4). */
export interface NoticeView {
  readonly call: 'registerPlayer' | 'sendRealityCheckResponse';
  readonly operatorId: string;
  readonly playerId: string;
  readonly at: string;
  /** JSON text. */
  readonly body: string;
}

/** A player's money: what the wallet said last, and what the service makes of the rounds. */
export interface PlayerView extends OfAccount {
  readonly mode: Owner['mode'];
  /** The first balance that the wallet reported. */
  readonly start: string | null;
  /** The latest balance that the wallet reported. */
  readonly wallet: string | null;
  readonly walletAsOf: string | null;
  /** start - debits + credits, as the service counts them; null as long as start is unknown. */
  readonly service: string | null;
}

/** A transaction that is due, or was not delivered. */
export interface DueView extends Pick<Due, 'type' | 'hash' | 'reason'> {
  readonly amount: string | null;
  readonly at: string;
}

/** A debit or a credit of a round. */
export interface MovementView extends DueView {
  /** debit: due, accepted, declined, withdrawn, voided; credit: due, paid, refused, held, dropped. */
  readonly state: string;
}

/** A round as the service keeps it (E6). */
export interface RoundView extends OfAccount {
  readonly gameRound: string;
  readonly state: RoundState;
  readonly needsPerson: boolean;
  readonly gameProviderId: string;
  readonly gameCode: string;
  readonly mode: Owner['mode'];
  readonly stake: string;
  readonly amountToCollect: string;
  /** Confirmed by the wallet. */
  readonly amountCredited: string;
  readonly creditPending: string;
  readonly startedAt: string;
  readonly lastCallAt: string;
  readonly debits: readonly MovementView[];
  readonly credits: readonly MovementView[];
  /** In the order in which they go to the wallet (W5). */
  readonly due: readonly DueView[];
  readonly undelivered: readonly DueView[];
}

/** A round that is left to a person (E16.2). */
export interface AttentionView {
  readonly gameRound: string;
  readonly why: string;
  readonly ways: readonly Resolution[];
}

/** A package of free plays (E18). */
export interface FreePlayView extends OfAccount {
  readonly gameCode: string;
  readonly serial: string;
  readonly stake: string;
  readonly granted: number;
  readonly used: number;
  readonly won: string;
  readonly expires: string | null;
}

/** A record of getStats, by game and currency (E24.3). */
export interface StatisticsView {
  readonly operatorId: string;
  readonly game: string;
  readonly currency: string;
  readonly bet: string;
  readonly win: string;
  readonly games: number;
  readonly player: number;
  readonly RTP: string;
}

/** GET /sandbox/state. */
export interface StateView {
  /** The service's clock. */
  readonly now: string;
  /** How far it is ahead of real time. */
  readonly aheadMs: number;
  readonly seed: number;
  /** The number of the latest call on the wire. */
  readonly wire: number;
  readonly findings: number;
  /** Set once the journal has failed: money calls are refused (B4). */
  readonly isReadOnly: boolean;
  readonly operators: readonly { readonly operatorId: string; readonly wallet: string }[];
  readonly games: readonly (Game & { readonly provider: string })[];
  /** Players of the options, and those with a wallet call. */
  readonly launchable: readonly LaunchablePlayer[];
  readonly players: readonly PlayerView[];
  readonly sessions: readonly SessionView[];
  /** Latest first. */
  readonly rounds: readonly RoundView[];
  readonly due: readonly (DueView & { readonly gameRound: string })[];
  readonly attention: readonly AttentionView[];
  readonly notices: readonly NoticeView[];
  readonly faults: readonly FaultView[];
  readonly freePlays: readonly FreePlayView[];
  readonly statistics: readonly StatisticsView[];
  /** What POST /sandbox/play knows. */
  readonly scenarios: readonly { readonly name: string; readonly shows: string }[];
}
