import { expect, test } from '@jest/globals';
import { runs } from '../../support/runs';
import { testSeed } from '../../support/seed';
import { generateOddHistory } from './odd-calls';
import { tellOddCalls } from './odd-play';
import { inMemory, overLedger } from './subjects';

/** Each history has an operator of its own. */
const histories = runs(2000, 60);

test('odd calls get the same answers over a ledger as over the memory store', async () => {
  const [memory, ledger] = [inMemory(), overLedger()];
  for (let seed = testSeed; seed < testSeed + histories; seed++) {
    const history = generateOddHistory(seed);
    const operatorId = `operator-${seed}`;
    const must = await tellOddCalls(memory, operatorId, history);
    const told = await tellOddCalls(ledger, operatorId, history);
    const at = must.findIndex((line, index) => line !== told[index]);
    if (at >= 0) expect(`seed ${seed}: ${told[at]}`).toBe(`seed ${seed}: ${must[at]}`);
  }
  for (const { store } of [memory, ledger]) await store.close();
});
