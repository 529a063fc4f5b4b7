/** One entry of the catalogue: the error on the wire for a code. */
export interface ErrorEntry {
  /** Number on the wire, `errorCode.id`. */
  readonly id: number;
  /** For the engineer on the other side, `errorCode.msg`. */
  readonly msg: string;
  /** For the player, `errorCode.clientmsg`. */
  readonly clientmsg: string;
  /** `final`: the same request always gets this answer. `transient`: retry. */
  readonly repeat: 'final' | 'transient';
}

const sorry = 'Something went wrong. Please contact support.';
const tryAgain = 'This is not possible at the moment. Please try again.';

/**
 * Every error of this kit, by its stable code (D8). Ids up to 1001 are the specification's, 1 and those
 * from 9000 are ours; an option can set each.
 */
export const errorCatalogue = {
  PLAYERNOTFOUND: final(1, 'The player is not known to this wallet.', sorry),
  GAMEROUNDALREADYSTARTED: final(12, 'The gameround already has an accepted initial debit.', sorry),
  GAMEROUNDNOTACTIVE: final(13, 'The gameround is not open.', 'This game is over.'),
  GAMEROUNDNOTSTARTED: final(15, 'The gameround was never started.', sorry),
  TRANSACTIONCOUNTWRONG: final(16, 'transactionCount is not the length of transactions.', sorry),
  INVALIDPARAMETER: final(19, 'A parameter is missing or not valid.', sorry),
  DISCOUNTNOTELIGIBLE: final(
    33,
    'The discount is not eligible.',
    'This discount is not available.',
  ),
  TRANSACTIONALREADYEXISTS: final(37, 'The hash is known with other content.', sorry),
  SIGNATUREWRONG: final(1001, 'The request could not be authenticated.', sorry),
  INTERNALERROR: transient(9000, 'The wallet could not process the request.', tryAgain),
  BALANCETOOLOW: final(9001, 'The balance is too low.', 'Your balance is too low.'),
  CURRENCYNOTSUPPORTED: final(9002, 'The currency is not supported.', sorry),
  GAMEROUNDVOIDED: final(
    9003,
    'The gameround or the debit was voided.',
    'This game was cancelled.',
  ),
  DEBITFAILEDBEFORE: final(9004, 'Another debit failed.', sorry),
  CREDITREFUSED: final(9005, 'The credit was refused for good.', sorry),
  DEBITREFUSED: final(9006, 'The debit was refused.', 'You cannot play at the moment.'),
  TEMPORARILYUNAVAILABLE: transient(9007, 'The outcome is unknown; nothing was refused.', tryAgain),
  DEBITCHECKFAILED: final(9008, 'Whether the debit is allowed is not known.', sorry),
  LIMITREACHED: final(
    9009,
    'The debit would exceed a limit of the player.',
    'You have reached your limit.',
  ),
  DEBITEXPIRED: final(9010, 'The first debit is older than what the wallet remembers.', sorry),
} as const satisfies Record<string, ErrorEntry>;

/** Stable code of an error; the key of {@link errorCatalogue}. */
export type ErrorCode = keyof typeof errorCatalogue;

/** The user's own ids and texts, by code; the rest stays as in the catalogue. */
export type ErrorOverrides = {
  readonly [code in ErrorCode]?: Partial<Pick<ErrorEntry, 'id' | 'msg' | 'clientmsg'>>;
};

/** The error object of the protocol (operator-api 7, rule 1). */
export interface ErrorObject {
  readonly id: number;
  readonly msg: string;
  readonly clientmsg: string;
}

/** Renders a code as the protocol's error object; `detail` is appended to `msg` for the engineer. */
export type ErrorRenderer = (code: ErrorCode, detail?: string) => ErrorObject;

/** A renderer over the catalogue with the user's own ids and texts (D8). */
export function createErrorRenderer(overrides: ErrorOverrides = {}): ErrorRenderer {
  const entries = Object.entries(errorCatalogue).map(([code, entry]) => {
    const { id, msg, clientmsg } = { ...entry, ...overrides[code as ErrorCode] };
    return [code, Object.freeze({ id, msg, clientmsg })] as const;
  });
  const objects = new Map<string, ErrorObject>(entries);
  return (code, detail) => {
    const object = objects.get(code) as ErrorObject;
    return detail === undefined ? object : { ...object, msg: `${object.msg} ${detail}` };
  };
}

function final(id: number, msg: string, clientmsg: string): ErrorEntry {
  return { id, msg, clientmsg, repeat: 'final' };
}

function transient(id: number, msg: string, clientmsg: string): ErrorEntry {
  return { id, msg, clientmsg, repeat: 'transient' };
}

/** A request that the protocol answers with an error object; nothing of it was processed. */
export class RequestRefusedError extends Error {
  override readonly name = 'RequestRefusedError';

  constructor(
    /** Stable code, see the catalogue (D8). */
    readonly code: ErrorCode,
    /** What is wrong, for the engineer. It names fields and never repeats the request. */
    readonly detail?: string,
    /** HTTP status of the answer. */
    readonly status: number = 400,
  ) {
    super(detail === undefined ? code : `${code}: ${detail}`);
  }
}
