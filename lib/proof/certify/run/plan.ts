import { type Case, groups } from '../cases';
import type { CertificationOptions } from './options';

/** What of the cases is to be played. */
type Selection = Pick<CertificationOptions, 'only' | 'profile'> & { readonly withLoad: boolean };

/**
 * The cases to play, in order, with what they depend on.
 * @throws TypeError for a name that is neither a group nor a case.
 */
export function planOf(all: readonly Case[], { only, profile, withLoad }: Selection): Case[] {
  const byId = new Map(all.map((one) => [one.id, one]));
  for (const name of only ?? []) {
    if (!byId.has(name) && !groups.some((group) => group === name)) {
      throw new TypeError(`only: there is no group and no case "${name}"`);
    }
  }
  const wanted = new Set<Case>();
  const add = (one: Case): void => {
    if (wanted.has(one)) return;
    wanted.add(one);
    for (const id of one.after ?? []) {
      const below = byId.get(id);
      if (below === undefined) throw new TypeError(`${one.id} depends on ${id}, an unknown case`);
      add(below);
    }
  };
  for (const one of all) {
    const isNamed = only === undefined || only.includes(one.id) || only.includes(one.group);
    const isInProfile = profile !== 'specification' || one.level === 'required';
    const isLoad = one.group === 'load' && !withLoad;
    if (one.group === 'basics' || (isNamed && isInProfile && !isLoad)) add(one);
  }
  return all.filter((one) => wanted.has(one));
}
