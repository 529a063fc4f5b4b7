import { describe, expect, test } from '@jest/globals';

import { firstOf } from '../../support/runs';

/** A fault of the protocol that the search must find. */
type Plant =
  | 'none'
  | 'no check before the acknowledgement'
  | 'acknowledged before it is appended'
  | 'sealed by replacing'
  | 'the session before is deleted too early';

interface Session {
  readonly n: number;
  /** Index of its first line. */
  base: number;
  lines: number[];
  isWhole: boolean;
  isGone: boolean;
}

interface Writer {
  at: string;
  n: number;
  event: number;
  copy: { base: number; lines: number[] } | null;
  sealing: { from: number; lines: number[] } | null;
}

/** The folder, the store's cursor, what was anchored, and where each writer is. Each step is atomic and durable. */
interface World {
  cursor: number;
  segments: number[][];
  sessions: Session[];
  anchored: number[][];
  writers: Writer[];
}

const sealedSize = ({ segments }: World): number => segments.flat().length;
const top = ({ sessions }: World): number => sessions.at(-1)?.n ?? 0;
const own = ({ sessions }: World, { n }: Writer): Session =>
  sessions.find((session) => session.n === n) as Session;

/** What a reader of the folder finds: sealed lines, then those of the newest whole session behind them. */
function linesOf(world: World): number[] {
  const sealed = world.segments.flat();
  const newest = world.sessions.findLast(({ isWhole, isGone }) => isWhole && !isGone);
  if (newest === undefined) return sealed;
  return [...sealed, ...newest.lines.slice(Math.max(0, sealed.length - newest.base))];
}

/** What is wrong in a world; null if nothing is. */
function faultOf(world: World): string | null {
  const lines = linesOf(world);
  for (let event = 0; event < world.cursor; event++) {
    if (!lines.includes(event)) return `event ${event} was acknowledged and is missing`;
  }
  let last = -1;
  for (const event of lines) {
    if (event > last + 1) return `a gap before ${event}`;
    last = Math.max(last, event);
  }
  const isPrefix = (log: readonly number[]): boolean =>
    log.every((event, at) => lines[at] === event);
  return world.anchored.every(isPrefix) ? null : 'an anchored log is no prefix';
}

type Step = (world: World, writer: Writer) => void;

/** The steps that a writer can take now; it dies by taking none any more. */
function stepsOf(world: World, writer: Writer, events: number, plant: Plant): Step[] {
  const { at } = writer;
  if (at === 'idle') return idleSteps(world, writer, events, plant);
  const [step] = [table[at]];
  return step === undefined ? [] : [(next, who) => step(next, who, plant)];
}

function idleSteps(world: World, writer: Writer, events: number, plant: Plant): Step[] {
  const steps: Step[] = [];
  if (world.cursor < events) {
    steps.push((next, who) => {
      who.event = next.cursor;
      who.at = plant === 'acknowledged before it is appended' ? 'acknowledge' : 'append';
    });
  }
  const session = own(world, writer);
  if (session.lines.length > Math.max(0, sealedSize(world) - session.base)) {
    steps.push((next, who) => {
      const { base, lines } = own(next, who);
      const from = sealedSize(next);
      who.sealing = { from, lines: lines.slice(from - base) };
      who.at = 'link';
    });
  }
  return steps;
}

