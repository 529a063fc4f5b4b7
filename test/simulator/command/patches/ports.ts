import type { Patch } from './patch';

const useCase = 'operator/wallet/do-transactions.ts';
const accounts = 'operator/stores/memory/accounts.ts';
const reply = 'operator/http/call-reply.ts';

/** Bugs of the use case, of the memory store and of the reply. */
export const portPatches: readonly Patch[] = [
  {
    name: 'a commit in doubt counts as written',
    breaks: 'O3',
    file: useCase,
    from: "if (result.kind === 'unknown' && onlyGuards(change, this.snapshot)) return step;",
    to: "if (result.kind === 'unknown') return step;",
  },
  {
    name: 'a stale commit counts as written',
    breaks: 'O3',
    file: useCase,
    from: "      if (result.kind === 'committed') {",
    to: "      if (result.kind === 'stale') return step;\n      if (result.kind === 'committed') {",
  },
  {
    name: 'a refusal of the account is forgotten with a later step',
    breaks: 'nothing: the account refuses again',
    isObservable: false,
    file: useCase,
    from: 'return new Map(refusals).set(result.hash, result.reason);',
    to: 'return new Map([[result.hash, result.reason]]);',
  },
  {
    name: 'an outcome that waits for a void is answered as done',
    history: 'repeated-before-its-void',
    breaks: 'D6.1',
    file: useCase,
    from: "if (verdict.outcome === 'unknown') return this.outcome(waitsForVoid);",
    to: "if (verdict.outcome === 'unknown') continue;",
  },
  {
    name: 'the balances are those before the call',
    breaks: 'O10',
    file: useCase,
    from: 'this.snapshot = isLast ? withAccounts(this.snapshot, result.accounts) : null;',
    to: 'this.snapshot = isLast ? { ...this.snapshot } : null;',
  },
  {
    name: 'an unknown outcome of a debit is answered 400',
    breaks: 'D7',
    file: reply,
    from: "if (holds(call, 'debit')) return 503;",
    to: '',
  },
  {
    name: 'an unknown outcome of a credit is answered 503',
    breaks: 'O6',
    file: reply,
    from: "return holds(call, 'credit') ? 400 : 503;",
    to: 'return 503;',
  },
  {
    name: 'a refusal behind a processed one is answered 200',
    breaks: 'O7',
    file: reply,
    from: 'failure === null ? 200 : 400;',
    to: 'failure === null || outcome.verdicts[0]?.outcome === "processed" ? 200 : 400;',
  },
  {
    name: 'the memory store does not compare versions',
    breaks: 'property 3',
    file: 'operator/stores/memory/rounds.ts',
    from: 'if (version !== change.before.version) return this.stale(key, hashes);',
    to: '',
  },
  {
    name: 'the memory store does not add what a debit took',
    breaks: 'O4: a void gives nothing back',
    file: 'operator/stores/memory/rounds.ts',
    from: 'const debits = [...trial.taken.values()].reduce(addPurses, change.after.debits);',
    to: 'const debits = change.after.debits;',
  },
  {
    name: 'the memory store guards only the first movement of a commit',
    breaks: 'property 4: several debits of a call overdraw',
    file: accounts,
    from: 'const balance = balances.get(currency) ?? player.balances.get(currency);',
    to: 'const balance = player.balances.get(currency);',
  },
  {
    name: 'a blocked player still bets',
    breaks: 'no book, but the block',
    file: accounts,
    from: "if (movement.kind === 'take' && isBlocked(player, now)) return { refused: 'blocked', hash };",
    to: '',
  },
  {
    name: 'a blocked player gets no credit',
    breaks: 'D4.9',
    file: accounts,
    from: "if (movement.kind === 'take' && isBlocked(player, now))",
    to: 'if (isBlocked(player, now))',
  },
  {
    name: 'a reference moves cash at each order',
    breaks: 'one reference, one movement',
    file: accounts,
    from: 'if (known !== undefined) {\n      if (!isSame',
    to: 'if (known !== undefined && !isSame(known, order)) {\n      if (!isSame',
  },
  {
    name: 'the other balance pays a debit first',
    breaks: 'the order of spending; every sum is right',
    file: accounts,
    from: 'splitDebit(movement.amount, balance, movement.bonusFirst)',
    to: 'splitDebit(movement.amount, balance, !movement.bonusFirst)',
  },
  {
    name: 'a withdrawal may overdraw',
    breaks: 'property 4',
    file: accounts,
    from: "if (units < 0n && after < 0n) return { kind: 'refused', reason: 'tooLow' };",
    to: '',
  },
];
