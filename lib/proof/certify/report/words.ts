import { wireAmount } from '../run/obstacles';

/** A difference in units with its sign: `+10.5`, `-3`, `0`. */
export function wireDifference(units: bigint): string {
  return units > 0n ? `+${wireAmount(units)}` : wireAmount(units);
}

/** `850 ms`, `8.2 s`, `3 min 20 s`. */
export function durationInWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `1 case`, `2 cases`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
