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
