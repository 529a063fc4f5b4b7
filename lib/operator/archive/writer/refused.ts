/**
 * The writer ends, and nothing more was acknowledged: the folder is no archive or another one's, it is damaged, it
 * has no hard links, or another process writes in it.
 */
export class ArchiveRefusedError extends Error {
  override readonly name = 'ArchiveRefusedError';
  readonly code = 'ARCHIVEREFUSED';
}
