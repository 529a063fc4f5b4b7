import {
  field,
  hidden,
  type Html,
  html,
  section,
  select,
  table,
  type TableRow,
} from '../../../platform/html';
import { limitKinds, limitWindows } from '../../wallet';
import type { LimitChangeRow, LimitRow } from '../view/limits';
import type { PlayerView } from '../view/player';
import { id, nameOf, timeOf } from './layout';

/** What a limit bounds, in words. */
const kindNames: Readonly<Record<LimitRow['kind'], string>> = {
  stake: 'stakes',
  loss: 'losses',
  deposit: 'deposits',
};

/** What counts, in words. */
const balanceNames: Readonly<Record<LimitRow['counts'], string>> = {
  real: 'the real balance',
  all: 'real and bonus',
};

/** The limits of a player with what is used, who changed them, and the forms for a person who may. */
export function limitsSection(player: PlayerView, mayBlock: boolean): Html {
  return section('limits', 'Limits', html`${content(player, mayBlock)}`);
}

function content(player: PlayerView, mayBlock: boolean): Html {
  const { limits } = player;
  if (limits === null) {
    return html`<p class="dim">This store holds no limits: the platform does, where the money is.</p>`;
  }
  return html`${table(
    'Limits, times in UTC',
    [
      'limit',
      'per',
      'currency',
      '#at most',
      '#used',
      '#remaining',
      'resets, UTC',
      'counts',
      'zone',
    ],
    limits.limits.map(limitRow),
    'The player has no limit.',
  )}
${mayBlock ? html`${setForm(player)}${limits.limits.length === 0 ? null : liftForm(player, limits.limits)}` : null}
${table(
  'Changes of limits, the newest first, times in UTC',
  ['time, UTC', 'limit', 'per', 'currency', '#at most', 'by', 'reason'],
  limits.changes.map(changeRow),
  'No limit was ever set.',
)}`;
}

function limitRow(limit: LimitRow): TableRow {
  const { kind, window, currency, amount, used, remaining, resetsAt, counts, zone } = limit;
  return [
    kindNames[kind],
    window,
    currency,
    amount,
    used,
    remaining,
    timeOf(resetsAt),
    balanceNames[counts],
    zone,
  ];
}

function changeRow(change: LimitChangeRow): TableRow {
  const { at, kind, window, currency, amount, by, reason } = change;
  return [
    timeOf(at),
    kindNames[kind],
    window,
    currency,
    amount ?? 'lifted',
    nameOf(by),
    reason === null ? null : id(reason),
  ];
}

const why: Html = html`required minlength="10" maxlength="500" autocomplete="off"`;
const whyLabel = 'Why, 10 to 500 characters';

function setForm({ operatorId, playerId, accounts }: PlayerView): Html {
  const same = ['', "as the player's others"] as const;
  return html`<form method="post" action="limit" aria-label="Set a limit">
${hidden({ operator: operatorId, player: playerId })}
${select(
  'Limit of',
  'kind',
  limitKinds.map((kind) => [kind, kindNames[kind]] as const),
)}
${select(
  'per',
  'window',
  limitWindows.map((window) => [window, window] as const),
)}
${select(
  'Currency',
  'currency',
  accounts.map(({ currency }) => [currency, currency] as const),
)}
${field('At most, such as 100.00', 'amount', html`required inputmode="decimal" maxlength="40" autocomplete="off"`)}
${field('Time zone, unless the others have one or UTC', 'zone', html`maxlength="64" autocomplete="off" placeholder="Europe/Malta"`)}
${select('Counts', 'counts', [same, ['real', balanceNames.real], ['all', balanceNames.all]])}
${field(whyLabel, 'reason', why)}
<button>Set the limit, at once</button></form>`;
}

function liftForm({ operatorId, playerId }: PlayerView, limits: readonly LimitRow[]): Html {
  const choices = limits.map(({ kind, window, currency, amount }) => {
    const text = `${kindNames[kind]} per ${window}: ${amount} ${currency}`;
    return [`${kind} ${window} ${currency}`, text] as const;
  });
  return html`<form method="post" action="lift-limit" aria-label="Lift a limit">
${hidden({ operator: operatorId, player: playerId })}
${select('Limit to lift', 'limit', choices)}
${field(whyLabel, 'reason', why)}
<button>Lift the limit, at once</button></form>`;
}
