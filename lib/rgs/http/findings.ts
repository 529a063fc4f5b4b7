import { type HttpFinding, type HttpFindingId, httpFindings } from './call-event';

/** Reports a finding; a listener that throws must not fail the call. */
export function reportFinding(
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
    // What the listener throws is ignored.
  }
}
