/**
 * Where the sentences of D13 leave more than one meaning, each meaning is a reading. A store may follow any that the
 * sentences allow, as long as it is one and the same for all that is played.
 *
 * Whether a window of a limit begins (D13.5), for a process whose clock is behind, with what another process did whose
 * clock is ahead but that does not count in it:
 */
export interface Reading {
  /** With a debit or deposit that was declined. */
  readonly declineBegins: boolean;
  /** With a movement that another kind of limit of the currency counts. */
  readonly otherKindBegins: boolean;
  /** With a limit of the kind and currency that was set or lifted. */
  readonly settingBegins: boolean;
  /** With a void that takes nothing back in it. */
  readonly voidBegins: boolean;
  /**
   * What the window of a debit is, for its void (D13.4): the one in which it counted, or the one of the time that its
   * record has. They differ if the window had begun for a process whose clock was ahead of that of the debit.
   */
  readonly voids: 'counted' | 'dated';
}

const both = [true, false] as const;

/** All that D13 allows. */
export const allReadings: readonly Reading[] = both.flatMap((declineBegins) =>
  both.flatMap((otherKindBegins) =>
    both.flatMap((settingBegins) =>
      both.flatMap((voidBegins) =>
        (['counted', 'dated'] as const).map((voids) => ({
          declineBegins,
          otherKindBegins,
          settingBegins,
          voidBegins,
          voids,
        })),
      ),
    ),
  ),
);

/** With one clock for all processes, all readings are the same. */
export const oneReading: readonly Reading[] = allReadings.slice(0, 1);
