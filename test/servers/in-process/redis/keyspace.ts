import { wrongType } from './reply';

/** An entry of a stream: its id, and fields and values in turn. */
export interface StreamEntry {
  readonly ms: number;
  readonly seq: number;
  readonly fields: readonly string[];
}

/** A stream, and the id that it gave last. */
export interface Stream {
  readonly entries: StreamEntry[];
  last: { readonly ms: number; readonly seq: number };
}

/** What a key can hold. */
export interface Values {
  string: { text: string };
  hash: Map<string, string>;
  list: string[];
  set: Set<string>;
  /** The members of a sorted set, each with its score. */
  index: Map<string, number>;
  stream: Stream;
}

interface Entry {
  readonly type: keyof Values;
  readonly value: Values[keyof Values];
  /** When it is gone, in milliseconds since 1970; null for never. */
  expiresAt: number | null;
}

const makers: { readonly [T in keyof Values]: () => Values[T] } = {
  string: () => ({ text: '' }),
  hash: () => new Map(),
  list: () => [],
  set: () => new Set(),
  index: () => new Map(),
  stream: () => ({ entries: [], last: { ms: 0, seq: 0 } }),
};

/** The keys of one database. A key that expired is gone, and so is one whose value is empty, but for a stream. */
export class Keyspace {
  private readonly entries = new Map<string, Entry>();

  constructor(readonly now: () => number) {}

  /** All names. */
  get names(): string[] {
    return [...this.entries.keys()].filter((name) => this.has(name));
  }

  has(name: string): boolean {
    return this.find(name) !== undefined;
  }

  /** What a key holds; undefined if it is not there. @throws ReplyError for another type. */
  read<T extends keyof Values>(name: string, type: T): Values[T] | undefined {
    const entry = this.find(name);
    if (entry === undefined) return undefined;
    if (entry.type !== type) throw wrongType();
    return entry.value as Values[T];
  }

  /** The same; made if it is not there. */
  write<T extends keyof Values>(name: string, type: T): Values[T] {
    const known = this.read(name, type);
    if (known !== undefined) return known;
    const value = makers[type]();
    this.entries.set(name, { type, value, expiresAt: null });
    return value;
  }

  /** Puts a text in place of whatever was there. */
  set(name: string, text: string, keepMs: number | null): void {
    const expiresAt = keepMs === null ? null : this.now() + keepMs;
    this.entries.set(name, { type: 'string', value: { text }, expiresAt });
  }

  /** Removes a key whose value has become empty. */
  tidy(name: string): void {
    const value = this.entries.get(name)?.value;
    const size = Array.isArray(value)
      ? value.length
      : value !== undefined && 'size' in value
        ? value.size
        : 1;
    if (size === 0) this.entries.delete(name);
  }

  /** Milliseconds left; -1 for ever, -2 for no such key. */
  leftMs(name: string): number {
    const entry = this.find(name);
    if (entry === undefined) return -2;
    return entry.expiresAt === null ? -1 : entry.expiresAt - this.now();
  }

  /** When it expires, in milliseconds: -1 for never, -2 for no such key. */
  expiresAt(name: string): number {
    const entry = this.find(name);
    return entry === undefined ? -2 : (entry.expiresAt ?? -1);
  }

  /** Sets the time to live; null for ever. False for no such key. */
  keep(name: string, ms: number | null): boolean {
    const entry = this.find(name);
    if (entry === undefined) return false;
    entry.expiresAt = ms === null ? null : this.now() + ms;
    return true;
  }

  clear(): void {
    this.entries.clear();
  }

  private find(name: string): Entry | undefined {
    const entry = this.entries.get(name);
    if (entry === undefined || entry.expiresAt === null || entry.expiresAt > this.now())
      return entry;
    this.entries.delete(name);
    return undefined;
  }
}
