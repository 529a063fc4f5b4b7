import { ownText } from '../../../platform/own-text';
import { pathOf, type PlainRequest } from '../../../platform/http';
import { readQuery } from '../../../protocol/operator-api';
import type { BodyView, LineName } from '../view';
import { documentOf, signedStringOf } from './signed';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * What the wire says of a request. Only the call is read at once: of most requests nobody looks at the rest, and reading it
 * costs more than the work itself.
 */
export class Described {
  readonly call: string;
  #round: string | null | undefined;

  constructor(
    readonly line: LineName,
    private readonly request: PlainRequest,
  ) {
    const path = pathOf(request.target).replace(/\/+$/, '');
    this.call = path.slice(path.lastIndexOf('/') + 1);
  }

  /** The round that it names; null if there is none. */
  get round(): string | null {
    if (this.#round === undefined) this.#round = this.#readRound();
    return this.#round;
  }

  /** What was signed, `[secret]` in the secret's place; null for an unsigned call. */
  get signed(): string | null {
    const { line, call, headers } = this;
    const { method, target, body } = this.request;
    return signedStringOf({ line, call, method, target, headers, text: textOf(body) });
  }

  /** Names in lower case; values that came several times are joined. */
  get headers(): Readonly<Record<string, string>> {
    return headersOf(this.request.rawHeaders);
  }

  #readRound(): string | null {
    const named = roundIn(documentOf(textOf(this.request.body))?.value);
    const round = named ?? readQuery(this.request.target)?.get('gameRound') ?? null;
    return round === null ? null : ownText(round);
  }
}

/** Reads a request as it is; whatever it is, nothing is refused. */
export function describe(line: LineName, request: PlainRequest): Described {
  return new Described(line, request);
}

/** The round that a reply is about; null if it names none. */
export function roundInReply(body: Uint8Array): string | null {
  const value = documentOf(textOf(body))?.value;
  if (!isRecord(value)) return null;
  const info = value['gameRoundInfo'];
  const hash = isRecord(info) ? info['hash'] : undefined;
  return typeof hash === 'string' ? hash : null;
}

/** A body as it is shown. */
export function bodyView(body: Uint8Array): BodyView {
  const text = textOf(body);
  const bytes = body.byteLength;
  if (text !== null) return { text, encoding: 'utf8', bytes };
  return { text: Buffer.from(body).toString('base64'), encoding: 'base64', bytes };
}

function roundIn(value: unknown): string | null {
  if (!isRecord(value)) return null;
  const round = value['gameRound'] ?? value['externalGameProviderRoundId'];
  return typeof round === 'string' ? round : null;
}

function headersOf(rawHeaders: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

function textOf(body: Uint8Array): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
