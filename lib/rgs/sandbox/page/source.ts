import type { BooksView } from '../view/books';
import type { FindingsView, TimelineView, WireView } from '../view/wire';
import type { StateView } from '../view/state';

/** What the pages show and do: the API under /sandbox, without HTTP. */
export interface PageSource {
  state(): Promise<StateView>;
  /** The calls above this number, at most 500. */
  wire(since: number): Promise<WireView>;
  books(): Promise<BooksView>;
  /** The books without a question to a wallet; null if there are too many rounds. */
  booksSoFar(): Promise<BooksView | null>;
  findings(): Promise<FindingsView>;
  /** What happened to a round. */
  timeline(gameRound: string): Promise<TimelineView>;
  /**
   * Does what POST, or DELETE, of a path under /sandbox does, such as `clock`. Resolves to what the reader
   * should be shown, such as a launch URL; null for no more than that it was done.
   * @throws Error with the reason in its message.
   */
  act(action: PageAction): Promise<string | null>;
}

/** What a form of the page asks for: a path under /sandbox, and the body of its JSON. */
export interface PageAction {
  readonly method: 'POST' | 'DELETE';
  readonly path: 'clock' | 'janitor' | 'kill' | 'faults' | 'resolve' | 'launch' | 'play';
  readonly body: Readonly<Record<string, string | number>>;
}