const table: Readonly<Record<string, (world: World, writer: Writer, plant: Plant) => void>> = {
  off: (world, writer) => {
    writer.n = top(world) + 1;
    world.sessions.push({ n: writer.n, base: 0, lines: [], isWhole: false, isGone: false });
    writer.at = 'adopt';
  },
  adopt: (world, writer, plant) => {
    const from = world.sessions.findLast(({ n, isWhole, isGone }) => {
      return isWhole && !isGone && n < writer.n;
    });
    const base = sealedSize(world);
    writer.copy = { base, lines: from?.lines.slice(Math.max(0, base - from.base)) ?? [] };
    writer.at = plant === 'the session before is deleted too early' ? 'delete first' : 'whole';
  },
  'delete first': (world, writer) => {
    for (const session of world.sessions) if (session.n < writer.n) session.isGone = true;
    writer.at = 'whole';
  },
  whole: (world, writer) => {
    Object.assign(own(world, writer), writer.copy, { isWhole: true });
    writer.copy = null;
    writer.at = 'delete';
  },
  delete: (world, writer) => {
    writer.at = top(world) === writer.n ? 'idle' : 'end';
    if (writer.at === 'end') return;
    for (const session of world.sessions) if (session.n < writer.n) session.isGone = true;
  },
  append: (world, writer, plant) => {
    const session = own(world, writer);
    if (!session.isGone && !session.lines.includes(writer.event)) session.lines.push(writer.event);
    const isUnchecked = plant === 'no check before the acknowledgement';
    writer.at = isUnchecked ? 'acknowledge' : 'check';
  },
  check: (world, writer) => {
    writer.at = top(world) === writer.n ? 'acknowledge' : 'end';
  },
  acknowledge: (world, writer, plant) => {
    const isOwn = world.cursor === writer.event;
    if (isOwn) world.cursor += 1;
    const next = plant === 'acknowledged before it is appended' ? 'append late' : 'sign';
    writer.at = isOwn ? next : 'end';
  },
  'append late': (world, writer) => {
    own(world, writer).lines.push(writer.event);
    writer.at = 'idle';
  },
  sign: (world, writer) => {
    writer.at = top(world) === writer.n ? 'idle' : 'end';
    if (writer.at === 'end') return;
    const { base, lines } = own(world, writer);
    const sealed = world.segments.flat();
    world.anchored.push([...sealed, ...lines.slice(Math.max(0, sealed.length - base))]);
  },
  link: (world, writer, plant) => {
    const { from, lines } = writer.sealing ?? { from: 0, lines: [] };
    writer.sealing = null;
    const isFree = sealedSize(world) === from;
    const isBlind = plant === 'sealed by replacing';
    writer.at = isFree || isBlind ? 'idle' : 'end';
    if (isFree) world.segments.push(lines);
    else if (isBlind) {
      let before = 0;
      const at = world.segments.findIndex((segment) => (before += segment.length) > from);
      world.segments.splice(at, world.segments.length, lines);
    }
  },
};

/** Plays every interleaving, with death at every point. */
function search(events: number, writers: number, plant: Plant = 'none') {
  const off: Writer = { at: 'off', n: 0, event: 0, copy: null, sealing: null };
  const first: World = { cursor: 0, segments: [], sessions: [], anchored: [], writers: [] };
  first.writers = Array.from({ length: writers }, () => ({ ...off }));
  const open = [JSON.stringify(first)];
  const seen = new Set<string>();
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    if (seen.has(text)) continue;
    seen.add(text);
    const world = JSON.parse(text) as World;
    const fault = faultOf(world);
    if (fault !== null) return { states: seen.size, fault };
    for (const [at, writer] of world.writers.entries()) {
      // Writers are alike: the first that is off begins.
      if (writer.at === 'off' && world.writers[at - 1]?.at === 'off') continue;
      for (const step of stepsOf(world, writer, events, plant)) {
        const next = JSON.parse(text) as World;
        step(next, next.writers[at] as Writer);
        open.push(JSON.stringify(next));
      }
    }
  }
  return { states: seen.size, fault: null };
}

describe('sessions that overtake each other, and segments that are linked once', () => {
  const sizes: [number, number][] = [
    [2, 2],
    [3, 2],
    [1, 3],
    [2, 3],
  ];

  test.each(firstOf(sizes, 3))(
    'lose nothing in any order of steps: %d events, %d writers',
    (events, writers) => {
      const { states, fault } = search(events, writers);
      expect(fault).toBeNull();
      expect(states).toBeGreaterThan(500);
    },
  );

  test.each([
    'no check before the acknowledgement',
    'acknowledged before it is appended',
    'sealed by replacing',
    'the session before is deleted too early',
  ] as const)('the search finds a protocol that has a fault: %s', (plant) => {
    expect(search(3, 2, plant).fault ?? search(2, 3, plant).fault).not.toBeNull();
  });
});
