import { type EngineErrorCode, engineErrors } from './catalogue';

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
