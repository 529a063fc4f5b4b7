import type { RequestListener } from './routes';
import { cutUnreadBody, sendOrCut } from './send-json';

/** The documents of the package: OpenAPI of each API, by who calls whom or what it shows, and the schema of the events. */
export const documentNames = Object.freeze([
  'rgs-wallet',
  'operator-rgs',
  'provider-rgs',
  'rgs-provider',
  'operations',
  'sandbox',
  'events',
] as const);

/** The name of a document. */
export type DocumentName = (typeof documentNames)[number];

/** A document as JSON text. @throws Error if the package was not built, or is not whole. */
export function readDocument(name: DocumentName): string {
  // Only when one is asked for: they are long, and the build makes them.
  const { packed } = require('./packed') as typeof import('./packed');
  const text = packed.get(`${name}.json`);
  if (text === undefined) throw new Error(`The package has no document ${name}.`);
  return text;
}

/** GET of a document. */
export function documentRoute(name: DocumentName): RequestListener {
  return (request, response) => {
    cutUnreadBody(request, response);
    response.setHeader('x-content-type-options', 'nosniff');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      return sendOrCut(response, refusal(405, 'The method must be GET.'));
    }
    sendOrCut(response, answerWith(name));
  };
}

function answerWith(name: DocumentName): { status: number; text: string } {
  try {
    return { status: 200, text: readDocument(name) };
  } catch {
    return refusal(500, 'The document is missing: the package is not whole.');
  }
}

function refusal(status: number, error: string): { status: number; text: string } {
  return { status, text: JSON.stringify({ error }) };
}
