import type { JsonDocument } from '../json';
import {
  type Arrangement,
  amountSpellings,
  arrangements,
  type Joining,
  joinings,
  secretUses,
  type SpelledPart,
  timestampSpellings,
  type Variant,
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
  const search = new Search(secrets, bytes.mac, {
    authId,
    timestamp,
    parts: withAbsentFields(operation, signed.parts),
  });
  const found = search.run();
  if (found === null) return { kind: 'unexplained', variantsTried: search.variantsTried };
  const deviations = [...(bytes.deviation === null ? [] : [bytes.deviation]), ...found.deviations];
  return { kind: 'explained', deviations, accepted, secretIndex: found.secretIndex };
}

interface SearchInput {
  readonly authId: string;
  readonly timestamp: string;
  readonly parts: readonly SpelledPart[];
}

/** One choice of each aspect. */
interface Choice {
  readonly secret: Variant<SecretForm>;
  readonly timestamp: Variant<string>;
  readonly spelling: Variant<(part: SpelledPart) => string | null>;
  readonly arrangement: Variant<Arrangement>;
  readonly joining: Variant<Joining>;
}

class Search {
  variantsTried = 0;
  private readonly variants: { readonly [aspect in keyof Choice]: readonly Choice[aspect][] };

  constructor(
    private readonly secrets: readonly Secret[],
    private readonly mac: Buffer,
    private readonly input: SearchInput,
  ) {
    const header = [signatureHeaders.authId, signatureHeaders.timestamp];
    this.variants = {
      secret: secretUses,
      timestamp: timestampSpellings(input.timestamp),
      spelling: amountSpellings(input.parts),
      arrangement: arrangements([...header, ...input.parts.map(({ name }) => name)]),
      joining: joinings,
    };
  }

  /** The first choice that matches the signature, by rising number of deviations. */
  run(): { deviations: string[]; secretIndex: number } | null {
    for (let deviations = 0; deviations <= maxDeviations; deviations++) {
      for (const choice of this.choices(deviations)) {
        const secretIndex = this.matching(choice);
        if (secretIndex >= 0) return { deviations: textsOf(choice), secretIndex };
      }
    }
    return null;
  }

  private *choices(deviations: number): Generator<Choice> {
    const { secret: secrets, timestamp: timestamps, spelling, ...rest } = this.variants;
    for (const secret of secrets) {
      for (const timestamp of timestamps) {
        for (const amounts of spelling) {
          const left = deviations - countOf([secret, timestamp, amounts]);
          if (left < 0 || left > 2) continue;
          for (const arrangement of rest.arrangement) {
            for (const joining of rest.joining) {
              if (countOf([arrangement, joining]) !== left) continue;
              yield { secret, timestamp, spelling: amounts, arrangement, joining };
            }
          }
        }
      }
    }
  }

  private matching({ secret, timestamp, spelling, arrangement, joining }: Choice): number {
    const headers: readonly SpelledPart[] = [
      { name: signatureHeaders.authId, text: this.input.authId, kind: 'text' },
      { name: signatureHeaders.timestamp, text: timestamp.value, kind: 'text' },
    ];
    const texts = arrangement
      .value([...headers, ...this.input.parts])
      .map((part) => spelling.value(part))
      .filter((text) => text !== null);
    const { separator, end } = joining.value;
    const rest = texts.join(separator) + end;
    this.variantsTried++;
    return this.secrets.findIndex((candidate) =>
      candidate.macAs(secret.value, separator, rest).equals(this.mac),
    );
  }
}

function countOf(variants: readonly Variant<unknown>[]): number {
  return variants.filter(({ deviation }) => deviation !== null).length;
}

function textsOf({ secret, timestamp, spelling, arrangement, joining }: Choice): string[] {
  return [secret, timestamp, spelling, arrangement, joining]
    .map(({ deviation }) => deviation)
    .filter((deviation) => deviation !== null);
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
