import { type HttpFinding, type HttpFindingId, httpFindings } from './call-event';

/** Tells a finding; a listener that throws must not fail the call. */
export function tellFinding(
  listener: ((finding: HttpFinding) => void) | null,
  id: HttpFindingId,
  call: string,
  round: string | null,
  cause: number | null,
): void {
  if (listener === null) return;
  try {
    listener(Object.freeze({ id, ...httpFindings[id], call, round, cause }));
  } catch {
    // The listener's own matter.
  }
}
