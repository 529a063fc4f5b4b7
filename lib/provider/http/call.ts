import { ServedCall } from '../../platform/http';
import type { Refusals } from '../../protocol/authentication/callers';
import type { EngineErrorCode } from '../../protocol/engine-api/errors';
import type { JsonDocument } from '../../protocol/json/parse';

/** The answer to a call that is refused, or whose handler failed. */
export interface Refused {
  readonly status: number;
  readonly code: EngineErrorCode;
  readonly detail: string | null;
  /** x-h-error-id of the reply (E3.1). */
  readonly reference: string;
  /** What was thrown; of the request, if `isOurs` is false. */
  readonly error: unknown;
  readonly isOurs: boolean;
}

/** A call of the RGS. */
export class ProviderCall<Q> extends ServedCall<Q> {
  /** The members of the query or the body, once the call is verified or need not be. */
  document: JsonDocument | null = null;
  /** The JSON of a 200. */
  answer = '';
  /** Null unless it was answered by an error. */
  refused: Refused | null = null;
}

/** A call of the RGS that is answered by an error of E3. */
export class CallRefusedError extends Error {
  override readonly name = 'CallRefusedError';

  constructor(
    readonly code: EngineErrorCode,
    readonly status: number,
    /** For the engineer; added to the `msg` of the error. It never repeats the request. */
    readonly detail: string | null = null,
  ) {
    super(detail ?? code);
  }
}

/** What a call is refused with before its caller is known (D1). */
export const refusals: Refusals = {
  stranger: Object.freeze(new CallRefusedError('SIGNATUREWRONG', 401)),
  unreadable: (detail) => invalid(detail),
  unsigned: (field) => invalid(`${field} is missing or not valid.`),
};

/** A request that is not as C3 has it. */
export function invalid(detail: string, status = 400): CallRefusedError {
  return new CallRefusedError('INVALIDPARAMETER', status, detail);
}
