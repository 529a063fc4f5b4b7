import {
  isKeyName,
  LogFormatError,
  type NoteKey,
  type NoteSigner,
  parseVkey,
  signText,
  verifyText,
} from '../tlog';

/** What `archive.json` says. */
export interface ArchiveIdentity {
  readonly operatorId: string;
  /** The log's name, and that of its keys. */
  readonly origin: string;
}

/** A key that signs the log from a size on. */
export interface LogKey extends NoteKey {
  /** The first key signs from 0; a later one from this size, whose checkpoint both sign if it was rotated. */
  readonly signsFrom: number;
  /** The signature of the key before it over {@link signOver}'s text, in base64; null if it was replaced. */
  readonly signedOver: string | null;
}

/** Most bytes of `archive.json`, `keys`. */
export const longestIdentity = 4_096;
export const longestKeys = 65_536;

/** The text of `archive.json`. */
export function identityText({ operatorId, origin }: ArchiveIdentity): string {
  return `${JSON.stringify({ format: 2, operatorId, origin })}\n`;
}

/** Reads `archive.json`. @throws LogFormatError */
export function parseIdentity(text: string): ArchiveIdentity {
  const { format, operatorId, origin } = parseObject(text, 'archive.json');
  if (format !== 2) throw new LogFormatError('archive.json is not of format 2');
  if (typeof operatorId !== 'string' || operatorId === '' || operatorId.length > 256) {
    throw new LogFormatError('archive.json names no operator');
  }
  if (typeof origin !== 'string' || !isKeyName(origin)) {
    throw new LogFormatError('archive.json names no origin');
  }
  if (identityText({ operatorId, origin }) !== text) {
    throw new LogFormatError('archive.json is not written as an archive writes it');
  }
  return { operatorId, origin };
}

/** A line of the file `keys`. */
export type KeyLine = Pick<LogKey, 'vkey' | 'signsFrom' | 'signedOver'>;

/** The file `keys`. */
export function keysText(keys: readonly KeyLine[]): string {
  return keys
    .map(({ vkey, signsFrom, signedOver }, at) => {
      const parts = at === 0 ? [vkey] : [vkey, signsFrom, signedOver];
      return `${parts.filter((part) => part !== null).join(' ')}\n`;
    })
    .join('');
}

/**
 * The signature with which a key hands the log over to the next one from a size on. It names that key: a checkpoint that
 * both have signed proves nothing, since anybody can add a signature to one of the former key.
 */
export function signOver(signer: NoteSigner, next: Pick<KeyLine, 'vkey' | 'signsFrom'>): string {
  return signText(overText(next), signer).toString('base64');
}

/** Whether the former key has handed the log over to this one. */
export function isSignedOver({ signedOver, ...next }: LogKey, former: NoteKey): boolean {
  return (
    signedOver !== null && verifyText(overText(next), former, Buffer.from(signedOver, 'base64'))
  );
}

/** No checkpoint: its first line would be a name, which has no plus. */
function overText({ vkey, signsFrom }: Pick<KeyLine, 'vkey' | 'signsFrom'>): string {
  return `${vkey}\n${signsFrom}\n`;
}

/** Reads the file `keys`: all keys have the name of the first, and sizes rise. @throws LogFormatError */
export function parseKeys(text: string): LogKey[] {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length === 0) throw new LogFormatError('keys has a torn line');
  const keys = lines.map((line, at) => {
    const [, vkey, size, signedOver = null] =
      /^(\S{1,512})(?: ([1-9]\d{0,14}|0)(?: ([A-Za-z0-9+/]{86}==))?)?$/.exec(line) ?? [];
    if (vkey === undefined || (size === undefined) !== (at === 0)) {
      throw new LogFormatError(`keys line ${at + 1} is not a key and a size`);
    }
    return { ...readKey(vkey, at + 1), signsFrom: Number(size ?? 0), signedOver };
  });
  for (const [at, { name, signsFrom }] of keys.entries()) {
    if (name !== keys[0]?.name || signsFrom < (keys[at - 1]?.signsFrom ?? 0)) {
      throw new LogFormatError(`keys line ${at + 1} has another name, or a size below the last`);
    }
  }
  return keys;
}

function readKey(vkey: string, line: number): NoteKey {
  try {
    return parseVkey(vkey);
  } catch (error) {
    if (!(error instanceof LogFormatError)) throw error;
    throw new LogFormatError(`keys line ${line}: ${error.message}`, { cause: error });
  }
}

/** A JSON object. @throws LogFormatError */
export function parseObject(text: string, what: string): Partial<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new LogFormatError(`${what} is not JSON`, { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new LogFormatError(`${what} is not a JSON object`);
  }
  return value;
}
