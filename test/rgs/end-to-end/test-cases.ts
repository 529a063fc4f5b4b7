import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { readCases } from './case-table';
import { type Parties, startParties } from './processes/parties';
import { checkCase } from './verdict';

export interface HowToTest {
  /** The players are named by it, and by the number of their case. */
  readonly players: string;
  /** Whether the provider plays by round objects, which recover by themselves what was lost (S2). */
  readonly isRecovering: boolean;
}

/**
 * Tests every case of a table. The wallet, the remote game server and the provider are processes of their own,
 * the same for all cases; each case has its own player.
 */
export function testCases(
  subject: string,
  table: string,
  { players, isRecovering }: HowToTest,
): void {
  const cases = readCases(table).map((one, at) => ({ ...one, playerId: `${players}-${at + 1}` }));
  let parties: Parties;

  beforeAll(async () => {
    parties = await startParties(cases.map(({ playerId }) => playerId));
  });

  afterAll(() => parties?.stop());

  describe(`${subject}, over three processes`, () => {
    test.each(cases)('$name', async ({ playerId, ...one }) => {
      await checkCase(parties, playerId, one, isRecovering);
    });

    test('at the end all three books agree on every player, and nothing is in doubt (B3)', async () => {
      const { agree, differences, doubts } = await parties.books();
      expect({ agree, differences, doubts }).toEqual({
        agree: true,
        differences: [],
        doubts: [],
      });
    });
  });
}
