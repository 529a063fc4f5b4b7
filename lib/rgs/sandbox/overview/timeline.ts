import type { Running, SandboxSettings } from '../process';
import type { StepView, TimelineView } from '../view';
import { findRound } from './find';
import { isoOf, roundView } from './rounds';

/** What happened to a round: its calls, the events of the journal, and findings, in order. */
export function timelineView(
  running: Running,
  settings: SandboxSettings,
  gameRound: string,
): TimelineView {
  const round = findRound(running, settings, gameRound);
  const calls = running.wire.about(gameRound).map((call) => ({
    order: call.n,
    rank: 0,
    step: { kind: 'call', call } as StepView,
  }));
  const events = running.events.about(gameRound).map(({ behind, at, type, event }) => ({
    order: behind,
    rank: 1,
    step: { kind: 'event', at: isoOf(at), type, event } as StepView,
  }));
  const steps = [...calls, ...events]
    .toSorted((a, b) => a.order - b.order || a.rank - b.rank)
    .map(({ step }) => step);
  const findings = running.findings
    .list()
    .filter((finding) => finding.round === gameRound)
    .map((finding): StepView => ({ kind: 'finding', finding }));
  return { round: round === null ? null : roundView(round), steps: [...steps, ...findings] };
}
