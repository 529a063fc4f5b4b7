import type { Html } from '../../platform/html';
import type { OperationsSettings } from './configuration/options';
import type { Person, Right } from './configuration/person';
import type { ExportedFile } from './export/form';
import type { Here, PageBody, Reader } from './page/layout';
import type { IncomingMessage } from 'node:http';
import { readBytes } from '../../platform/http';
import { RequestFault } from './view/request';
import type { AttentionView } from './view/waiting/attention';
import { type Actor, InvalidInputError } from '../wallet';

/** A request of a person who may look. */
export interface PageRequest extends OperationsSettings {
  /** The query, or the form. */
  readonly fields: URLSearchParams;
  readonly person: Person;
}

/** The answer: a page and its `.json`, or a redirect. */
export type Answer =
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly here: Here | null;
      readonly json: unknown;
      readonly page: (reader: Reader) => PageBody;
      /** The list of the rounds that wait, where it was read. */
      readonly waiting?: AttentionView | null;
      readonly notice?: Html | null;
    }
  /** A file to be saved. */
  | { readonly kind: 'file'; readonly file: ExportedFile }
  /** A relative link; `zone` is to be kept for the reader. */
  | { readonly kind: 'moved'; readonly to: string; readonly zone?: string };

type PageAnswer = Extract<Answer, { readonly kind: 'page' }>;

/** Of a page with the rounds that wait: a late list is an answer of 503, and no count of now. */
export function statusOf(view: AttentionView | null): Pick<PageAnswer, 'status' | 'waiting'> {
  return view === null || view.isLate ? { status: 503 } : { status: 200, waiting: view };
}

/** A page, or a form. */
export interface Route {
  readonly isPost: boolean;
  /** Whether a reader can have it loaded again and again: not with a form that writes, whose text would be lost. */
  readonly isLive?: true;
  /** A step of a repair, so that what waits is another list; fewer may wait once it is made. */
  readonly repair?: 'proposed' | 'made';
  /** One of these rights is needed, besides `look`; absent if `look` is enough. */
  readonly rights?: readonly Right[];
  readonly answer: (request: PageRequest) => Promise<Answer>;
}

/** Bytes of a form: a reason of 500 characters of up to 12 bytes each. */
const maxFormBytes = 16_384;

/**
 * The fields of a posted form. Also takes a body that a parser before the router has read.
 * @throws RequestFault 415 for another content type; BodyRefusedError, BodyConsumedError.
 */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new RequestFault(415, 'A form must be sent as application/x-www-form-urlencoded.');
  }
  const { body } = request as { body?: unknown };
  if (isParsed(body)) return new URLSearchParams(textFields(body));
  const bytes = await readBytes(request, maxFormBytes);
  return new URLSearchParams(Buffer.from(bytes).toString('utf8'));
}

function isParsed(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
}

/** The text fields of a parsed body. Parsers turn some names into lists and objects; our forms have none. */
function textFields(body: object): [string, string][] {
  return Object.entries(body).filter((field): field is [string, string] => {
    return typeof field[1] === 'string';
  });
}

/**
 * A wrong field, which an InvalidInputError or a TypeError names without its value, becomes a fault of the
 * request.
 */
export async function checked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidInputError || error instanceof TypeError)) throw error;
    const field = error instanceof InvalidInputError ? error.field : null;
    throw new RequestFault(400, `${error.message.replace(/\.$/, '')}.`, field);
  }
}

/** Who posts a form. */
export function actorOf({ person: { id, name } }: PageRequest): Actor {
  return { id, name };
}

/** Browsers send line ends of a reason as CR LF; a reason is one line. */
export function reasonOf(fields: URLSearchParams): string {
  return (fields.get('reason') ?? '').replace(/\s+/g, ' ').trim();
}

/**
 * Whether a form was posted by one of our own pages. Cookies, basic auth and client certificates are sent
 * with a post of any site, so they prove nothing here. A browser says where a request comes from by
 * Sec-Fetch-Site, which no page can set; over plain http it does so for localhost alone, and sends Origin. A
 * request with neither is refused.
 * @param publicOrigin The origin in the address bar; null if it is the Host's.
 */
export function isOwnPost({ headers }: IncomingMessage, publicOrigin: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  if (publicOrigin !== null) return origin === publicOrigin;
  if (host === undefined || host === '') return false;
  const hostOfUs = host.toLowerCase();
  return origin === `http://${hostOfUs}` || origin === `https://${hostOfUs}`;
}
