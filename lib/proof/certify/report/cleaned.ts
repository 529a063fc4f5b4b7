import { signatureHeaders } from '../../../protocol/signature';
import { type Exchange } from '../client';
import type { CaseResult, CertificationResult, Step } from '../talk/case';

/** The result without the user name and password that an address of the wallet may hold. */
export function withoutLogins(result: CertificationResult): CertificationResult {
  const withLogin = result.urls.filter((url) => plain(url) !== url);
  if (withLogin.length === 0) return result;
  const cleaned = (text: string): string =>
    withLogin.reduce((rest, url) => {
      const bare = url.replace(/\/$/, '');
      return rest.replaceAll(bare, plain(bare));
    }, text);
  const cases = result.cases.map((one) => cleanedCase(one, cleaned));
  return { ...result, urls: result.urls.map(plain), cases };
}

function plain(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/]*@/, '$1');
}

/** What stands in a report where the signature of a call was. */
const placeholder = '(signature)';

/** Shortest signature that is replaced wherever it stands: a shorter one may be any word. */
const shortest = 16;

/**
 * The result for readers other than the one who ran it: without a signature of any call. Anyone who has one can try
 * secrets against it for as long as they like.
 */
export function withoutSignatures(result: CertificationResult): CertificationResult {
  return { ...result, cases: result.cases.map(unsigned) };
}

function unsigned(one: CaseResult): CaseResult {
  const { exchange, steps } = one;
  const exchanges = [exchange, ...steps].filter(
    (step) => step !== null && typeof step !== 'string',
  );
  const made = new Set(
    exchanges.flatMap(({ request: { headers } }) => {
      return headers.filter(([name]) => isSignature(name)).map(([, value]) => value);
    }),
  );
  // The longest first: a part of one may have been sent too.
  const values = [...made]
    .filter(({ length }) => length >= shortest)
    .toSorted((value, other) => other.length - value.length);
  const cleaned = (text: string): string =>
    values.reduce((rest, value) => rest.replaceAll(value, placeholder), text);
  return cleanedCase(one, cleaned);
}

function isSignature(name: string): boolean {
  return name.toLowerCase() === signatureHeaders.signature.toLowerCase();
}

/** A case with each text of it cleaned. */
function cleanedCase(one: CaseResult, cleaned: (text: string) => string): CaseResult {
  const exchange = one.exchange === null ? null : cleanedExchange(one.exchange, cleaned);
  return {
    ...one,
    message: one.message === null ? null : cleaned(one.message),
    details: one.details.map(cleaned),
    exchange,
    curl: one.curl === null ? null : cleaned(one.curl),
    steps: one.steps.map((step): Step => {
      return typeof step === 'string' ? step : cleanedExchange(step, cleaned);
    }),
  };
}

function cleanedExchange(exchange: Exchange, cleaned: (text: string) => string): Exchange {
  const { url, request, reply } = exchange;
  const headers = request.headers.map(([name, value]) => [name, cleaned(value)] as const);
  const body = request.body === null ? null : cleanedBody(request.body, cleaned);
  return {
    url: cleaned(url),
    request: { ...request, path: cleaned(request.path), headers, body },
    reply:
      reply.kind === 'reply'
        ? {
            ...reply,
            headers: cleanedHeaders(reply.headers, cleaned),
            body: cleanedBody(reply.body, cleaned),
          }
        : reply.kind === 'cut'
          ? { ...reply, why: cleaned(reply.why) }
          : reply,
  };
}

function cleanedHeaders(
  headers: Readonly<Record<string, string>>,
  cleaned: (text: string) => string,
) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, cleaned(value)]));
}

/** Bytes that hold nothing to clean stay what they are, also where they are not UTF-8. */
function cleanedBody(body: Uint8Array, cleaned: (text: string) => string): Buffer {
  const bytes = Buffer.from(body);
  const text = bytes.toString('latin1');
  const clean = cleaned(text);
  return clean === text ? bytes : Buffer.from(clean, 'latin1');
}
