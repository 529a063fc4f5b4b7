import type { IncomingMessage } from 'node:http';
import type { Person } from '../../operator/operations';

/** Who asks, or how the request is refused. */
export type SignIn =
  | { readonly kind: 'person'; readonly person: Person }
  | {
      readonly kind: 'refused';
      readonly status: 400 | 401 | 403 | 429;
      readonly headers: Readonly<Record<string, string>>;
      /** For the person; it repeats nothing of the request. */
      readonly text: string;
    };

/** Tells who asks. It never rejects. */
export type SignInCheck = (request: IncomingMessage) => Promise<SignIn>;

/** A refusal. */
export function refused(
  status: 400 | 401 | 403 | 429,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): SignIn {
  return { kind: 'refused', status, headers, text };
}

/** 127.0.0.0/8, ::1 and localhost, with any port. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Anyone on this machine may look, and nobody may do more. The Host must be loopback: otherwise a web page
 * in a browser here could read the players by a name that it made to point to this machine.
 */
export function openToLook(): SignInCheck {
  return async ({ headers }) =>
    loopbackHost.test(headers.host ?? '')
      ? { kind: 'person', person: { id: 'local', name: null, may: ['look'] } }
      : refused(403, 'Open the page as 127.0.0.1 or localhost.');
}

/** Whether an address to listen on is this machine's alone. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);
}
