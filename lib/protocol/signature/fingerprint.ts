/**
 * Characters of base64 in the fingerprint of a signed call (D1.8): those for its signature, and those for
 * its body.
 */
export const signatureCharacters = 4;
/** Characters of a fingerprint that come from the body and the secret; they follow those of the signature. */
export const bodyCharacters = 8;
