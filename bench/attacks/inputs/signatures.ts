import type { Dice } from '../../../lib/proof/subject/dice';

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The last digit of 32 bytes has two bits that say nothing: another digit, and the same bytes (D1.4). */
function otherSpelling(text: string, dice: Dice): string {
  const last = base64.indexOf(text.charAt(42));
  return `${text.slice(0, 42)}${base64.charAt(last ^ dice.between(1, 3))}=`;
}

function otherCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

function withBitChanged(text: string, dice: Dice): string {
  const bytes = Buffer.from(text, 'base64');
  const at = dice.between(0, 31);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.between(0, 7));
  return bytes.toString('base64');
}

/** A text that no caller may pass with, made of the right X-H-AUTH-SIG (D1.4). */
type Change = (text: string, dice: Dice) => string;

/** By name. */
export const wrongTexts: Readonly<Record<string, Change>> = {
  cut: (text, dice) => text.slice(0, dice.between(1, 43)),
  'cut in front': (text, dice) => text.slice(dice.between(1, 43)),
  extended: (text, dice) => text + dice.pick(['=', 'A', 'AAAA', '==', '.', 'A=']),
  'extended in front': (text, dice) => dice.pick(['=', 'A', 'AAAA']) + text,
  twice: (text) => text + text,
  'in one header with another': (text, dice) =>
    dice.chance(50) ? `${text}, ${text}` : `${text},${text}`,
  'with white space in it': (text) => `${text.slice(0, 20)} ${text.slice(20)}`,
  'other case': (text) => otherCase(text),
  'as base64url': (text) => Buffer.from(text, 'base64').toString('base64url'),
  'as hex': (text) => Buffer.from(text, 'base64').toString('hex'),
  'as bytes': (text, dice) =>
    Buffer.from(text, 'base64')
      .toString('latin1')
      .replace(/[^\x21-\x7e\x80-\xff]/g, dice.pick(['!', 'A'])),
  'another spelling of the same bytes': (text, dice) => otherSpelling(text, dice),
  'one bit of it': (text, dice) => withBitChanged(text, dice),
  'all zero': () => Buffer.alloc(32).toString('base64'),
  words: (_, dice) =>
    dice.pick(['null', 'undefined', 'true', '0', '[object Object]', '""', '{}', '*']),
};
const all = Object.entries(wrongTexts);

/** One of them, with its name. */
export function wrongText(text: string, dice: Dice): readonly [string, string] {
  const [name, change] = dice.pick(all);
  return [name, change(text, dice)];
}
