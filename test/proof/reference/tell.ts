import { expect } from '@jest/globals';

import { createRealWallet } from './real-wallet';
import { type Answer, type Delivery } from './reference-log';
import { createReferencePlayer } from './reference-player';
import { type CallStep, readStep, type Step, type Wallet, writeStep } from './story';

/** What a step came to, as text: `ok 9004 | open 7`. */
export async function outcomeOf(wallet: Wallet, step: Step): Promise<string> {
  const answers = await wallet.play(step);
  const said = step.kind === 'call' && is5xx(step, answers) ? '5xx' : answers.join(' ');
  return `${said} | ${await wallet.state()} ${await wallet.balance('EUR')}`.trim();
}

/**
 * Plays a story and compares each line: `first F 5, credit w 3 -> ok ok | open 8`. Before the
 * arrow is a step (story.ts), behind it each answer, the state and the EUR balance.
 */
async function expectStory(wallet: Wallet, lines: string): Promise<void> {
  const expected = lines
    .trim()
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '));
  const earlier = new Map<string, Delivery>();
  const came: string[] = [];
  for (const [index, line] of expected.entries()) {
    const [text = ''] = line.split(' -> ');
    const step = readStep(text, index + 1, earlier);
    if (step.kind === 'call') earlier.set(step.delivery.id, step.delivery);
    came.push(`${writeStep(step)} -> ${await outcomeOf(wallet, step)}`);
  }
  expect(came).toEqual(expected);
}

/**
 * Of a call that is written in parts and answered 5xx, no rule says what is listed beside what is unknown (D4.6, D7).
 */
function is5xx({ delivery, fate }: CallStep, answers: readonly Answer[]): boolean {
  if (fate !== 'answered') return true;
  const types = delivery.transactions.map(({ type }) => type);
  return types.includes('void') && types.includes('debit') && answers.includes('unknown');
}

/** Tells a story to the reference, and to the wallet itself. */
export async function tell(lines: string): Promise<void> {
  await expectStory(createReferencePlayer(), lines);
  await expectStory(await createRealWallet(), lines);
}
