import type { Dice } from '../../../../lib/proof/subject/dice';
import { limitWindows } from '../../../../lib/operator/wallet';
import { nextWindow } from '../model/calendar';

/** Zones that change their offset by an hour or a half, at midnight, never, or lie a day apart. */
export const zones = [
  'UTC',
  'Europe/Stockholm',
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
] as const;

const minuteMs = 60_000;

/** Shortly before each of these something changes somewhere. */
const starts: readonly number[] = [
  Date.UTC(2026, 9, 24, 22), // a day of 25 hours in Stockholm
  Date.UTC(2026, 10, 1, 3, 50), // one in New York and Havana, on a Sunday with the month's first
  Date.UTC(2027, 2, 28, 0), // a day of 23 hours in Stockholm, a Sunday
  Date.UTC(2027, 2, 14, 4), // one that begins at one o'clock in Havana
  Date.UTC(2027, 3, 4, 2), // an hour before midnight that comes twice in Santiago
  Date.UTC(2027, 3, 3, 14), // half an hour more in Lord Howe
  Date.UTC(2026, 11, 31, 22), // the 53rd week of 2026 runs into 2027
  Date.UTC(2027, 11, 31, 9),
  Date.UTC(2028, 1, 28, 23), // a leap day
  Date.UTC(2026, 10, 30, 9), // a Monday
];

/** When a play begins. */
export function startOf(dice: Dice): number {
  return dice.pick(starts) + dice.below(60 * minuteMs);
}

/** A later time: moments later, or at one of the edges of a window, or past it. */
export function later(now: number, dice: Dice, zone: string, behindMs: number): number {
  const kind = dice.below(100);
  if (kind < 60) return now + dice.between(1, 1000);
  if (kind < 78) return now + dice.between(1, 20 * minuteMs);
  if (kind < 85) return now + dice.between(1, 30 * 60 * minuteMs);
  const window = dice.chance(70) ? 'day' : dice.pick(limitWindows);
  const edge = nextWindow(zone, window, now);
  const beside = [
    -minuteMs,
    -1,
    0,
    1,
    minuteMs,
    behindMs / 2,
    behindMs - 1,
    behindMs,
    behindMs + 1,
  ];
  return Math.max(now + 1, edge + dice.pick(beside));
}
