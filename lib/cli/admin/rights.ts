import { createHash } from 'node:crypto';
import type { ActList, Actor, RightsAct, WalletStore } from '../../operator/wallet';
import type { Clock, Logger } from '../../platform';
import type { AdminUser, RightsSet } from './users';

/** Where changes of rights are noted. */
export interface RightsParts {
  readonly store: Pick<WalletStore, 'acts'>;
  readonly operators: readonly string[];
  readonly log: Logger;
  readonly clock: Pick<Clock, 'now' | 'pause'>;
}

/** Acts that one read asks for. */
const pageSize = 200;

/** The ids of acts that were found in a file begin with it: who has other sign-ins notes theirs without it. */
const idStart = 'users-';

/** Processes that start within it with the same file list a change once: it is at the minute. */
const minuteMs = 60_000;

const byHand = 'the file of users does not say who did it';

/**
 * Notes what the people of a file may do from now on, where it is not what was noted last. It never throws: after the first try,
 * what the store did not take is tried again every minute until it is noted, or the signal aborts.
 */
export async function noteRights(
  users: ReadonlyMap<string, AdminUser>,
  parts: RightsParts,
  stopped: AbortSignal,
): Promise<void> {
  if (!(await areNoted(users, parts))) void noteLater(users, parts, stopped);
}

async function noteLater(...[users, parts, stopped]: Parameters<typeof noteRights>): Promise<void> {
  do {
    await parts.clock.pause(minuteMs, stopped, 'background');
  } while (!stopped.aborted && !(await areNoted(users, parts)));
}

/** Notes what has changed; resolves to whether the store has all of it. */
async function areNoted(
  users: ReadonlyMap<string, AdminUser>,
  { store, operators, log, clock }: RightsParts,
): Promise<boolean> {
  const { acts } = store;
  if (acts === undefined) return true;
  let isDone = true;
  for (const operatorId of operators) {
    try {
      const last = await lastNoted(acts, operatorId);
      const now = clock.now();
      for (const act of changesOf({ operatorId, now }, users, last)) {
        known(await acts.note(act));
      }
    } catch (error) {
      isDone = false;
      const { message: reason } = error as Error;
      log.warn({ operatorId, reason }, 'rights cannot be noted: tried again in a minute');
    }
  }
  return isDone;
}

/** What was noted last of each person of such a file. */
async function lastNoted(
  acts: ActList,
  operatorId: string,
): Promise<ReadonlyMap<string, RightsAct>> {
  const last = new Map<string, RightsAct>();
  for (let cursor: string | null = null; ; ) {
    const place: { readonly cursor?: string } = cursor === null ? {} : { cursor };
    const asked = { kind: 'rights', limit: pageSize, ...place } as const;
    const page = known(await acts.list(operatorId, asked));
    for (const act of page.acts) {
      if (act.type !== 'rights' || !act.id.startsWith(idStart)) continue;
      if (!last.has(act.person.id)) last.set(act.person.id, act);
    }
    cursor = page.next;
    if (cursor === null) return last;
  }
}

/** @throws Error with the cause of what is unknown. */
function known<T extends { readonly kind: string }>(
  answer: T | { readonly kind: 'unknown'; readonly cause: Error },
): Exclude<T, { readonly kind: 'unknown' }> {
  if ('cause' in answer) throw answer.cause;
  return answer as Exclude<T, { readonly kind: 'unknown' }>;
}

function changesOf(
  { operatorId, now }: { readonly operatorId: string; readonly now: number },
  users: ReadonlyMap<string, AdminUser>,
  last: ReadonlyMap<string, RightsAct>,
): readonly RightsAct[] {
  const gone = [...last.values()].filter(({ person }) => !users.has(person.id));
  const removed = gone.map(({ person }): AdminUser => ({ ...person, may: [] }));
  return [...users.values(), ...removed].flatMap(({ id, name, may, set }) => {
    const before = last.get(id);
    if (nameOf(may) === nameOf(before?.may ?? [])) return [];
    const earliest = (before?.at ?? -1) + 1;
    const at = Math.max(now - (now % minuteMs), earliest);
    const said = set !== undefined && isOf(set, { may, earliest }) ? set : null;
    const by: Actor = { id: said?.by ?? 'unknown', name: null };
    const reason = said === null ? byHand : said.reason;
    const content = { person: { id, name }, may: [...may], before: before?.may ?? null };
    const found = JSON.stringify([id, nameOf(may)]);
    const digest = createHash('sha256').update(found).digest('base64url').slice(0, 22);
    const key = { operatorId, playerId: null, type: 'rights', id: `${idStart}${digest}` } as const;
    return [{ ...key, at, by, reason, ...content }];
  });
}

/** Whether it says these rights, and not before others were noted: a file that was changed by hand, or an older one, does not. */
function isOf(set: RightsSet, now: { may: readonly string[]; earliest: number }): boolean {
  return nameOf(set.may) === nameOf(now.may) && Date.parse(set.at) >= now.earliest;
}

function nameOf(may: readonly string[]): string {
  return may.toSorted().join(' ');
}
