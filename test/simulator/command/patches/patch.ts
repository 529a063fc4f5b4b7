import type { StoreName, Wire } from '../..';

/** A bug of the code itself: a text of a file of lib, and what stands there instead. */
export interface Patch {
  readonly name: string;
  /** What it breaks; for one that is not observable, why nothing breaks. */
  readonly breaks: string;
  /** Below lib. */
  readonly file: string;
  /** It stands in the file once. */
  readonly from: string;
  readonly to: string;
  /** Where it is looked for; memory unless set. */
  readonly store?: StoreName;
  /** How calls come where it is looked for; as messages unless set. */
  readonly wire?: Wire;
  readonly isObservable?: false;
  /** A file of test/regressions that shows it, where seeds seldom do. */
  readonly history?: string;
}
