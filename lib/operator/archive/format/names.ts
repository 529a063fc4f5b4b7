/** How the lines of a segment are compressed. */
export type Compression = 'gzip' | 'zstd';

/** What the name of a segment's file says. */
export interface SegmentName {
  /** UTC day of sealing: `2026-11-24`. */
  readonly day: string;
  /** Index of the first event. */
  readonly from: number;
  /** First 4 bytes of the session's token, in hexadecimal. */
  readonly token: string;
  readonly compression: Compression;
}

/** A file of the folder, by its path with `/`. */
export type ArchiveName =
  | { readonly kind: 'identity' | 'keys' | 'checkpoints' | 'checksums' | 'unfinished' }
  | { readonly kind: 'record'; readonly from: number }
  | ({ readonly kind: 'segment' } & SegmentName)
  /** Beside a segment; derived from it. `segment` is its path without the ending. */
  | { readonly kind: 'leaves' | 'find' | 'totals'; readonly segment: string }
  | { readonly kind: 'session'; readonly number: number }
  /** The reply of a time authority about the checkpoint of this size. */
  | { readonly kind: 'timestamp'; readonly size: number };

export const identityName = 'archive.json';
export const keysName = 'keys';
export const checkpointsName = 'checkpoints';
/** As `sha256sum -c` reads it: a convenience, no evidence. */
export const checksumsName = 'SHA256SUMS';
export const segmentsFolder = 'segments';
export const sessionsFolder = 'sessions';
export const timestampsFolder = 'checkpoints.d';

/** The record of the segment that begins at this index. */
export function recordName(from: number): string {
  return `${segmentsFolder}/${digits(from, 12)}.json`;
}

/** The file with the segment's lines. */
export function segmentName({ day, from, token, compression }: SegmentName): string {
  return `${day}/${digits(from, 12)}-${token}${endings[compression]}`;
}

/** The file beside a segment's with 4 bytes of each leaf hash. */
export function leavesName(segment: string): string {
  return `${stemOf(segment)}.leaves`;
}

/** The file beside a segment's with its filter. */
export function findName(segment: string): string {
  return `${stemOf(segment)}.find`;
}

/** The number of the last session that there can be. */
export const mostSessions = 9_999_999_999;

/** The file of a session. After each sealing a new session begins. */
export function sessionName(number: number): string {
  return `${sessionsFolder}/${digits(number, 10)}.jsonl`;
}

/** The reply of a time authority about the checkpoint of this size. */
export function timestampName(size: number): string {
  return `${timestampsFolder}/${size}.tsr`;
}

/** The name while a file is written; readers skip it. */
export function unfinishedName(name: string): string {
  return `${name}.tmp`;
}

/** What a path in the folder says; null for a file that is not the archive's. */
export function readName(path: string): ArchiveName | null {
  const fixed = fixedNames.get(path);
  if (fixed !== undefined) return { kind: fixed };
  if (unfinished.test(path)) return { kind: 'unfinished' };
  return readSegmentName(path) ?? readBesideName(path) ?? readNumberedName(path);
}

/** The path of a segment's file, read; null if it is no such path. */
export function readSegmentName(path: string): ({ readonly kind: 'segment' } & SegmentName) | null {
  const [, day, from, token, ending] =
    /^(\d{4}-\d\d-\d\d)\/(\d{12})-([0-9a-f]{8})\.jsonl\.(gz|zst)$/.exec(path) ?? [];
  if (day === undefined || from === undefined || token === undefined) return null;
  const compression = ending === 'gz' ? 'gzip' : 'zstd';
  return { kind: 'segment', day, from: Number(from), token, compression };
}

function readBesideName(path: string): ArchiveName | null {
  const [, segment, kind] =
    /^(\d{4}-\d\d-\d\d\/\d{12}-[0-9a-f]{8})\.(leaves|find|totals)$/.exec(path) ?? [];
  if (segment === undefined) return null;
  return { kind: kind as 'leaves' | 'find' | 'totals', segment };
}

function readNumberedName(path: string): ArchiveName | null {
  const [, from] = /^segments\/(\d{12})\.json$/.exec(path) ?? [];
  if (from !== undefined) return { kind: 'record', from: Number(from) };
  const [, number] = /^sessions\/(\d{10})\.jsonl$/.exec(path) ?? [];
  if (number !== undefined) return { kind: 'session', number: Number(number) };
  const [, size] = /^checkpoints\.d\/(0|[1-9]\d{0,15})\.tsr$/.exec(path) ?? [];
  return size === undefined ? null : { kind: 'timestamp', size: Number(size) };
}

function stemOf(segment: string): string {
  return segment.replace(/\.jsonl\.(?:gz|zst)$/, '');
}

/** @throws RangeError for a number that has more digits. */
function digits(number: number, length: number): string {
  if (!Number.isSafeInteger(number) || number < 0 || number >= 10 ** length) {
    throw new RangeError(`A number of at most ${length} digits is needed.`);
  }
  return String(number).padStart(length, '0');
}

const endings = { gzip: '.jsonl.gz', zstd: '.jsonl.zst' } as const;
const unfinished = /^(?:[\w.-]{1,60}\/)?[\w.-]{1,100}\.tmp$/;
const fixedNames = new Map([
  [identityName, 'identity'],
  [keysName, 'keys'],
  [checkpointsName, 'checkpoints'],
  [checksumsName, 'checksums'],
] as const) as ReadonlyMap<string, 'identity' | 'keys' | 'checkpoints' | 'checksums'>;
