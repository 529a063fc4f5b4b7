import { type Command, InvalidArgumentError, Option } from 'commander';
import { CommandFailure } from '../terminal/failure';
import { collect, knownZone, wholeNumber } from '../terminal/flags';
import { readTextFile } from '../terminal/read-json-file';
import type { Clock, Random } from '../../platform';
import { basicAuth } from './basic-auth';
import { isLoopback, openToLook, type SignInCheck, refused, type SignIn } from './sign-in';
import { readUsers, type AdminUser } from './users';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isSignOut } from '../../operator/operations/configuration/options';
import { isPlainText } from '../../operator/stores/check-input';
import { isIdentifier } from '../../protocol/identifiers';

/** Flags of the operations page. */
export interface AdminFlags {
  readonly adminPort?: number;
  readonly adminHost?: string;
  readonly adminUsers?: string;
  readonly adminProxyHeader?: string;
  readonly adminProxySecretFile?: string;
  readonly adminOpen?: true;
  readonly adminOrigin?: string;
  readonly adminSignOut?: string;
  readonly openHours?: number;
  readonly timeZone?: string;
  readonly booksZone?: string;
  readonly archiveCheck?: readonly string[];
}

/** Where the page listens, and who may see it. */
export interface AdminSettings {
  readonly port: number;
  readonly host: string;
  readonly signIn: SignInCheck;
  /** Who may do what, if a file says so. */
  readonly users: ReadonlyMap<string, AdminUser> | null;
  readonly publicOrigin: string | null;
  /** Where people sign out; null where that is not known. */
  readonly signOut: string | null;
  /** Hours after which the page shows a round without an end; null for its default. */
  readonly openHours: number | null;
  /** The zone of the page's times for who has chosen none; null for UTC. */
  readonly timeZone: string | null;
  /** Time zone of the days of the books; null for UTC. */
  readonly booksZone: string | null;
  /** Results of `archive verify --json`. */
  readonly archiveChecks: readonly string[];
}

const minSecretBytes = 16;

/** The same as `openHours` of the page takes: more than a hundred years. */
const maxOpenHours = 1_000_000;

/** Adds {@link AdminFlags}. */
export function addAdminFlags(command: Command): Command {
  return command
    .option(
      '--admin-port <n>',
      'port of the operations page, which has a separate server; 0 picks a free one (default: no page)',
      wholeNumber(0, 65_535),
    )
    .option('--admin-host <host>', 'address of the operations page (default: 127.0.0.1)')
    .option(
      '--admin-users <file>',
      'who may see the page, as rgs-wallet admin-user add writes it; people sign in by name and password',
    )
    .option(
      '--admin-proxy-header <name>',
      'a proxy signs people in, and names them in this header, such as X-Forwarded-User',
      headerName,
    )
    .option(
      '--admin-proxy-secret-file <file>',
      `file of a secret that the proxy sends as ${proxySecretHeader}`,
    )
    .option(
      '--admin-open',
      'let everybody on this machine look, without a password and without further rights (development)',
    )
    .option(
      '--admin-origin <origin>',
      'the origin in the address bar where a proxy changes the Host, such as https://ops.example',
      origin,
    )
    .option(
      '--admin-sign-out <address>',
      'where people sign out, such as /oauth2/sign_out of the proxy: the page of a person leads there',
      signOutAddress,
    )
    .addOption(
      new Option(
        '--open-hours <n>',
        'hours after which the page shows a round without an end as one that waits (default: 72; in Redis only with --history)',
      )
        .env('OPEN_HOURS')
        .argParser(wholeNumber(1, maxOpenHours)),
    )
    .addOption(
      new Option(
        '--time-zone <name>',
        'zone of the times on the page, such as Europe/Malta; each person can choose another (default: UTC)',
      )
        .env('TIME_ZONE')
        .argParser(knownZone),
    )
    .addOption(
      new Option(
        '--books-zone <name>',
        'time zone in which the days on the page begin and end, such as Europe/Malta (default: UTC)',
      )
        .env('BOOKS_ZONE')
        .argParser(knownZone),
    )
    .option(
      '--archive-check <file>',
      'what rgs-wallet archive verify --json wrote: the page then says which days are in the archive, and whether it is whole; repeatable',
      collect,
    );
}

