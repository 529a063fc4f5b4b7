/** One entry of the catalogue: the error of the Game Engine API for a code (E3). */
interface EngineErrorEntry {
  /** Number on the wire, `errorCode.id`. */
  readonly id: number;
  /** HTTP status: 4xx is definite, 5xx means that nothing is known or nothing was done (E3.2). */
  readonly status: number;
  /** For the engineer on the other side, `errorCode.msg`. */
  readonly msg: string;
  /** For the player, `errorCode.clientmsg`. */
  readonly clientmsg: string;
}

const sorry = 'Something went wrong. Please contact support.';
const tryAgain = 'This is not possible at the moment. Please try again.';
const notTaken = 'Your bet was not taken.';

/** Every error of the engine calls, by its stable code (E3). Ids from 9000 are ours. */
export const engineErrors = {
  GAMEROUNDALREADYSTARTED: final(12, 'The player has an open gameround.', sorry),
  GAMEROUNDNOTACTIVE: final(13, 'The gameround is not open.', 'This game is over.'),
  GAMEROUNDNOTFOUND: final(14, 'The gameround is not known.', sorry),
  GAMEROUNDNOTSTARTED: final(15, 'The gameround was never started.', sorry),
  INVALIDPARAMETER: final(19, 'A parameter is missing or not valid.', sorry),
  TRANSACTIONSARERETRYING: final(26, 'A credit is processed, pending or in doubt.', sorry),
  DISCOUNTNOTELIGIBLE: final(
    33,
    'The discount is not eligible.',
    'This discount is not available.',
  ),
  TRANSACTIONALREADYEXISTS: final(37, 'The key is known with other content.', sorry),
  SIGNATUREWRONG: { ...final(1001, 'The request could not be authenticated.', sorry), status: 401 },
  SESSIONINVALID: final(1008, 'The session is not valid.', 'Please start the game again.'),
  INTERNALERROR: unknown(500, 9000, 'The service could not process the request.'),
  BALANCETOOLOW: final(9001, 'The balance is too low.', 'Your balance is too low.'),
  GENERICBETERROR: final(9100, 'The debit was not taken.', notTaken),
  BETLIMITREACHED: final(9101, 'The stake is not offered.', 'This stake is not available.'),
  TICKETNOTAVAILABLE: final(9102, 'No free play for this stake.', 'No free play is left.'),
  SPINSNOTAVAILABLE: final(9103, 'More spins than were awarded.', sorry),
  GAMEROUNDSTILLOPEN: final(9104, 'The gameround is still open.', sorry),
  GAMENOTFOUND: final(9106, 'The game is not known.', sorry),
  RATELIMITEXCEEDED: { ...final(9107, 'Too many requests.', tryAgain), status: 429 },
  OPERATIONBEINGPROCESSED: unknown(503, 9110, 'An earlier call is not settled; nothing was done.'),
  WALLETUNAVAILABLE: unknown(503, 9111, 'The wallet does not answer.'),
  PROVIDERUNAVAILABLE: unknown(503, 9112, 'The game provider does not answer.'),
} as const satisfies Record<string, EngineErrorEntry>;

/** Stable code of an error; the key of `engineErrors`. */
export type EngineErrorCode = keyof typeof engineErrors;

/** A definite refusal: always 400; 401 is id 1001 alone (E3.3). */
function final(id: number, msg: string, clientmsg: string): EngineErrorEntry {
  return { id, status: 400, msg, clientmsg };
}

function unknown(status: number, id: number, msg: string): EngineErrorEntry {
  return { id, status, msg, clientmsg: tryAgain };
}

/** What a refused call is answered with (E3.1). */
export interface EngineErrorObject {
  readonly id: number;
  readonly msg: string;
  readonly clientmsg: string;
}

/** A call of the Game Engine API that is answered by an error of E3; its HTTP layer writes it. */
export class EngineRefusedError extends Error {
  override readonly name = 'EngineRefusedError';

  /**
   * @param error An error of ours by its code, or the operator's own, which is a 400 (E3).
   * @param rule The rule that decides it, such as `E9.2`; it is part of `msg`, never what came in.
   */
  constructor(
    readonly error: EngineErrorCode | { readonly id: number; readonly clientmsg: string | null },
    readonly rule: string,
    /** Of HTTP; the catalogue's unless given (405, 413 and 415 are 19 too). */
    readonly status: number = typeof error === 'string' ? engineErrors[error].status : 400,
    /** The wrong field and what it must be, for `msg`; never what came in. */
    readonly detail: string | null = null,
  ) {
    super(`${typeof error === 'string' ? error : `error ${error.id} of the operator`} (${rule})`);
  }

  /** The error object of the reply. */
  get errorObject(): EngineErrorObject {
    if (typeof this.error === 'string') {
      const { id, msg, clientmsg } = engineErrors[this.error];
      const what = this.detail === null ? msg : `${msg.replace(/\.$/, '')}: ${this.detail}.`;
      return { id, msg: `${what} (${this.rule})`, clientmsg };
    }
    const { id, clientmsg } = this.error;
    const msg = `The operator declined the debit. (${this.rule})`;
    return { id, msg, clientmsg: clientmsg ?? engineErrors.GENERICBETERROR.clientmsg };
  }
}
