import {
  card,
  facts,
  type Html,
  html,
  id,
  select,
  verdict,
  zoneNames,
} from '../../../platform/html';
import { type Person, type Right, rights } from '../configuration/person';
import type { PageBody, Reader } from './layout';

const rightNames: Readonly<Record<Right, string>> = {
  look: 'see every page',
  propose: 'propose repairs',
  approve: 'approve and reject repairs',
  block: 'block players and set limits',
  export: 'take lists as files (each file is listed in Changes)',
};

/** The name under which the zone is kept: of the cookie, and of the field. */
export const zoneName = 'zone';

/** What the reader may do, and what not, with the right that each needs. */
function mayVerdict(may: readonly Right[]): Html {
  const granted = rights.filter((right) => may.includes(right));
  const refused = rights.filter((right) => !may.includes(right));
  if (refused.length === 0) {
    const text = 'Whatever these pages can do. Another person must still approve what you propose.';
    return verdict({ tone: 'good', title: 'You may do everything here', text });
  }
  const text = `You may not ${refused.map((right) => `${rightNames[right]} (right ${right})`).join(', ')}.`;
  const title = `You may ${granted.map((right) => rightNames[right]).join(', ')}`;
  return verdict({ tone: 'note', title, text });
}

/**
 * Who the reader is here, and the zone of the times.
 * @param signOut Where people sign out; null where that is not known.
 */
export function personPage(
  { id: personId, name, may }: Person,
  signOut: string | null,
  { times }: Reader,
): PageBody {
  const choices = zoneNames.map((zone) => [zone, zone] as const);
  return {
    title: 'You',
    below: 'The platform signed you in; it decides what you may do.',
    tools: signOut === null ? null : html`<a class="btn" href="${signOut}">Sign out</a>`,
    body: html`${mayVerdict(may)}${card(
      facts([
        ['name', name === null ? 'none' : id(name)],
        ['id', id(personId)],
      ]),
    )}
<form method="post" action="zone" class="card">${select('Times are in', zoneName, choices, times.zone)}<button class="main">Keep</button></form>
<p class="dim">The zone is kept in a cookie of these pages. JSON and CSV are always in UTC.</p>`,
  };
}
