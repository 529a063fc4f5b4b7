import { describe } from '@jest/globals';
import { recoveryHistories } from './histories';

describe('under any combination of lost requests, lost replies, 5xx, nonsense and late arrivals', () => {
  recoveryHistories(1_000);
});
