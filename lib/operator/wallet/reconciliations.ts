/** What the RGS's side of a comparison came from: getStats, or an export of its rounds. */
export const reconciliationSources = ['statistics', 'export'] as const;

/** See {@link reconciliationSources}. */
export type ReconciliationSource = (typeof reconciliationSources)[number];

/** For how many days a result is kept, counted from its day to the newest save. */
export const reconciliationDays = 400;

/** Most bytes of a result, in UTF-8. */
export const longestReconciliation = 65_536;

/** What a comparison found on one day. */
export interface KeptReconciliation {
  /** Such as `2026-11-23`, in the zone that the comparison counted in. */
  readonly day: string;
  readonly source: ReconciliationSource;
  /** When it was saved, in milliseconds since 1970. */
  readonly at: number;
  /** JSON, opaque to the store; at most {@link longestReconciliation} bytes. */
  readonly text: string;
}

/** The results of `rgs-wallet reconcile --save`, by operator and day. */
export interface Reconciliations {
  /**
   * Keeps a result in place of what was kept of its day and source, and deletes those of the operator whose day is more
   * than 400 days before `at`. Durable once it resolves.
   * @throws TypeError or InvalidInputError for a wrong entry, also one of a day that would be deleted at once or lies ahead;
   * StoreUnavailableError: it may have been kept.
   */
  save(entry: KeptReconciliation & { readonly operatorId: string }): Promise<void>;

  /**
   * The entries of the newest days that have any: the newest day first, in it by source.
   * @param query `days`: how many days, 1 to 400.
   * @throws TypeError for another number; StoreUnavailableError
   */
  list(
    operatorId: string,
    query: { readonly days: number },
  ): Promise<readonly KeptReconciliation[]>;
}
