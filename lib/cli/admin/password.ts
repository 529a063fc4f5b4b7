import { scrypt, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../platform';

/** N = 2^15, r = 8, p = 1: 32 MiB and about a tenth of a second for each try. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const prefix = 'scrypt:15:8:1';
const saltBytes = 16;
const keyBytes = 32;

/** A password as it is kept: `scrypt:15:8:1:SALT:KEY`. */
export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = random.bytes(saltBytes);
  const key = await derive(password, salt);
  return `${prefix}:${salt.toString('base64url')}:${key.toString('base64url')}`;
}

/** Whether a password is the one that is kept; compared in constant time. */
export async function isPassword(password: string, kept: string): Promise<boolean> {
  const [salt = '', key = ''] = kept.slice(`${prefix}:`.length).split(':');
  const expected = Buffer.from(key, 'base64url');
  const derived = await derive(password, Buffer.from(salt, 'base64url'));
  return expected.byteLength === keyBytes && timingSafeEqual(derived, expected);
}

/** Unicode has several forms of one text: the same keys must give the same password on every machine. */
function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
