import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '../../platform';
import { readBaseUrl } from '../../protocol/client/connection';
import { TimeUpError, withDeadline } from '../../platform/within';
import { CommandFailure, messageOf, withoutLogin } from '../terminal/failure';
import type { BookedRound, ProviderBook } from '../../proof/demo/game-bells';
import type { ProviderRound } from '../../rgs/sandbox';
import type { BooksView } from '../../rgs/sandbox/view/books';

const timeoutMs = 5000;

/**
 * Looks whether something listens at an address: opens a connection, over TLS for https, and sends nothing. A
 * wallet gets no request that its protocol does not have.
 * @param flag Which flag named it.
 * @throws CommandFailure that names the flag, the address, and what the connection came to.
 */
export async function checkReachable(clock: Clock, flag: string, url: string): Promise<void> {
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
    throw new CommandFailure(
      `${flag} must be an http or https address, such as https://wallet.example/rgs`,
    );
  }
  try {
    readBaseUrl(flag, url, false);
  } catch (error) {
    throw new CommandFailure(messageOf(error).replace(/; allowHttp.*/, ', or on this host'));
  }
  try {
    await withDeadline(clock, timeoutMs, (until) => open(new URL(url), until));
  } catch (error) {
    throw new CommandFailure(`${flag}: ${whyNot(error)} at ${withoutLogin(url)}`);
  }
}

function open({ protocol, hostname, port }: URL, until: AbortSignal): Promise<void> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isTls = protocol === 'https:';
  const at = { host, port: Number(port || (isTls ? 443 : 80)) };
  const socket = isTls ? connectTls({ ...at, servername: nameFor(host) }) : connect(at);
  return new Promise<void>((resolve, reject) => {
    socket.once(isTls ? 'secureConnect' : 'connect', () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
    until.addEventListener('abort', () => reject(until.reason as Error), { once: true });
  }).finally(() => {
    socket.on('error', () => {});
    socket.destroy();
  });
}

/** An IP address is no name to ask a certificate for. */
function nameFor(host: string): string {
  return /^[\d.]+$|:/.test(host) ? '' : host;
}

function whyNot(error: unknown): string {
  if (error instanceof TimeUpError) return `no connection within ${timeoutMs / 1000} s`;
  const code = codeOf(error);
  switch (code) {
    case 'ECONNREFUSED':
      return 'connection refused: nothing listens';
    case 'ENOTFOUND':
      return 'there is no host of this name';
    case 'ECONNRESET':
    case null:
      return 'the connection was cut';
    default:
      return `no connection (${code})`;
  }
}

/** The system's code of a failure, such as ECONNREFUSED or that of a certificate. */
function codeOf(error: unknown): string | null {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,48}$/.test(code) ? code : null;
}

const states = {
  requested: 'unclear',
  unclear: 'unclear',
  taken: 'taken',
  ended: 'taken',
  notTaken: 'notTaken',
  undone: 'undone',
} as const satisfies Record<BookedRound['state'], ProviderRound['state']>;

/**
 * The provider's own book, in the terms of the comparison (B3).
 * @param earlier Rounds from before this process: the book has them only once the provider closes them.
 */
export function bookedRounds(
  book: ProviderBook,
  earlier: ReadonlyMap<string, ProviderRound>,
): ProviderRound[] {
  const own = book.rounds().map(
    ({ gameRound, state, stake, win }): ProviderRound => ({
      gameRound,
      state: states[state],
      stake,
      win,
      isOver: state === 'ended' || state === 'undone',
    }),
  );
  const known = new Set(own.map(({ gameRound }) => gameRound));
  return [...[...earlier.values()].filter(({ gameRound }) => !known.has(gameRound)), ...own];
}

/** The rounds that a journal brings along. The game in memory does not know them, so it takes the RGS's word. */
export function earlierRounds({ rounds }: BooksView): Map<string, ProviderRound> {
  return new Map(
    rounds.map(({ gameRound, service }) => [
      gameRound,
      {
        gameRound,
        state: stateOf(service.state),
        stake: BigInt(service.stake),
        win: BigInt(service.win),
        isOver: service.state !== 'open' && service.state !== 'starting',
      },
    ]),
  );
}

function stateOf(state: string): ProviderRound['state'] {
  if (state === 'declined' || state === 'cancelled') return 'notTaken';
  if (state === 'voided') return 'undone';
  return state === 'starting' ? 'unclear' : 'taken';
}
