import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CallWatch, createOperationsHandler, type Person } from '../../operator/operations';
import type { WalletStore } from '../../operator/wallet';
import { cutUnreadBody, pathOf, type RequestListener } from '../../platform/http';
import type { Logger } from '../../platform';
import { HttpService } from '../terminal/http-service';
import { archiveChecksIn } from './archive-checks';
import type { AdminSettings } from './flags';

/** The parts of the operations page of a service. */
export interface AdminServiceParts {
  readonly settings: AdminSettings;
  readonly store: WalletStore;
  readonly operators: readonly string[];
  readonly calls: CallWatch;
  /** Where a paid credit goes: as the calls of the RGS have it. */
  readonly creditTo: 'real' | 'stakeShares';
  readonly log: Logger;
  /** Further paths besides the pages, such as `/metrics`, for people who may look. */
  readonly routes: ReadonlyMap<string, RequestListener>;
}

/** Few people look at once; the calls of the RGS need the file descriptors. */
const maxConnections = 64;
const keepAliveMs = 10_000;

/**
 * The operations page on its own port: an overloaded port of the RGS does not carry it, and a public
 * one does not show it. Every request is signed in before anything else.
 */
export function createAdminService(parts: AdminServiceParts): HttpService {
  const { store, operators, calls, creditTo, log, settings, routes } = parts;
  const people = new WeakMap<IncomingMessage, Person>();
  const pages = createOperationsHandler({
    store,
    operators,
    calls,
    creditTo,
    logger: log,
    authorize: (request) => people.get(request) ?? null,
    ...(settings.publicOrigin === null ? {} : { publicOrigin: settings.publicOrigin }),
    ...(settings.signOut === null ? {} : { signOut: settings.signOut }),
    ...(settings.openHours === null ? {} : { openHours: settings.openHours }),
    ...(settings.timeZone === null ? {} : { timeZone: settings.timeZone }),
    ...(settings.booksZone === null ? {} : { booksZone: settings.booksZone }),
    ...(settings.archiveChecks.length === 0
      ? {}
      : { archiveCheck: archiveChecksIn(settings.archiveChecks) }),
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const found = await settings.signIn(request);
    if (response.destroyed) return;
    if (found.kind === 'refused') return refuse(request, response, found);
    const { person } = found;
    const listener = routes.get(pathOf(request.url ?? '/'));
    if (listener === undefined) {
      people.set(request, person);
      return pages.handle(request, response);
    }
    if (!person.may.includes('look')) {
      const text = 'You may not see this page.';
      return refuse(request, response, { status: 403, headers: {}, text });
    }
    cutUnreadBody(request, response);
    listener(request, response);
  };
  return new HttpService({
    answer: (request, response) => void answer(request, response),
    maxConnections,
    whenFull: 'closeIdle',
    keepAliveMs,
  });
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  {
    status,
    headers,
    text,
  }: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  },
): void {
  cutUnreadBody(request, response);
  response.writeHead(status, {
    ...headers,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(`${text}\n`);
}
