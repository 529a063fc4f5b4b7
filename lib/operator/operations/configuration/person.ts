import type { Actor } from '../../wallet';
import { checkActor } from '../../stores/check-input';

/**
 * What a person may do. `look`: see every page. `propose` and `approve`: repairs, which need two people.
 * `block`: refuse a player's debits, allow them again (D4.9), and set limits (D13). `export`: take lists as files, each of which
 * is kept as an act.
 */
export type Right = (typeof rights)[number];

/** Every {@link Right}. */
export const rights = ['look', 'propose', 'approve', 'block', 'export'] as const;

/** A person who asks for a page: who it is, for the audit trail, and what is allowed. */
export interface Person extends Actor {
  readonly may: readonly Right[];
}

/**
 * What an authorize hook returned, checked: the audit trail must name a person, and a misspelt right must not
 * be ignored.
 * @throws TypeError that names the wrong member.
 */
export function readPerson(value: unknown): Person | null {
  if (value === null) return null;
  if (typeof value !== 'object') throw new TypeError('authorize must return a person or null');
  const { id, name, may } = value as Partial<Record<keyof Person, unknown>>;
  const actor = actorOf(id, name);
  if (!Array.isArray(may) || !may.every(isRight)) {
    throw new TypeError(`authorize: may must be a list of ${rights.join(', ')}`);
  }
  return { ...actor, may: [...may] };
}

/** Checks the id here: the audit trail accepts only this form. */
function actorOf(id: unknown, name: unknown): Actor {
  const actor = { id, name } as Actor;
  try {
    checkActor(actor);
  } catch (error) {
    throw new TypeError(`authorize: ${(error as Error).message}`, { cause: error });
  }
  return actor;
}

/** Whether a text is a right. */
export function isRight(text: unknown): text is Right {
  return rights.some((right) => right === text);
}
