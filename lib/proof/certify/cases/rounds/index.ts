import type { Case } from '../../talk/case';
import { concurrency } from './concurrency';
import { credits } from './credits';
import { discounts } from './discounts';
import { freePlays } from './free-plays';
import { idempotency } from './idempotency';
import { keyReuse } from './key-reuse';
import { ordering } from './ordering';
import { partialOutcomes } from './partial-outcomes';
import { states } from './states';
import { voids } from './voids';
import { voidsAndRounds } from './voids-and-rounds';

/** Cases of the life of a round: what is taken and paid, and when. */
export const roundCases: readonly Case[] = [
  ...ordering,
  ...partialOutcomes,
  ...idempotency,
  ...keyReuse,
  ...voids,
  ...voidsAndRounds,
  ...states,
  ...credits,
  ...concurrency,
  ...freePlays,
  ...discounts,
];
