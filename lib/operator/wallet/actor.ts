/** A person who did something to the wallet, for the audit trail. */
export interface Actor {
  /**
   * The person's id, as the platform knows them: 1 to 128 characters, without # or control characters (D2.6),
   * or spaces around it. One person always has the same one.
   */
  readonly id: string;
  /** The person's name for others to read; null if there is none. */
  readonly name: string | null;
}
