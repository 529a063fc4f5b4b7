import { expect } from '@jest/globals';
import * as fc from 'fast-check';

import type { Credit, Debit, Transaction } from '../../../lib/protocol/operator-api/transaction';
import { randomStory, randomTransactions, voidsOf } from './random-story';
import type { Answer, State } from './reference-log';
import { callStep, GAME_ROUND, START, type Step, type Wallet } from './story';

/** Makes a wallet with a round that nothing is known of, and a player with {@link START}. */
export type MakeWallet = () => Promise<Wallet>;

/** Plays one random case. @throws where what the player sees of it is wrong. */
export type PurseProperty = (makeWallet: MakeWallet) => fc.IAsyncProperty<unknown>;

const OWN_DEBITS = { debits: ['p', 'q'], hasVoids: false };

/** What must hold of the player's money whatever the wallet's rules are, by its sentence. */
export const purseProperties: Readonly<Record<string, PurseProperty>> = {
  'voids of all debits of a call leave the same purse and state before it as behind it (D5.3)': (
    makeWallet,
  ) =>
    fc.asyncProperty(randomStory(), randomTransactions(OWN_DEBITS), async (story, call) => {
      const [before, behind] = [await makeWallet(), await makeWallet()];
      // A void of what was not seen ends a decline (D4.5), which concerns a win in front of the call's debits.
      const earlier = [...story, callStep('ends a decline', [voidOf('unused')])];
      await playAll(before, [...earlier, voidsIn(call), callStep('call', call)]);
      await playAll(behind, [...earlier, callStep('call', call), voidsIn(call)]);
      expect(await seen(behind)).toEqual(await seen(before));
    }),

  'a round whose debits are all voided nets to zero in any order of arrival (O4)': (makeWallet) =>
    fc.asyncProperty(randomStory(), fc.infiniteStream(fc.nat()), async (story, chance) => {
      const wallet = await makeWallet();
      await playAll(wallet, shuffled([...story, ...voidsApart(story)], chance));
      expect(await purse(wallet)).toEqual(brought(story));
    }),

  'a resend has the same answers and changes nothing, until a void (O8)': (makeWallet) =>
    fc.asyncProperty(
      randomStory(),
      randomTransactions({ hasVoids: false }),
      randomStory({ hasVoids: false }),
      async (story, call, later) => {
        const wallet = await makeWallet();
        await playAll(wallet, story);
        const wasVoided = (await wallet.state()) === 'voided';
        const answers = await wallet.play(callStep('call', call));
        await playAll(wallet, renamed(later, 'later'));
        const before = await seen(wallet);
        // A debit whose void had come before it may be what voids the round.
        fc.pre(!answers.includes('unknown') && (before.state === 'voided') === wasVoided);
        expect(await wallet.play(callStep('again', call))).toEqual(answers);
        expect(await seen(wallet)).toEqual(before);
      },
    ),

  'what was refused moves no money (O5)': (makeWallet) =>
    fc.asyncProperty(randomStory(), async (story) => {
      const wallet = await makeWallet();
      for (const step of story) {
        const before = await purse(wallet);
        const answers = await wallet.play(step);
        const isRefused = step.kind === 'call' && answers.length > 0 && !answers.includes('ok');
        if (isRefused) expect(await purse(wallet)).toEqual(before);
      }
    }),

  'the balance is what the answers say of each debit and credit (O1, O3)': (makeWallet) =>
    fc.asyncProperty(randomStory({ hasLosses: false }), async (story) => {
      const wallet = await makeWallet();
      const processed = new Set<Debit | Credit>();
      for (const step of story) {
        const answers = await wallet.play(step);
        for (const movement of processedOf(step, answers)) processed.add(movement);
        const isVoided = step.kind === 'call' && answers.includes('unknown');
        if (isVoided) await wallet.play(voidsIn(step.delivery.transactions));
      }
      const expected = new Map(brought(story));
      for (const movement of unique(processed)) {
        const answers = await wallet.play(callStep('asks', [movement]));
        const { type, currency, amount } = movement;
        const change = type === 'debit' ? -amount : amount;
        if (answers[0] === 'ok') expected.set(currency, (expected.get(currency) ?? 0n) + change);
      }
      expect(await purse(wallet)).toEqual(expected);
    }),

  'a call answered 5xx and voided leaves what it had before its first debit (O5)': (makeWallet) =>
    fc.asyncProperty(
      randomStory(),
      randomTransactions(OWN_DEBITS),
      fc.constantFrom('lost', 'unmarked', 'unwritten'),
      async (story, call, fate) => {
        const [without, voided] = [await makeWallet(), await makeWallet()];
        const firstDebit = call.findIndex(({ type }) => type === 'debit');
        fc.pre(firstDebit >= 0);
        const part = fate === 'unwritten' ? [] : call.slice(0, firstDebit);
        await playAll(without, [...story, ...(part.length > 0 ? [callStep('part', part)] : [])]);
        await playAll(voided, [...story, callStep('call', call, fate), voidsIn(call)]);
        expect(await purse(voided)).toEqual(await purse(without));
        // The void of the first debit leaves the round voided, and not as it never was.
        if ((await voided.state()) !== 'voided') {
          expect(await voided.state()).toBe(await without.state());
        }
      },
    ),
};

