import type { ContractRunner } from '../subject/runner';
import { makeContractWallet } from '../subject/one-operator';
import type { ContractStoreOptions, ContractWallet, StoreSuiteOptions } from '../subject/players';

/** One rule of a contract, run on a store with these options. */
export type Case<T> = (
  name: string,
  run: (subject: T) => Promise<void>,
  options?: Partial<ContractStoreOptions>,
) => void;

/** Groups of rules by what they are about. */
export type Rules<T> = Readonly<Record<string, (it: Case<T>) => void>>;

/** How a suite creates and closes its subject. */
interface Making<T> {
  readonly make: (options: ContractStoreOptions) => Promise<T>;
  readonly close: (subject: T) => Promise<void>;
}

const defaults: ContractStoreOptions = { decimals: 4, retentionMs: 3_600_000 };

/** Defines the rules; creates one subject for each set of options, and closes it in the end. */
export function defineSuite<T>(
  runner: ContractRunner,
  title: string,
  rules: Rules<T>,
  { make, close }: Making<T>,
): void {
  runner.describe(title, () => {
    const subjects = new Map<string, Promise<T>>();
    const subjectWith = (options: ContractStoreOptions): Promise<T> => {
      const name = JSON.stringify(options);
      const subject = subjects.get(name) ?? make(options);
      subjects.set(name, subject);
      return subject;
    };
    const it: Case<T> = (name, run, options) => {
      runner.it(name, async () => run(await subjectWith({ ...defaults, ...options })));
    };
    for (const [name, define] of Object.entries(rules)) runner.describe(name, () => define(it));
    runner.afterAll(async () => {
      for (const subject of subjects.values()) await close(await subject);
    });
  });
}

/** The same for rules of a wallet that needs nothing more than its store. */
export function defineWalletSuite(
  { runner, createStore }: StoreSuiteOptions,
  title: string,
  rules: Rules<ContractWallet>,
): void {
  defineSuite(runner, title, rules, {
    make: (options) => makeContractWallet(createStore, options),
    close: ({ store }) => store.close(),
  });
}

/** The error of a text that is not of its form, as a person or another program may send it. */
export const wrongText = { name: 'InvalidInputError', code: 'INVALIDINPUT' } as const;

/** The error of a mistake of the program: a missing value, or one of another type. */
export const wrongUse = { name: 'TypeError' } as const;

/** The error of a wrong value. */
export function faultOf(value: unknown): typeof wrongText | typeof wrongUse {
  return typeof value === 'string' ? wrongText : wrongUse;
}
