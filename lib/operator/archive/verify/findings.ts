/** Something wrong, or worth knowing, with its place. */
export interface Finding {
  /** Path below the folder; of an anchor, its folder and file. Not cleared of control characters. */
  readonly file: string;
  /** Number of the line, from 1; null if it is the whole file, or no line can be named for certain. */
  readonly line: number | null;
  readonly what: string;
}

/** The result of {@link verifyArchive}. */
export interface ArchiveVerification {
  readonly operatorId: string | null;
  readonly origin: string | null;
  /** Sealed segments, and how many of them were read line by line. */
  readonly segments: number;
  readonly segmentsRead: number;
  /** Events of the log: those that are sealed, and those of the session after them. */
  readonly events: number;
  readonly unsealedEvents: number;
  /** The least and the greatest `at` of the sealed events, by their records; null without any. */
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  /** The size of the log that its own newest checkpoint states. */
  readonly signedEvents: number;
  /** Lines that were in the log before, byte for byte: a restored store delivers them again. */
  readonly repeatedEvents: number;
  /** At most 1,000; `moreFaults` counts the others. */
  readonly faults: readonly Finding[];
  readonly moreFaults: number;
  /** Worth knowing, but harmless. At most 1,000. */
  readonly notes: readonly Finding[];
  readonly moreNotes: number;
  /** The greatest size at which the log was compared with an anchor and was the same; null if none was. */
  readonly anchored: {
    readonly anchors: readonly string[];
    readonly size: number;
    /** The `at` of the last event before it, if it was read. */
    readonly at: string | null;
  } | null;
  /** The last line for a person. */
  readonly sentence: string;
}

/** Collects findings, of each kind a bounded number. */
export class Findings {
  readonly faults: Finding[] = [];
  readonly notes: Finding[] = [];
  moreFaults = 0;
  moreNotes = 0;

  fault(file: string, line: number | null, what: string): void {
    if (this.faults.length < most) this.faults.push({ file, line, what });
    else this.moreFaults += 1;
  }

  note(file: string, line: number | null, what: string): void {
    if (this.notes.length < most) this.notes.push({ file, line, what });
    else this.moreNotes += 1;
  }
}

/** The sentence that ends a verification. */
export function closingSentence({
  faults,
  moreFaults,
  events,
  anchored,
  segments,
  segmentsRead,
}: Omit<ArchiveVerification, 'sentence'>): string {
  const count = faults.length + moreFaults;
  if (count > 0) return `not whole: ${count === 1 ? '1 fault' : `${grouped(count)} faults`}`;
  const isPart = segmentsRead < segments;
  const part = `as far as read, the lines of ${segmentsRead} of ${segments} segments`;
  const whole = isPart ? `whole ${part}` : 'whole';
  if (anchored === null) {
    return `${whole}${isPart ? ',' : ''} by its own signatures; no anchor was compared: this proves nothing against who holds folder and key`;
  }
  const at = anchored.at === null ? '' : ` (${anchored.at.slice(0, 16)}Z)`;
  const names = anchored.anchors.join(', ');
  return `${whole}: ${grouped(events)} events, as anchored at ${names} up to ${grouped(anchored.size)}${at}`;
}

/** A number with commas: 41,517. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

const most = 1_000;
