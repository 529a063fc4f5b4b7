import type { Secret } from '../../../protocol/signature';

/** A token next to its name in JSON, with or without escapes. */
const inJson = /("(?:token|currentToken)"\s*:\s*")((?:[^"\\]|\\.)*)/gi;
/** The same in a query, percent-encoded or not. */
const inQuery = /([?&]token=)([^"&#\s\\]+)/gi;
/** The same in a query that is encoded within another. */
const inEncodedQuery = /((?:%3F|%26)token%3D)((?:(?!%26|%23)[^"&#\s\\])+)/gi;
/** 32 bytes as base64url: every token of ours, wherever it is (E5). A signature ends with `=`. */
const shaped = /(?<![A-Za-z0-9_\-+/])[A-Za-z0-9_-]{43}(?![A-Za-z0-9_\-+/=])/g;

/** What a name of the first three holds, in any letter case. */
const named = /token/i;
/** Characters of a token of ours. */
const tokenLength = 43;

/** Every token by its last four characters. */
export function maskTokens(text: string): string {
  const masked = named.test(text) ? maskNamed(text) : text;
  return masked.length < tokenLength ? masked : masked.replace(shaped, shortToken);
}

function maskNamed(text: string): string {
  return text
    .replace(inJson, shortened)
    .replace(inQuery, shortened)
    .replace(inEncodedQuery, shortened);
}

/** A token by its last four characters; nothing of one that is shorter than 16. */
function shortToken(token: string): string {
  return `…${token.length < 16 ? '' : token.slice(-4)}`;
}

function shortened(_: string, before: string, token: string): string {
  return before + shortToken(token);
}

/**
 * What a text may be shown as: tokens by their last four characters, and nothing of a text that holds a
 * secret, sent by mistake.
 */
export function maskText(text: string, secrets: readonly Secret[]): string {
  if (secrets.some((secret) => secret.isWithin(text))) return '[withheld: it holds a secret]';
  return maskTokens(text);
}

/** The same for bytes in base64: nothing of bytes that hold a token or a secret. */
export function maskBytes(base64: string, secrets: readonly Secret[]): string {
  const text = Buffer.from(base64, 'base64').toString('latin1');
  return maskText(text, secrets) === text ? base64 : '[withheld: it holds a token or a secret]';
}

/** A path with parts that may be tokens; elsewhere a slash is part of a signature. */
export function maskPath(path: string): string {
  return path.split('/').map(maskTokens).join('/');
}
