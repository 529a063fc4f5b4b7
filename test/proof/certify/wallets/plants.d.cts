/** What is wrong with a planted wallet, and how far the specification says so. */
export interface Plant {
  /** `required` where the specification speaks, `advisory` where only this library's reading does, `legal` if nothing is wrong. */
  readonly level: 'required' | 'advisory' | 'legal';
  readonly rule: string;
  /** One sentence. */
  readonly wrong: string;
  /** It shows only where the process is killed and started again over its file. */
  readonly durable?: boolean;
  /** It shows only under load, to a run that can read the memory of its process. */
  readonly loaded?: boolean;
}

/** By name. */
export const PLANTS: Readonly<Record<string, Plant>>;
