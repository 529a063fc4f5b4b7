import { type Answer, cut, timeOut } from '../../../lib/rgs/settlement/answer';
import type { SentTransaction, Settlement } from '../../../lib/rgs/settlement/settle';

/** One line of a table: what was sent, what came back, and what the RGS does. */
export interface Case {
  /** The rule, and what it says, as a sentence. */
  readonly name: string;
  readonly transactions: readonly SentTransaction[];
  readonly answer: Answer;
  /** A fate for each transaction. */
  readonly fates: string;
  /** What follows beside the fates; `-` for nothing. */
  readonly further: string;
}

/**
 * Reads a table, a case a line: `rule | sentence | call | answer | fates | further`. In a call `d1*` is
 * the first debit, `d1` another, `c1` a credit, `e1` an end and `v:d1` a void of d1. An answer is a
 * status and the hashes that it lists, with `!` and an error id where it lists an error, or `!?` where the
 * error has no id; `?` stands for a reply that is not a JSON object.
 */
export function readTable(text: string): Case[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    if (cells.length !== 6) throw new Error(`not six cells: ${line}`);
    const [rule, sentence, call, answer, fates, further] = cells as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return {
      name: `${rule}: ${sentence} (${call} answered ${answer})`,
      transactions: call.split(' ').map(readTransaction),
      answer: readAnswer(answer),
      fates,
      further,
    };
  });
}

/** The fates of a settlement as a table has them. */
export function fatesOf({ transactions }: Settlement<SentTransaction>): string {
  return transactions.map(({ fate }) => fate).join(' ');
}

/** What follows of a settlement, as a table has it. */
export function furtherOf(settlement: Settlement<SentTransaction>): string {
  const { round, repeat, needsPerson, findings } = settlement;
  const words = [
    round ?? '',
    needsPerson ? 'person' : '',
    repeat ?? '',
    ...findings.map(({ code, hash }) => (hash === null ? code : `${code}@${hash}`)),
  ].filter((word) => word !== '');
  return words.length === 0 ? '-' : words.join(' ');
}

function readTransaction(word: string): SentTransaction {
  if (word.startsWith('v:')) return { type: 'void', hash: word.slice(2) };
  if (word.endsWith('*')) return { type: 'debit', hash: word.slice(0, -1), isFirstDebit: true };
  if (word.startsWith('d')) return { type: 'debit', hash: word, isFirstDebit: false };
  if (word.startsWith('c')) return { type: 'credit', hash: word };
  if (word.startsWith('e')) return { type: 'end', hash: word };
  throw new Error(`no transaction: ${word}`);
}

function readAnswer(text: string): Answer {
  if (text === 'time-out') return timeOut;
  if (text === 'cut') return cut;
  const [status, ...items] = text.split(' ');
  if (items[0] === '?') return { kind: 'reply', status: Number(status), body: null };
  const hashesProcessed = items.map((item) => {
    const [hash = '', id] = item.split('!');
    return {
      hash,
      error: id === undefined ? null : { id: id === '?' ? null : Number(id), msg: '' },
    };
  });
  return { kind: 'reply', status: Number(status), body: { hashesProcessed, error: null } };
}
