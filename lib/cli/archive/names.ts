/** A file of the archive, by its name. */
export type ArchiveName =
  | { readonly kind: 'open'; readonly hour: string }
  | { readonly kind: 'sealed'; readonly hour: string; readonly part: number }
  | { readonly kind: 'unfinished' };

/** The file of checksums, as `sha256sum -c` reads it. */
export const checksumsName = 'SHA256SUMS';

/** The operator and consumer of the folder's events. */
export const identityName = 'archive.json';

/** Who writes in the folder. */
export const lockName = 'archive.lock';

/** The file that an hour's events are appended to. */
export function openName(hour: string): string {
  return `${hour}.open`;
}

/** A file of an hour that does not change any more; events that came late are in part 2 and so on. */
export function sealedName(hour: string, part: number): string {
  return part === 1 ? `${hour}.jsonl.gz` : `${hour}.${part}.jsonl.gz`;
}

/** The name while a file is written. */
export function unfinishedName(name: string): string {
  return `${name}.tmp`;
}

/** What a name says; null for a file that is not the archive's. */
export function readName(name: string): ArchiveName | null {
  if (name.endsWith('.tmp')) return { kind: 'unfinished' };
  const [, open] = /^(\d{4}-\d\d-\d\dT\d\d)\.open$/.exec(name) ?? [];
  if (open !== undefined) return { kind: 'open', hour: open };
  const [, hour, part = '1'] =
    /^(\d{4}-\d\d-\d\dT\d\d)(?:\.([1-9]\d*))?\.jsonl\.gz$/.exec(name) ?? [];
  return hour === undefined ? null : { kind: 'sealed', hour, part: Number(part) };
}

/** Checksums by name of the file. */
export type Checksums = ReadonlyMap<string, string>;

/** The text of the file of checksums, in order of names. */
export function checksumsText(checksums: Checksums): string {
  return [...checksums]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, sum]) => `${sum}  ${name}\n`)
    .join('');
}

/** @throws Error with the number of the first invalid line. */
export function readChecksums(text: string): Map<string, string> {
  const lines = text.split('\n');
  const last = lines.pop();
  const checksums = new Map<string, string>();
  for (const [at, line] of [...lines, ...(last === '' ? [] : [last ?? ''])].entries()) {
    const [, sum, name] = /^([0-9a-f]{64}) [ *](\S+)$/.exec(line) ?? [];
    if (sum === undefined || name === undefined || at === lines.length) {
      throw new Error(`${checksumsName} line ${at + 1} is damaged`);
    }
    checksums.set(name, sum);
  }
  return checksums;
}

/** The same, read from a text; null if it does not say. */
export function readIdentity(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly operatorId?: unknown } | null)?.operatorId ?? null;
  } catch {
    return null;
  }
}
