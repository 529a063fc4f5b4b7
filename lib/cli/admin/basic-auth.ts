import { createHmac } from 'node:crypto';
import type { Clock, Random } from '../../platform';
import { FailedLogins } from './failures';
import { isPassword } from './password';
import { refused, type SignIn, type SignInCheck } from './sign-in';
import type { AdminUser } from './users';

/** Passwords that are tried at once: each takes 32 MiB. */
const maxAtOnce = 2;

/** Most tries that wait: as many as the port has connections, so that each waits a few seconds at most. */
const maxWaiting = 64;

/**
 * Lets a few passwords be tried at once, in the order in which they came. The others wait rather than being
 * refused: otherwise a caller with names that nobody has could keep the few places busy, and everybody out.
 */
export class PasswordTurns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** Resolves to true once it is the try's turn, which ends with {@link leave}; to false if too many wait. */
  async enter(): Promise<boolean> {
    if (this.running < maxAtOnce) {
      this.running += 1;
      return true;
    }
    if (this.waiting.length >= maxWaiting) return false;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return true;
  }

  leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.running -= 1;
    else next();
  }
}

/** Longest `Authorization` header that is looked at. */
const longestHeader = 2048;

/** Proved headers that are remembered: a browser sends the password with every request. */
const maxProved = 1000;

/**
 * Sign-in by name and password (RFC 7617). An unknown id costs as much as a wrong password, and its failures are
 * counted in the same way: no answer tells who has an account. A header that was right once is known again by its HMAC under a key of this process, so that failures of others never
 * lock out a user who is signed in.
 */
export function basicAuth(
  users: ReadonlyMap<string, AdminUser>,
  { clock, random }: { readonly clock: Pick<Clock, 'monotonicMs'>; readonly random: Random },
): SignInCheck {
  const failures = new FailedLogins(clock);
  const key = random.bytes(32);
  const proved = new Map<string, AdminUser>();
  const decoy = `scrypt:15:8:1:${random.bytes(16).toString('base64url')}:${random.bytes(32).toString('base64url')}`;
  const turns = new PasswordTurns();

  return async (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined || authorization.length > longestHeader) return unauthorized();
    const seal = createHmac('sha256', key).update(authorization).digest('base64');
    const known = proved.get(seal);
    if (known !== undefined) return found(known);
    const given = readBasic(authorization);
    if (given === null) return unauthorized();
    const { id } = given;
    const user = users.get(id);
    const address = request.socket.remoteAddress ?? '';
    const waitMs = failures.waitMs(id, address);
    if (waitMs > 0) return tooMany(waitMs);
    failures.begin(id, address);
    if (!(await turns.enter())) return tooMany(0);
    try {
      if (request.socket.destroyed) return unauthorized();
      const isRight = await isPassword(given.password, user?.password ?? decoy);
      if (!isRight || user?.password === undefined) return unauthorized();
    } finally {
      turns.leave();
    }
    failures.succeeded(id, address);
    for (const oldest of proved.keys()) {
      if (proved.size < maxProved) break;
      proved.delete(oldest);
    }
    proved.set(seal, user);
    return found(user);
  };
}

function found({ id, name, may }: AdminUser): SignIn {
  return { kind: 'person', person: { id, name, may } };
}

function unauthorized(): SignIn {
  return refused(401, 'Sign in with your name and password.', {
    'www-authenticate': 'Basic realm="rgs-wallet operations", charset="UTF-8"',
  });
}

function tooMany(waitMs: number): SignIn {
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)));
  return refused(429, `Too many failed logins: try again in ${seconds} s.`, {
    'retry-after': seconds,
  });
}

function readBasic(
  authorization: string,
): { readonly id: string; readonly password: string } | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { id: text.slice(0, colon), password: text.slice(colon + 1) };
}
