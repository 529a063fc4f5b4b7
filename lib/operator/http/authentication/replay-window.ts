import type { OperatorSettings } from '../configuration/options';

/** Calls a second below which a process that forgets is worth a warning; 166 unless options are set. */
const fewCallsPerSecond = 50;

/**
 * Warns at start where signatures are forgotten while they are valid, unless calls are few: a signature
 * is taken from one tolerance before its timestamp to one after it, and each process remembers so many
 * (D1.8).
 */
export function warnOfShortMemory(
  settings: Pick<OperatorSettings, 'clockToleranceMs' | 'rememberedSignatures' | 'events'>,
): void {
  const { clockToleranceMs, rememberedSignatures, events } = settings;
  const callsPerSecond = Math.floor(rememberedSignatures / ((2 * clockToleranceMs) / 1000));
  if (callsPerSecond >= fewCallsPerSecond) return;
  events.tell({
    kind: 'signaturesForgotten',
    clockToleranceMs,
    rememberedSignatures,
    callsPerSecond,
  });
}
