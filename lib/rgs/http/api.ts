import { hash } from 'node:crypto';
import { originForm } from '../../platform/http';
import { Callers, type Refusals } from '../../protocol/authentication/callers';
import { RecentKeys } from '../../protocol/authentication/recent-keys';
import type { SeenBody } from '../../protocol/authentication/replay-guard';
import { EngineRefusedError } from '../../protocol/engine-api/errors';
import type { ApiCall } from './call';
import { type HttpFindingId, reportFinding } from './call-event';
import type { ApiSettings } from './options';

/** The rules by which an API refuses a caller, a path or a method that it does not have, and a body. */
export interface ApiRules {
  readonly caller: string;
  readonly path: string;
  readonly body: string;
}

/** What the endpoints of one API share. */
export class Api {
  readonly callers: Callers;
  /** X-Request-Ids, each with its caller. */
  readonly #requestIds: RecentKeys;

  constructor(
    readonly settings: ApiSettings,
    readonly rules: ApiRules,
  ) {
    this.callers = new Callers(settings, refusalsOf(rules));
    this.#requestIds = new RecentKeys(settings.rememberedSignatures);
  }

  /**
   * What came with this signature before: with the whole request, of which the signature itself covers a part (E2.6,
   * D1.8). Call it only after the signature was verified.
   */
  see(signature: string, { request: { method = '', url = '' }, body }: ApiCall<unknown>): SeenBody {
    // Neither method nor target holds a line end.
    const front = Buffer.from(`${method}\n${originForm(url)}\n`, 'latin1');
    const digest = hash('sha256', Buffer.concat([front, body]), 'buffer');
    return this.callers.replays.see(signature, digest);
  }

  /** Whether this caller has sent this X-Request-Id before (E2.5). */
  hasRequestId(callerId: string, requestId: string): boolean {
    const key = hash('sha256', `${requestId} ${callerId}`, 'base64');
    if (this.#requestIds.placeOf(key) !== null) return true;
    this.#requestIds.add(key);
    return false;
  }

  /** Reports a finding about a call. */
  found(id: HttpFindingId, name: string, call: ApiCall<unknown>, meant?: string): void {
    reportFinding(this.settings.onFinding, id, name, call.gameRound, call.cause, meant);
  }
}

function refusalsOf({ caller, body }: ApiRules): Refusals {
  return {
    stranger: Object.freeze(new EngineRefusedError('SIGNATUREWRONG', caller)),
    unreadable: (detail) => new EngineRefusedError('INVALIDPARAMETER', body, 400, asDetail(detail)),
    unsigned: (field) => {
      const detail = `${field} is missing or not valid`;
      return new EngineRefusedError('INVALIDPARAMETER', 'D1.7', 400, detail);
    },
  };
}

/** A sentence as a detail, after a colon. */
export function asDetail(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}
