import type { IncomingMessage, ServerResponse } from 'node:http';

/** Answers one request over Node's own request and response. */
export type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/** A path of the protocol: its one method, the listener for it, and the listener for any other method. */
export interface Route {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly listener: RequestListener;
  readonly otherMethod: RequestListener;
}

/**
 * Finds the listener for a request as an Express router does by default: the path in any letter case, with
 * or without a trailing slash, and HEAD for GET. Null for other paths.
 */
export class Routes {
  private readonly byPath = new Map<string, Route>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      this.byPath.set(route.path, route);
      this.byPath.set(route.path.toLowerCase(), route);
    }
  }

  find({ url = '', method }: IncomingMessage): RequestListener | null {
    const path = pathOf(url);
    const route = this.byPath.get(path) ?? this.byPath.get(plainForm(path));
    if (route === undefined) return null;
    const isRight = method === route.method || (method === 'HEAD' && route.method === 'GET');
    return isRight ? route.listener : route.otherMethod;
  }
}

/** The path of a request's target. */
export function pathOf(url: string): string {
  const target = originForm(url);
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

/** Path and query of a request's target, which may be an absolute address (RFC 9112, 3.2.2). */
export function originForm(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '');
}

function plainForm(path: string): string {
  return path.toLowerCase().replace(/(?<=.)\/$/, '');
}
