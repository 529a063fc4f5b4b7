import type { Span } from '../../platform/tracing';
import type { CallAnswered, CallRefused } from '../events';

/** The outcome of a call, as in the metrics. */
type SpanOutcome = 'processed' | 'refused' | 'unknown' | 'shed';

/**
 * Attributes of the span of a call. Of ids it has the operator's alone, which is configured: players and
 * rounds are in the log line with the same `trace_id`, since traces are often sent to another company.
 */
interface Facts {
  readonly operatorId: string;
  readonly outcome: SpanOutcome;
  /** Of the first transaction that was not processed, or of the request. */
  readonly code: string | null;
  readonly status: number;
}

/** Notes a doTransactions call that was answered by D6 or D7. */
export function noteAnswered(
  span: Span,
  { round, call, outcome, status, isShed }: Omit<CallAnswered, 'kind' | 'durationMs'>,
): void {
  const { verdicts, unknown, state } = outcome;
  const refused = verdicts.find((verdict) => verdict.outcome === 'refused');
  const definite = refused === undefined ? 'processed' : 'refused';
  const undone = isShed ? 'shed' : 'unknown';
  span.note({ 'rgs.transactions': call.transactions.length });
  if (state !== null) span.note({ 'rgs.round.state': state });
  note(span, {
    operatorId: round.operatorId,
    outcome: unknown === null ? definite : undone,
    code: refused?.code ?? (unknown === null ? null : 'TEMPORARILYUNAVAILABLE'),
    status,
  });
}

/** Notes a getBalance that was answered with a balance. */
export function noteBalance(span: Span, operatorId: string): void {
  note(span, { operatorId, outcome: 'processed', code: null, status: 200 });
}

/** Notes that nothing was processed for a verified caller. */
export function noteRefused(
  span: Span,
  operatorId: string,
  { outcome, isShed, code, status }: Pick<CallRefused, 'outcome' | 'isShed' | 'code' | 'status'>,
): void {
  note(span, { operatorId, outcome: isShed ? 'shed' : outcome, code, status });
}

function note(span: Span, { operatorId, outcome, code, status }: Facts): void {
  span.note({
    'rgs.operator_id': operatorId,
    'rgs.outcome': outcome,
    'http.response.status_code': status,
    ...(code === null ? {} : { 'rgs.error_code': code }),
  });
  const isDefinite = outcome === 'processed' || outcome === 'refused';
  if (!isDefinite || status >= 500) span.fail(code ?? outcome);
}
