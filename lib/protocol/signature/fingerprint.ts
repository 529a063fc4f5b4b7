/**
 * Characters of base64 in the fingerprint of a signed call (D1.8): those for its signature, and those for
 * its body.
 */
export const signatureCharacters = 4;
export const bodyCharacters = 8;
