import { type HttpFinding, type HttpFindingId, httpFindings } from './call-event';

/**
 * Reports a finding; a listener that throws must not fail the call.
 * @param meant The known name that the text ends with, in place of what was received.
 */
export function reportFinding(
  listener: ((finding: HttpFinding) => void) | null,
  id: HttpFindingId,
  call: string,
  round: string | null,
  cause: number | null,
  meant: string | null = null,
): void {
  if (listener === null) return;
  try {
    const { rule, text } = httpFindings[id];
    const whole = meant === null ? text : `${text} ${meant}?`;
    listener(Object.freeze({ id, rule, text: whole, call, round, cause }));
  } catch {
    // What the listener throws is ignored.
  }
}
