import type { Refusals } from '../../protocol/authentication';
import type { EngineErrorCode } from '../../protocol/engine-api';

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
