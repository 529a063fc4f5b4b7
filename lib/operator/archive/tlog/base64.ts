import { LogFormatError } from './format-error';

/** Decodes base64 as RFC 4648 section 4 writes it, and in no other spelling. @throws LogFormatError */
export function decodeBase64(text: string, what: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  if (text === '' || bytes.toString('base64') !== text) {
    throw new LogFormatError(`${what} is not base64`);
  }
  return bytes;
}

/** A decimal number from 0 to 2^53 - 1, without leading zeros. @throws LogFormatError */
export function parseSize(text: string, what: string): number {
  const size = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw new LogFormatError(`${what} is not a size`);
  return size;
}
