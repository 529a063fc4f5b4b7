import { card, facts, html, id, select, zoneNames } from '../../../platform/html';
import type { Person, Right } from '../configuration/person';
import type { PageBody, Reader } from './layout';

const rightNames: Readonly<Record<Right, string>> = {
  look: 'see every page',
  propose: 'propose repairs',
  approve: 'approve and reject repairs',
  block: 'block players and set limits',
  export: 'take lists as files, which is kept',
};

/** The name under which the zone is kept: of the cookie, and of the field. */
export const zoneName = 'zone';

/** Who the reader is here, and the zone of the times. */
export function personPage({ id: personId, name, may }: Person, { times }: Reader): PageBody {
  const choices = zoneNames.map((zone) => [zone, zone] as const);
  return {
    title: 'You',
    below: 'The platform signed you in; it decides what you may do.',
    body: html`${card(
      facts([
        ['name', name === null ? 'none' : id(name)],
        ['id', id(personId)],
        ['may', may.map((right) => rightNames[right]).join(', ')],
      ]),
    )}
<form method="post" action="zone" class="card">${select('Times are in', zoneName, choices, times.zone)}<button class="main">Keep</button></form>
<p class="dim">The zone is kept in a cookie of these pages. JSON and CSV are always in UTC.</p>`,
  };
}
