import { isSamePerson } from '../../operator/gameround/repairs/decision';
import { checkAct, isPlainText } from '../../operator/stores/check-input';
import { isIdentifier } from '../../protocol/identifiers';
import type { Person } from '../../operator/operations';
import { CommandFailure, messageOf } from '../terminal/failure';
import { readJsonFile } from '../terminal/read-json-file';

/** A person of the file of users. */
export interface AdminUser extends Person {
  /** As `hashPassword` writes it; absent for a person who signs in at a proxy. */
  readonly password?: string;
  /** Absent where the file was written by hand. */
  readonly set?: RightsSet;
}

/** Who said what a person may do, when (ISO 8601) and why. */
export interface RightsSet {
  readonly at: string;
  readonly by: string;
  readonly reason: string | null;
  /** What was said: a person who may something else was changed by hand since. */
  readonly may: Person['may'];
}

/**
 * The people of a file, by id.
 * @throws CommandFailure that names the place; no password is repeated.
 */
export function readUsers(file: string): ReadonlyMap<string, AdminUser> {
  const users = readJsonFile(file, 'admin-users') as readonly AdminUser[];
  const byId = new Map<string, AdminUser>();
  for (const [index, user] of users.entries()) {
    const where = `${file}: ${index}/id`;
    if (!isUserId(user.id)) throw new CommandFailure(`${where} ${userIdRule}`);
    if (user.name !== null && !isUserName(user.name)) {
      throw new CommandFailure(`${file}: ${index}/name ${userNameRule}`);
    }
    if (user.set !== undefined) checkSet(user.set, `${file}: ${index}/set: `);
    if (byId.has(user.id)) throw new CommandFailure(`${where} is given twice`);
    const twin = spelledLike(byId, user.id);
    if (twin !== undefined) throw new CommandFailure(`${where} is another spelling of ${twin.id}`);
    byId.set(user.id, user);
  }
  return byId;
}

/**
 * Checks it as the list of changes does: what the list refuses would not be listed at all.
 * @throws CommandFailure that begins with `where`.
 */
export function checkSet({ at, by, reason }: RightsSet, where = ''): void {
  if (Number.isNaN(Date.parse(at))) throw new CommandFailure(`${where}at must be a time`);
  try {
    checkAct({ by: { id: by, name: null }, reason }, 1);
  } catch (error) {
    throw new CommandFailure(`${where}${messageOf(error)}`);
  }
}

/** The person with another spelling of this id: both would be one person in the audit trail (D11.2). */
export function spelledLike(
  users: ReadonlyMap<string, AdminUser>,
  id: string,
): AdminUser | undefined {
  return [...users.values()].find((user) => user.id !== id && isSamePerson(user.id, id));
}

/** What an id must be; basic auth ends the id at the first colon. */
export const userIdRule =
  'must be 1 to 128 characters, without a colon, #, control characters or spaces around it';

/** Whether a text can be the id of a person who signs in. */
export function isUserId(text: string): boolean {
  const isReadable = isIdentifier(text) && isPlainText(text, 1, 128);
  return isReadable && !text.includes(':') && text.trim() === text;
}

/** What a name must be, for the audit trail. */
export const userNameRule = 'must be 1 to 128 characters, without control characters';

/** Whether a text can be the name of a person. */
export function isUserName(text: string): boolean {
  return isPlainText(text, 1, 128);
}
