import { type Html, html } from '../../../platform/html';

/** What a form did, in our own words: a link could carry any other text. */
export function noticeOf(fields: URLSearchParams): Html | null {
  const text = notices.get(fields.get('did') ?? '');
  return text === undefined ? null : html`<p class="notice good" role="status">${text}</p>`;
}

const notices: ReadonlyMap<string, string> = new Map([
  ['blocked', 'Done: the player is blocked.'],
  ['unblocked', 'Done: the player is not blocked any more.'],
  ['limit-set', 'Done: the limit counts from now on.'],
  ['limit-lifted', 'Done: the limit is lifted.'],
  ['proposed', 'Proposed. Nothing has moved: a person must approve it.'],
  ['made', 'Approved: the repair is made.'],
  ['made-before', 'The repair was made before: nothing moved again.'],
  ['rejected', 'Rejected. Nothing has moved.'],
  ['none-before', 'This is the oldest round of the player that is stored.'],
  ['none-after', 'This is the newest round of the player.'],
  ['zone', 'Kept: times are in this zone.'],
]);
