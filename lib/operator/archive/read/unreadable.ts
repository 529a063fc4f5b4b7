/** The archive, or an anchor, cannot be read: no archive, a wrong folder, no permission, a failing disk. */
export class ArchiveUnreadableError extends Error {
  override readonly name = 'ArchiveUnreadableError';
  readonly code = 'ARCHIVEUNREADABLE';
}
