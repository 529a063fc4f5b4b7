import { html, type HtmlPart } from '../../../platform/html';
import type { Person } from '../configuration';
import type { AttentionRow, AttentionView } from '../view';
import { ageOf, id, linkTo, type PageBody, playerLink, roundLink, table } from './layout';

/** The proposals that wait for a person, each with the round where it is decided. */
export function proposalsPage(
  { rows, asOf, next, isWhole }: AttentionView,
  person: Person,
): PageBody {
  return {
    title: 'Repairs',
    body: html`<p>Repairs that wait for approval. Each is decided on the page of its round, which shows what it moves and why. <a href="repair-log">All repairs</a> has those that were decided too.</p>
${isWhole ? null : html`<p class="notice bad">The store took too long to list all: there may be more.</p>`}
${table({
  label: 'Repairs that wait for approval',
  columns: ['age', 'repair', '#at stake', 'currency', 'proposed by', 'round', 'player'],
  groups: rows.length === 0 ? [] : [rows.map((row) => rowOf(row, asOf, person))],
  unless: 'No repair waits for approval.',
})}${next === null ? null : html`<p><a href="${linkTo('repairs', { after: next })}">Next page</a></p>`}`,
  };
}

function rowOf(row: AttentionRow, asOf: string, person: Person): readonly HtmlPart[] {
  const { proposal, atStake, currency } = row;
  const by = proposal?.by;
  return [
    proposal === null ? null : ageOf(proposal.at, asOf),
    proposal?.kind,
    atStake ?? 'unknown',
    currency,
    by === undefined ? null : html`${id(by.name ?? by.id)}${by.id === person.id ? ' (you)' : ''}`,
    roundLink(row),
    playerLink(row),
  ];
}
