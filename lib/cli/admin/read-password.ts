import { CommandFailure } from '../terminal/failure';
import { readTextFile } from '../terminal/read-json-file';

const minCharacters = 12;
const maxCharacters = 256;

/**
 * A new password: typed twice at a terminal, which shows nothing of it, else the first line of stdin.
 * @throws CommandFailure for one that is too short or too long, or typed differently.
 */
export async function readNewPassword(): Promise<string> {
  const { isTTY } = process.stdin;
  const password = isTTY ? await typed('Password: ') : (readTextFile('-').split(/\r?\n/)[0] ?? '');
  const characters = Array.from(password).length;
  if (characters < minCharacters || characters > maxCharacters) {
    throw new CommandFailure(
      `The password must have ${minCharacters} to ${maxCharacters} characters.`,
    );
  }
  if (isTTY && (await typed('Again: ')) !== password) {
    throw new CommandFailure('The passwords differ.');
  }
  return password;
}

const keys = {
  enter: ['\r', '\n'],
  end: ['\u0003', '\u0004'],
  erase: ['\u0008', '\u007f'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A line of the terminal, which echoes nothing of it. */
function typed(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  // Before the prompt: what is typed as soon as it is there must not be echoed.
  stdin.setRawMode(true).setEncoding('utf8').resume();
  stderr.write(prompt);
  return new Promise((resolve, reject) => {
    let text: string[] = [];
    const finish = (end: () => void): void => {
      stdin.off('data', onData).setRawMode(false).pause();
      stderr.write('\n');
      end();
    };
    const onData = (chunk: string): void => {
      for (const key of chunk) {
        if (is(key, keys.enter)) return finish(() => resolve(text.join('')));
        if (is(key, keys.end)) {
          return finish(() => reject(new CommandFailure('No password was given.')));
        }
        text = is(key, keys.erase) ? text.slice(0, -1) : [...text, key];
      }
    };
    stdin.on('data', onData);
  });
}

function is(key: string, among: readonly string[]): boolean {
  return among.includes(key);
}
