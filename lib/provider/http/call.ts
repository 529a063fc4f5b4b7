import { ServedCall } from '../../platform/http';
import type { EngineErrorCode } from '../../protocol/engine-api';
import type { JsonDocument } from '../../protocol/json';

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