/**
 * Where the page listens, and who may see it; null without the page.
 * @throws CommandFailure for a page that anyone could see, and for flags that cannot be combined.
 */
export function readAdminFlags(
  flags: AdminFlags,
  ports: { readonly clock: Clock; readonly random: Random },
): AdminSettings | null {
  const { adminPort: port, adminHost: host = '127.0.0.1' } = flags;
  if (port === undefined) {
    const given = Object.entries(flags).find(
      ([name, value]) => name.startsWith('admin') && value !== undefined,
    );
    if (given !== undefined) throw new CommandFailure('The --admin- flags need --admin-port');
    const [flag] = [
      ...(flags.openHours === undefined ? [] : ['--open-hours']),
      ...(flags.timeZone === undefined ? [] : ['--time-zone']),
      ...(flags.booksZone === undefined ? [] : ['--books-zone']),
      ...(flags.archiveCheck === undefined ? [] : ['--archive-check']),
    ];
    if (flag === undefined) return null;
    throw new CommandFailure(`${flag} is for the operations page: it needs --admin-port`);
  }
  const users = flags.adminUsers === undefined ? null : readUsers(flags.adminUsers);
  const signIn = signInOf(flags, users, host, ports);
  const { adminOrigin: publicOrigin = null, adminSignOut: signOut = null } = flags;
  const { openHours = null } = flags;
  const { timeZone = null, booksZone = null, archiveCheck: archiveChecks = [] } = flags;
  const settings = { port, host, signIn, users, publicOrigin, signOut, openHours, timeZone };
  return { ...settings, booksZone, archiveChecks };
}

function signInOf(
  { adminProxyHeader, adminProxySecretFile, adminOpen }: AdminFlags,
  users: ReadonlyMap<string, AdminUser> | null,
  host: string,
  ports: { readonly clock: Clock; readonly random: Random },
): SignInCheck {
  const isProxied = adminProxyHeader !== undefined || adminProxySecretFile !== undefined;
  if (adminOpen === true) {
    if (users !== null || isProxied) {
      throw new CommandFailure('--admin-open cannot be combined with users or a proxy');
    }
    if (!isLoopback(host)) {
      throw new CommandFailure(
        '--admin-open shows every player to everybody who reaches the port: --admin-host must be 127.0.0.1',
      );
    }
    return openToLook();
  }
  if (isProxied) {
    if (adminProxyHeader === undefined || adminProxySecretFile === undefined) {
      throw new CommandFailure(
        '--admin-proxy-header and --admin-proxy-secret-file need each other: without the secret anyone could send the header',
      );
    }
    return proxySignIn({
      header: adminProxyHeader,
      secret: readSecret(adminProxySecretFile),
      users,
    });
  }
  if (users !== null) return basicAuth(users, ports);
  throw new CommandFailure(
    `--admin-port without users would show every player to everybody who reaches ${host}: name --admin-users, or --admin-proxy-header with --admin-proxy-secret-file; on 127.0.0.1, --admin-open lets everybody look`,
  );
}

function readSecret(file: string): string {
  const secret = readTextFile(file).trim();
  if (Buffer.byteLength(secret) >= minSecretBytes) return secret;
  throw new CommandFailure(`${file}: the secret must have at least ${minSecretBytes} bytes`);
}

function headerName(text: string): string {
  if (/^[A-Za-z0-9-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be the name of a header, such as X-Forwarded-User.');
}

function origin(text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text) return text;
  throw new InvalidArgumentError('It must be an origin without a path, such as https://a.example.');
}

function signOutAddress(text: string): string {
  if (isSignOut(text)) return text;
  throw new InvalidArgumentError('It must be a path or an address, such as /oauth2/sign_out.');
}

/** The header in which the proxy proves that it is the proxy. */
const proxySecretHeader = 'X-Admin-Proxy-Secret';

interface ProxyTrust {
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
function proxySignIn({ header, secret, users }: ProxyTrust): SignInCheck {
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
