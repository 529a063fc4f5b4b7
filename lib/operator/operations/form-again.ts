import { field, hidden, type Html, html } from '../../platform/html';
import { playerHref, reasonLabel, roundHref } from './page/links';

/** A form that was refused. */
export interface RefusedForm {
  /** The name of its page. */
  readonly path: string;
  readonly isPost: boolean;
  readonly fields: URLSearchParams;
  /** The field that is wrong; null where the error names no single one. */
  readonly wrong: string | null;
  readonly message: string;
}

const typedOfRounds = ['from', 'to', 'game', 'min'];

/** The fields of each form in which a person types. */
const typedIn: ReadonlyMap<string, readonly string[]> = new Map([
  ['waiting', ['game', 'currency', 'min', 'hours']],
  ['player', typedOfRounds],
  ['history', ['player', ...typedOfRounds]],
  ['changes', ['person', 'player', 'from', 'to']],
  ['money', ['day']],
  ['propose', ['hash', 'reference', 'reason']],
  ['reject', ['reason']],
  ['block', ['until', 'reason']],
  ['limit', ['amount', 'zone', 'reason']],
  ['lift-limit', ['reason']],
]);

const labels: Readonly<Record<string, string>> = {
  amount: 'Amount',
  currency: 'Currency',
  day: 'Day',
  from: 'From',
  game: 'Game',
  hash: 'Hash, if several fit',
  hours: 'Waits for hours',
  min: 'Amount at least',
  person: 'Person',
  player: 'Player',
  reason: reasonLabel,
  reference: 'Settled as, for resolve',
  to: 'to',
  until: 'Until',
  zone: 'Time zone',
};

/** Where a list was, and how often it was loaded: a filter begins anew. */
const places = ['after', 'cash', 'rounds', 'live', 'until'];

/** The form again with all that was typed, the error next to its field, and from one that writes the way back. */
export function formAgain({ path, isPost, fields, wrong, message }: RefusedForm): Html {
  const typed = typedIn.get(path);
  const back = isPost || path === 'round' ? wayBack(path, fields) : null;
  if (typed === undefined || (!isPost && fields.size === 0)) return html`${back}`;
  const isShown = (name: string): boolean => name === wrong || typed.includes(name);
  const sent = [...new Map(fields)].filter(([name]) => isPost || !places.includes(name));
  const kept = Object.fromEntries(sent.filter(([name]) => !isShown(name)));
  const names = new Set(sent.map(([name]) => name).filter(isShown));
  if (wrong !== null && wrong in labels) names.add(wrong);
  const shown = [...names].map((name) =>
    fieldAgain(name, fields.get(name) ?? '', name === wrong ? message : null),
  );
  const [method, button] = isPost ? ['post', 'Send again'] : ['get', 'Show'];
  return html`<form method="${method}" action="${path}" class="card">${hidden(kept)}${shown}<button class="main">${button}</button></form>${back}`;
}

function fieldAgain(name: string, value: string, error: string | null): Html {
  const given = html`value="${value}" autocomplete="off"`;
  const label = labels[name] ?? name;
  if (error === null) return field(label, name, given);
  const marked = html`${given} aria-invalid="true" aria-describedby="wrong"`;
  return html`<div>${field(label, name, marked)}<small id="wrong">${error}</small></div>`;
}

/** The link to whom or what it was about; from a round that is not there to its player. */
function wayBack(path: string, fields: URLSearchParams): Html | null {
  const [operatorId = '', playerId = '', gameRound = ''] = ['operator', 'player', 'round'].map(
    (name) => fields.get(name) ?? '',
  );
  if (playerId === '') return null;
  const [to, name] =
    gameRound === '' || path === 'round'
      ? [playerHref({ operatorId, playerId }), 'player']
      : [roundHref({ operatorId, playerId, gameRound }), 'round'];
  return html`<p><a href="${to}">Back to the ${name}</a></p>`;
}
