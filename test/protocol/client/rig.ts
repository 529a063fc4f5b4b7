import { createSeededRandom } from '../../../lib/platform';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import type { AttemptEvent, FetchInit } from '../../../lib/protocol/client/ports';
import { CallRunner } from '../../../lib/protocol/client/run-call';
import type { ClientSettings } from '../../../lib/protocol/client/connection';
import type { Outgoing } from '../../../lib/protocol/client/outgoing';
import { Secret } from '../../../lib/protocol/signature';

export const secret = 'engine-client-secret-01';

/** What one request is answered with. */
export interface Scripted {
  readonly status: number;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer to a request: a reply, or what fetch rejects with; undefined never answers. */
export type Answer = Scripted | Error | undefined;

/** A runner over a fetch that answers in turn, the last answer for ever. */
export function runnerOver(answers: readonly Answer[], changes: Partial<ClientSettings> = {}) {
  const clock = new VirtualClock();
  const sent: { readonly url: string; readonly init: FetchInit }[] = [];
  const events: AttemptEvent[] = [];
  let ids = 0;
  const settings: ClientSettings = {
    baseUrl: 'https://rgs.example/gameapi/v2',
    authId: 'studio-1',
    idName: 'game provider ID',
    secret: new Secret(secret),
    attemptTimeoutMs: 10_000,
    timeoutMs: 30_000,
    attempts: 3,
    maxReplyBytes: 1000,
    clock,
    random: createSeededRandom(1),
    errors: {
      isLenient: true,
      codes: new Map([
        [13, 'GAMEROUNDNOTACTIVE'],
        [1001, 'SIGNATUREWRONG'],
      ]),
    },
    newRequestId: () => `request-${++ids}`,
    reportAttempt: (event) => void events.push(event),
    fetch: async (url, init) => {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push({ url, init });
      if (answer === undefined) return new Promise<never>(() => {});
      if (answer instanceof Error) throw answer;
      const { status, text = '', headers = {} } = answer;
      return new Response(text, { status, headers });
    },
    ...changes,
  };
  return { runner: new CallRunner(settings), clock, sent, events };
}

/** A signed POST of this body. */
export function post(body: string, changes: Partial<Outgoing> = {}): Outgoing {
  return {
    operation: 'testPing',
    method: 'POST',
    target: '/testPing',
    body,
    signed: { kind: 'body', emptyBodyAs: '' },
    isRepeatable: true,
    mayBeEmpty: false,
    ...changes,
  };
}

/** What a promise was rejected with. */
export function rejectionOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => {
      throw new Error('it was not rejected', { cause: value });
    },
    (error: unknown) => error,
  );
}
