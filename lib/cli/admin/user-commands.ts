import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { isRight, type Right, rights } from '../../operator/operations';
import { systemClock, systemRandom } from '../../platform';
import { timeText } from '../../platform/time/iso';
import { type ActFlags, actOf, addActFlags } from '../player/flags';
import { CommandFailure, messageOf, print, printJson } from '../terminal/failure';
import { jsonFlag } from '../terminal/flags';
import { hashPassword } from './password';
import {
  type AdminUser,
  checkSet,
  isUserId,
  isUserName,
  readUsers,
  type RightsSet,
  spelledLike,
  userIdRule,
  userNameRule,
} from './users';
import { readTextFile } from '../terminal/read-json-file';

interface UserFlags extends ActFlags {
  readonly file: string;
  readonly id: string;
  readonly json?: true;
}

interface AddFlags extends UserFlags {
  readonly name?: string;
  readonly may: readonly Right[];
  readonly replace?: true;
  /** False with --no-password. */
  readonly password: boolean;
}

/** Adds `rgs-wallet admin-user`. */
export function addAdminUser(program: Command): void {
  const command = program
    .command('admin-user')
    .summary('who may see the operations page of serve')
    .description('Writes the file of --admin-users of rgs-wallet serve.');
  const add = command
    .command('add')
    .summary('add a person')
    .description(
      'Adds a person to the file, or makes the file. The password is asked for at a terminal, or is the first line of stdin; the file keeps it as scrypt.',
    );
  addUserFlags(add)
    .option('--name <name>', "the person's name for others to read", personName)
    .requiredOption('--may <rights>', `what the person may do, of ${rights.join(',')}`, rightsOf)
    .option('--replace', 'replace the person of this id')
    .option('--no-password', 'the person signs in at the proxy of --admin-proxy-header')
    .action((flags: AddFlags) => addUser(flags));
  const remove = command
    .command('remove')
    .summary('take all rights from a person')
    .description(
      'Takes all rights and the password from a person. The entry stays in the file: it says who removed the person, when and why.',
    );
  addUserFlags(remove).action((flags: UserFlags) => removeUser(flags));
}

/** Adds {@link UserFlags}. */
function addUserFlags(command: Command): Command {
  return addActFlags(
    command
      .requiredOption('--file <file>', 'the file; serve reads it at its start')
      .requiredOption('--id <id>', 'name to sign in with, and in the audit trail', userId),
  ).addOption(jsonFlag());
}

async function addUser(flags: AddFlags): Promise<void> {
  const { file, id, name, may, replace, password, json } = flags;
  const users = existsSync(file) ? readUsers(file) : new Map<string, AdminUser>();
  if (users.has(id) && replace !== true) {
    throw new CommandFailure(`${file}: this person exists already; --replace changes the entry`);
  }
  const set = setBy(flags, may);
  const twin = spelledLike(users, id);
  if (twin !== undefined) {
    throw new CommandFailure(`${file}: this id is another spelling of ${twin.id}, who is there`);
  }
  const kept = password
    ? { password: await hashPassword(await readNewPassword(), systemRandom) }
    : {};
  const user: AdminUser = { id, name: name ?? null, may, set, ...kept };
  write(file, [...others(users, id), user]);
  if (json) printJson({ file, id, name: user.name, may, replaced: users.has(id) });
  else print(`${file} has ${id}: ${may.join(', ')}. Restart serve to use it.`);
}

function removeUser(flags: UserFlags): void {
  const { file, id, json } = flags;
  const users = readUsers(file);
  const user = users.get(id);
  if (user === undefined) throw new CommandFailure(`${file}: there is no ${id}`);
  write(file, [...others(users, id), { id, name: user.name, may: [], set: setBy(flags, []) }]);
  if (json) printJson({ file, id, name: user.name, may: [], replaced: true });
  else print(`${file} has ${id} without rights. Restart serve to use it.`);
}

function others(users: ReadonlyMap<string, AdminUser>, id: string): AdminUser[] {
  return [...users.values()].filter((one) => one.id !== id);
}

/** Who says that the person may do this, now. */
function setBy(flags: ActFlags, may: readonly Right[]): RightsSet {
  const { by, reason = null } = actOf(flags);
  const set = { at: timeText(systemClock.now()), by: by.id, reason, may };
  checkSet(set);
  return set;
}

/** The whole file or none of it, for its owner alone. */
function write(file: string, users: readonly AdminUser[]): void {
  const beside = `${file}.${process.pid}.new`;
  try {
    writeFileSync(beside, `${JSON.stringify(users, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new CommandFailure(`${file} cannot be written: ${messageOf(error)}`);
  }
}

function userId(text: string): string {
  if (isUserId(text)) return text;
  throw new InvalidArgumentError(`It ${userIdRule}.`);
}

function personName(text: string): string {
  if (isUserName(text)) return text;
  throw new InvalidArgumentError(`It ${userNameRule}.`);
}

function rightsOf(text: string): Right[] {
  const given = [...new Set(text.split(',').map((one) => one.trim()))];
  if (given.every(isRight)) return given;
  throw new InvalidArgumentError(`It must be a list of ${rights.join(', ')}.`);
}

const minCharacters = 12;
const maxCharacters = 256;

/**
 * A new password: typed twice at a terminal, which shows nothing of it, else the first line of stdin.
 * @throws CommandFailure for one that is too short or too long, or typed differently.
 */
async function readNewPassword(): Promise<string> {
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
