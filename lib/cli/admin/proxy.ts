import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isPlainText } from '../../operator/stores/check-input';
import { isIdentifier } from '../../protocol/identifiers';
import { refused, type SignIn, type SignInCheck } from './sign-in';
import type { AdminUser } from './users';

/** The header in which the proxy proves that it is the proxy. */
export const proxySecretHeader = 'X-Admin-Proxy-Secret';

/** What a proxy is trusted with. */
export interface ProxyTrust {
  /** The header that names the person. */
  readonly header: string;
  readonly secret: string;
  /** Who may do what; null if everybody whom the proxy names may look. */
  readonly users: ReadonlyMap<string, AdminUser> | null;
}

/**
 * Sign-in at a proxy: it names the person in a header, and proves itself by a secret in another. Without the
 * secret the name counts for nothing: anyone who reaches the port could send it.
 */
export function proxySignIn({ header, secret, users }: ProxyTrust): SignInCheck {
  const expected = digest(secret);
  return async (request) => {
    const given = only(request, proxySecretHeader) ?? '';
    if (!timingSafeEqual(digest(given), expected)) {
      return refused(403, 'This port answers its proxy alone.');
    }
    const id = only(request, header);
    if (id === null || !isIdentifier(id) || !isPlainText(id, 1, 128))
      return refused(403, 'The proxy named no person.');
    return personOf(id, users);
  };
}

function personOf(id: string, users: ProxyTrust['users']): SignIn {
  if (users === null) return { kind: 'person', person: { id, name: null, may: ['look'] } };
  const user = users.get(id);
  if (user === undefined) return refused(403, 'You may not see this page.');
  const { name, may } = user;
  return { kind: 'person', person: { id, name, may } };
}

/** A header that is present once; its bytes are UTF-8, which Node reads as latin1. */
function only({ headersDistinct }: IncomingMessage, name: string): string | null {
  const values = headersDistinct[name.toLowerCase()] ?? [];
  const [value] = values;
  if (value === undefined || values.length > 1) return null;
  return Buffer.from(value, 'latin1').toString('utf8');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
