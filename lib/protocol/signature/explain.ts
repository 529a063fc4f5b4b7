import type { JsonDocument } from '../json/parse';
import {
  amountSpellings,
  type Arrangement,
  arrangements,
  type Aspects,
  findChoice,
  type Joining,
  joinings,
  secretUses,
  type SpelledPart,
  timestampSpellings,
} from './explain-variants';
import { readSignedParts, type SignedOperation, type SignedPart, signedFields } from './fields';
import type { Secret, SecretForm } from './secret';
import { signatureHeaders } from './sign';
import { verifySignature } from './verify';
import { withoutTrailing } from '../../platform/trailing';

/** A received signature with its message. */
export interface ReceivedSignature {
  readonly operation: SignedOperation;
  readonly message: JsonDocument;
  /** X-H-AUTH-ID. */
  readonly authId: string;
  /** X-H-TIMESTAMP. */
  readonly timestamp: string;
  /** X-H-AUTH-SIG. */
  readonly signature: string;
}

/** The explanation of a received signature. */
export type SignatureFinding =
  /**
   * It was made from these parts. `deviations` lists its differences from operator-api 5, and is empty if
   * it is correct; `accepted` says whether the router accepts it (D1.5).
   */
  | {
      readonly kind: 'explained';
      readonly deviations: readonly string[];
      readonly accepted: boolean;
      /** Index of the secret that made it, from 0. */
      readonly secretIndex: number;
    }
  /** None of this many variants matches: another secret, or another message. */
  | { readonly kind: 'unexplained'; readonly variantsTried: number }
  /** Not an HMAC-SHA256 in any spelling. */
  | { readonly kind: 'malformed'; readonly reason: string }
  /** The message lacks a signed field. */
  | { readonly kind: 'unsignable'; readonly field: string };

/** Most deviations tried together. */
const maxDeviations = 3;

/**
 * Finds out how a signature was made, among the variants seen in practice; those with the fewest
 * deviations first. It never reveals the secret or the signed string.
 */
export function explainSignature(
  secrets: readonly Secret[],
  received: ReceivedSignature,
): SignatureFinding {
  const { operation, message, authId, timestamp, signature } = received;
  const signed = readSignedParts(operation, message);
  if (signed.parts === null) return { kind: 'unsignable', field: signed.field };
  const bytes = decodeInAnyForm(signature);
  if (typeof bytes === 'string') return { kind: 'malformed', reason: bytes };
  const accepted = verifySignature(secrets, { authId, timestamp, signature, parts: signed.parts });
  const input = { authId, timestamp, parts: withAbsentFields(operation, signed.parts) };
  let variantsTried = 0;
  let secretIndex = -1;
  const isTheWay = (choice: Choice): boolean => {
    variantsTried++;
    secretIndex = signerOf(choice, input, secrets, bytes.mac);
    return secretIndex >= 0;
  };
  const aspects = aspectsOf(input);
  for (let count = 0; count <= maxDeviations; count++) {
    const found = findChoice(aspects, count, isTheWay);
    if (found === null) continue;
    const deviations = [
      ...(bytes.deviation === null ? [] : [bytes.deviation]),
      ...found.deviations,
    ];
    return { kind: 'explained', deviations, accepted, secretIndex };
  }
  return { kind: 'unexplained', variantsTried };
}

/** What was signed. */
interface SignedInput {
  readonly authId: string;
  readonly timestamp: string;
  readonly parts: readonly SpelledPart[];
}

/** One choice of each aspect. */
interface Choice {
  readonly secret: SecretForm;
  readonly timestamp: string;
  readonly spelling: (part: SpelledPart) => string | null;
  readonly arrangement: Arrangement;
  readonly joining: Joining;
}

function aspectsOf({ timestamp, parts }: SignedInput): Aspects<Choice> {
  const header = [signatureHeaders.authId, signatureHeaders.timestamp];
  return {
    secret: secretUses,
    timestamp: timestampSpellings(timestamp),
    spelling: amountSpellings(parts),
    arrangement: arrangements([...header, ...parts.map(({ name }) => name)]),
    joining: joinings,
  };
}

/** The index of the secret that makes this signature in the chosen way; below 0 if there is none. */
function signerOf(
  { secret, timestamp, spelling, arrangement, joining: { separator, end } }: Choice,
  { authId, parts }: SignedInput,
  secrets: readonly Secret[],
  mac: Buffer,
): number {
  const headers: readonly SpelledPart[] = [
    { name: signatureHeaders.authId, text: authId, kind: 'text' },
    { name: signatureHeaders.timestamp, text: timestamp, kind: 'text' },
  ];
  const texts = arrangement([...headers, ...parts])
    .map(spelling)
    .filter((text) => text !== null);
  const rest = texts.join(separator) + end;
  return secrets.findIndex((candidate) => candidate.macAs(secret, separator, rest).equals(mac));
}

/** The parts, with absent optional ones in their places, for signers that sign them too. */
function withAbsentFields(
  operation: SignedOperation,
  parts: readonly SignedPart[],
): readonly SpelledPart[] {
  const spelled: SpelledPart[] = [];
  let at = 0;
  const takeFields = (fields: readonly { name: string; kind: SpelledPart['kind'] }[]): void => {
    for (const { name, kind } of fields) {
      const part = parts[at];
      const isThere = part?.name === name;
      if (isThere) at++;
      spelled.push({ name, kind, text: isThere ? part.text : null });
    }
  };
  for (const field of signedFields[operation]) {
    if (!('list' in field)) takeFields([field]);
    else while (at < parts.length) takeFields(field.fields);
  }
  return spelled;
}

/** The 32 bytes in any spelling, or why there are none. */
export function decodeInAnyForm(
  signature: string,
): { mac: Buffer; deviation: string | null } | string {
  const text = signature.trim();
  const space = text === signature ? null : 'white space around the signature';
  if (/^[0-9a-f]{64}$/i.test(text)) {
    return { mac: Buffer.from(text, 'hex'), deviation: 'the signature in hex instead of base64' };
  }
  const mac = Buffer.from(text, 'base64');
  const isBase64 = /^[A-Za-z0-9+/]+=*$/.test(text) || /^[A-Za-z0-9_-]+=*$/.test(text);
  if (!isBase64) return 'it is neither base64 nor hex';
  if (mac.byteLength !== 32) {
    return `it has ${mac.byteLength} bytes in base64, and HMAC-SHA256 has 32${otherDigest(mac.byteLength)}`;
  }
  if (mac.toString('base64') === text) return { mac, deviation: space };
  const isUrl = mac.toString('base64url') === withoutTrailing(text, '=') && /[-_]/.test(text);
  const spelling = isUrl ? 'in base64url instead of base64' : 'in base64 that is not canonical';
  return { mac, deviation: `the signature ${spelling}` };
}

function otherDigest(bytes: number): string {
  const names: Readonly<Record<number, string>> = {
    16: 'MD5',
    20: 'SHA-1',
    48: 'SHA-384',
    64: 'SHA-512',
  };
  const name = names[bytes];
  return name === undefined ? '' : `; ${name} has ${bytes}`;
}
