import { Buffer } from 'node:buffer';
import type { PlainRequest } from '../../../platform/http';
import { readQuery } from '../../../protocol/operator-api/read-call';
import {
  explainBodySignature,
  explainSignature,
  type Secret,
  type SignatureFinding,
  signatureHeaders,
  signedFields,
  type SignedOperation,
} from '../../../protocol/signature';
import type { LineName } from '../view/state';
import { type Described, documentOf } from '../wire/request';

/**
 * How a refused signature was made, in words; null for an unsigned call. It takes up to half a second for
 * each secret (E2.2).
 */
export function explain(
  line: LineName,
  { call, headers }: Pick<Described, 'call' | 'headers'>,
  request: PlainRequest,
  secrets: readonly Secret[],
): string | null {
  const of = (name: string): string => headers[name.toLowerCase()] ?? '';
  const signature = of(signatureHeaders.signature);
  if (signature === '') return null;
  const claim = {
    authId: Buffer.from(of(signatureHeaders.authId), 'latin1').toString('utf8'),
    timestamp: of(signatureHeaders.timestamp),
    signature,
  };
  const { body, target, method } = request;
  if (line === 'provider-rgs') {
    return wordsOf(explainBodySignature(secrets, { ...claim, body, target }));
  }
  if (!Object.hasOwn(signedFields, call)) return null;
  const operation = call as SignedOperation;
  const query = method === 'GET' ? readQuery(target) : null;
  const message =
    query === null
      ? documentOf(Buffer.from(body).toString('utf8'))
      : { value: Object.fromEntries(query), lexeme: () => undefined };
  return message === null
    ? null
    : wordsOf(explainSignature(secrets, { ...claim, operation, message }));
}

function wordsOf(finding: SignatureFinding): string {
  switch (finding.kind) {
    case 'explained':
      return finding.deviations.length === 0
        ? 'The signature is right: look at the timestamp, and whether the request came before.'
        : `The signature was made in another way: ${finding.deviations.join('; ')}.`;
    case 'unexplained':
      return `None of ${finding.variantsTried} usual variants matches: another secret, or other bytes.`;
    case 'malformed':
      return `The signature is no HMAC-SHA256: ${finding.reason}.`;
    case 'unsignable':
      return `A signed field is missing or cannot be signed: ${finding.field}.`;
  }
}
