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
  const isUrl = mac.toString('base64url') === text.replace(/=+$/, '') && /[-_]/.test(text);
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