async function playAll(wallet: Wallet, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await wallet.play(step);
}

async function purse(wallet: Wallet): Promise<Map<string, bigint>> {
  const balances = new Map<string, bigint>();
  for (const currency of Object.keys(START)) {
    balances.set(currency, await wallet.balance(currency));
  }
  return balances;
}

interface Seen {
  readonly state: State;
  readonly purse: ReadonlyMap<string, bigint>;
}

async function seen(wallet: Wallet): Promise<Seen> {
  return { state: await wallet.state(), purse: await purse(wallet) };
}

/** What the player started with and brought. */
function brought(story: readonly Step[]): Map<string, bigint> {
  const deposits = story.map((step) => (step.kind === 'deposit' ? step.amount : 0n));
  const total = deposits.reduce((sum, amount) => sum + amount, START['EUR'] ?? 0n);
  return new Map(Object.entries({ ...START, EUR: total }));
}

/** A call with the voids of all debits of a call; a void of no debit where it has none. */
function voidsIn(call: readonly Transaction[]): Step {
  const voids = voidsOf({ transactions: call });
  return callStep('voids', voids.length > 0 ? voids : [voidOf('unused')]);
}

function voidOf(hash: string): Transaction {
  return { type: 'void', hash, amount: null, currency: null };
}

/** A void for each debit of a story, each in a call of its own; the gameRound's among them. */
function voidsApart(story: readonly Step[]): Step[] {
  const debits = story.flatMap((step) => (step.kind === 'call' ? voidsOf(step.delivery) : []));
  const hashes = new Set([GAME_ROUND, ...debits.map(({ hash }) => hash)]);
  return [...hashes].map((hash) => callStep(`void ${hash}`, [voidOf(hash)]));
}

function shuffled(steps: readonly Step[], chance: Iterator<number>): Step[] {
  const rest = [...steps];
  return steps.flatMap(() => rest.splice((chance.next().value as number) % rest.length, 1));
}

/** The same steps as deliveries of other names. */
function renamed(steps: readonly Step[], name: string): Step[] {
  return steps.map((step) =>
    'delivery' in step
      ? { ...step, delivery: { ...step.delivery, id: `${name} ${step.delivery.id}` } }
      : step,
  );
}

/** The debits and credits of a step that were answered as processed. */
function processedOf(step: Step, answers: readonly Answer[]): (Debit | Credit)[] {
  if (step.kind !== 'call') return [];
  return step.delivery.transactions
    .filter((_, index) => answers[index] === 'ok')
    .filter((one): one is Debit | Credit => one.type === 'debit' || one.type === 'credit');
}

/** One of each hash. */
function unique(movements: Iterable<Debit | Credit>): Iterable<Debit | Credit> {
  return new Map([...movements].map((movement) => [movement.hash, movement])).values();
}
