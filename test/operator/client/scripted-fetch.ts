import {
  createRgsClient,
  type FetchInit,
  type FetchPort,
  type RgsClient,
} from '../../../lib/operator/client';
import type { RgsClientOptions } from '../../../lib/operator/client';
import { parseJson } from '../../../lib/protocol/json/parse';
import { readQuery } from '../../../lib/protocol/operator-api/read-call';
import {
  readNamedParts,
  readSignedParameters,
  readSignedParts,
  Secret,
  type SignedOperation,
  verifySignature,
} from '../../../lib/protocol/signature';
import { systemClock } from '../../../lib/platform';

export const secret = 'client-secret-0123456789';

/** A request as fetch got it. */
export interface Sent {
  readonly url: URL;
  readonly init: FetchInit;
}

/** What one request is answered with: the text of a 200, a status with its text, or its own doing. */
export type Answer = string | readonly [status: number, text: string] | (() => Promise<never>);

/** A fetch that needs no network: notes what is sent and answers in turn, the last answer for ever. */
export class ScriptedFetch {
  readonly sent: Sent[] = [];

  constructor(private readonly answers: readonly Answer[]) {}

  readonly fetch: FetchPort = async (url, init) => {
    const answer = this.answers[Math.min(this.sent.length, this.answers.length - 1)] ?? '{}';
    this.sent.push({ url: new URL(url), init });
    if (typeof answer === 'function') return answer();
    const [status, text] = typeof answer === 'string' ? ([200, answer] as const) : answer;
    return new Response(status === 204 ? null : text, { status });
  };
}

/** A client over such a fetch, which does not pause between attempts. */
export function scriptedClient(
  answers: readonly Answer[],
  options: Partial<RgsClientOptions> = {},
): { readonly client: RgsClient; readonly sent: readonly Sent[] } {
  const script = new ScriptedFetch(answers);
  const client = createRgsClient({
    baseUrl: 'https://rgs.example/operator',
    operatorId: 'acme',
    secret,
    fetch: script.fetch,
    clock: hasty,
    ...options,
  });
  return { client, sent: script.sent };
}

/** A clock without pauses between attempts and with time limits that never fire. */
const hasty = {
  ...systemClock,
  pause: () => Promise.resolve(),
  after: () => () => {},
};

/** Whether a verifier that knows the secret takes what was sent (operator-api 5). */
export function isAuthentic(
  { url, init }: Sent,
  signed: SignedOperation | readonly string[],
): boolean {
  const header = (name: string) => Buffer.from(init.headers[name] ?? '', 'latin1').toString('utf8');
  const query = readQuery(url.href) ?? new Map<string, string>();
  const { parts } =
    typeof signed === 'string'
      ? init.body === undefined
        ? readSignedParameters(signed, query)
        : readSignedParts(signed, parseJson(init.body))
      : readNamedParts(signed, parseJson(init.body ?? JSON.stringify(Object.fromEntries(query))));
  if (parts === null) return false;
  return verifySignature([new Secret(secret)], {
    authId: header('X-H-AUTH-ID'),
    timestamp: header('X-H-TIMESTAMP'),
    signature: header('X-H-AUTH-SIG'),
    parts,
  });
}

/** What the call was rejected with. */
export async function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => {
      throw new Error('the call was not rejected', { cause: value });
    },
    (error: unknown) => error,
  );
}
