import type { OperatorSettings } from '../configuration/options';

/**
 * Below this many calls a second, a process that forgets signatures is worth a warning; default options
 * allow 166.
 */
const fewCallsPerSecond = 50;

/**
 * Warns at start if signatures are forgotten while still valid at a low rate of calls: a signature is
 * accepted from one tolerance before its timestamp to one after it, and each process remembers only so
 * many (D1.8).
 */
export function warnOfShortMemory(
  settings: Pick<OperatorSettings, 'clockToleranceMs' | 'rememberedSignatures' | 'events'>,
): void {
  const { clockToleranceMs, rememberedSignatures, events } = settings;
  const callsPerSecond = Math.floor(rememberedSignatures / ((2 * clockToleranceMs) / 1000));
  if (callsPerSecond >= fewCallsPerSecond) return;
  events.emit({
    kind: 'signaturesForgotten',
    clockToleranceMs,
    rememberedSignatures,
    callsPerSecond,
  });
}
