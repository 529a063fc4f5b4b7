/** From values to pixels. A value beyond the scale is drawn at its end. */
export interface Scale {
  /** Where lines are drawn: rising. */
  readonly ticks: readonly number[];
  /** How far below the upper edge of the picture a value is, in pixels. */
  readonly y: (value: number) => number;
}

/** The upper and the lower end of a scale, in pixels below the upper edge of the picture. */
export interface ScaleBox {
  readonly top: number;
  readonly bottom: number;
}

/** No scale is finer or wider, so that no step underflows and no sum of steps overflows. */
const [finest, widest] = [1e-9, 1e300];

/** The least of 1, 2 and 5 times a power of ten that goes into a range at most so many times. */
export function stepOf(range: number, most: number): number {
  const wanted = Math.min(Math.max(range, finest), widest) / most;
  const power = Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].find((times) => times * 10 ** power >= wanted) ?? 10;
  return exact(step * 10 ** power);
}

/** What a scale has to show, and where. */
interface ScaleRange extends ScaleBox {
  /** The lowest value; zero if it is above. */
  readonly least: number;
  /** The highest value; zero if it is below. */
  readonly most: number;
  /** What is counted has steps of 1 at least. */
  readonly leastStep?: number;
}

/** A scale whose ticks are the same step apart, with zero on it. */
export function linearScale(range: ScaleRange): Scale {
  const { least, most, top, bottom, leastStep = 0 } = range;
  const low = Math.max(Math.min(least, 0), -widest);
  const above = Math.min(Math.max(most, 0), widest);
  const high = above - low < finest ? low + Math.max(leastStep, 1) : above;
  const isOfTwoSides = low < 0 && high > 0;
  const step = Math.max(stepOf(Math.max(high, -low), isOfTwoSides ? 3 : 5), leastStep);
  const ticks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at++) ticks.push(exact(at * step) || 0);
  const perPixel = (high - low) / (bottom - top);
  return {
    ticks,
    y: (value) => bottom - (Math.min(Math.max(value, low), high) - low) / perPixel,
  };
}

/** A scale on which each tick is ten times the one before; it does not begin at zero. */
export function logScale(least: number, most: number, { top, bottom }: ScaleBox): Scale {
  const low = Math.floor(powerOf(Math.min(least, most)));
  const high = Math.max(Math.ceil(powerOf(Math.max(least, most))), low + 1);
  const every = Math.ceil((high - low) / 4);
  const ticks: number[] = [];
  for (let at = low; at <= high; at += every) ticks.push(exact(10 ** at));
  return {
    ticks,
    y: (value) => {
      const place = Math.min(Math.max(powerOf(value), low), high);
      return bottom - ((place - low) / (high - low)) * (bottom - top);
    },
  };
}

function powerOf(value: number): number {
  return Math.log10(Math.min(Math.max(value, finest), widest));
}

/** A column of so many beside each other, in per cent of the width. */
interface Slot {
  readonly left: number;
  readonly middle: number;
  readonly width: number;
}

/** @param share How much of its place a column takes, from 0 to 1. */
export function slotOf(at: number, count: number, share = 1): Slot {
  const place = 100 / count;
  const middle = place * (at + 0.5);
  return { left: middle - (place * share) / 2, middle, width: place * share };
}

/** A coordinate as it is written: two decimals, no zero at the end, nothing but a number. */
export function coordinate(value: number): string {
  return String(Math.round(value * 100) / 100 || 0);
}

const shortened = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });

/** The name of a tick, short and without its sign: `500`, `20k`, `1.5M`. */
export function tickText(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 0.01 || size >= 1e15)) return exact(size).toExponential();
  return shortened.format(size).replace('K', 'k');
}

/** Without what the binary form of a decimal adds. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}
