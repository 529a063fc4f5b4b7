import {
  amountText,
  field,
  folded,
  hidden,
  type Html,
  html,
  money,
  part,
  select,
  stackedTable,
  type TableRow,
} from '../../../../platform/html';
import { limitKinds, limitWindows } from '../../../wallet';
import type { LimitChangeRow, LimitRow, LimitsView } from '../../view/players/limits';
import type { PlayerView } from '../../view/players/player';
import { inZone, type Reader } from '../layout';
import { reasonAttributes, reasonLabel } from '../links';
import { nameOf, said } from '../words';

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

interface LimitsContext extends Reader {
  readonly mayBlock: boolean;
}

/** The limits of a player with what is used, who changed them, and the forms for a person who may. */
export function limitsSection(player: PlayerView, context: LimitsContext): Html {
  return part('limits', 'Limits', null, content(player, context));
}

function content(player: PlayerView, { mayBlock, ...reader }: LimitsContext): Html {
  const { limits } = player;
  if (limits === null) {
    return html`<p class="dim">This store holds no limits: the platform does, where the money is.</p>`;
  }
  const lift =
    limits.limits.length === 0 ? null : folded('Lift a limit', liftForm(player, limits.limits));
  const forms = html`${folded('Set a limit', setForm(player))}${lift}`;
  const resets = inZone('resets', reader);
  const drawn = stackedTable(
    'Limits',
    ['limit', 'per', '#at most', '#used', '#remaining', resets, 'counts', 'zone'],
    limits.limits.map((row) => limitRow(row, reader)),
    limits.changes.length === 0 ? 'No limit was ever set.' : 'The player has no limit now.',
  );
  return html`${drawn}
${mayBlock ? forms : null}
${limits.changes.length === 0 ? null : changesOf(limits, reader)}`;
}

function changesOf({ changes }: LimitsView, reader: Reader): Html {
  return html`<h3>Changes of limits</h3>
${stackedTable(
  'Changes of limits, the newest first',
  [inZone('time', reader), 'limit', 'per', '#at most', 'by', '=reason'],
  changes.map((row) => changeRow(row, reader)),
  null,
  [],
  'pairs',
)}`;
}

function limitRow(limit: LimitRow, { times }: Reader): TableRow {
  const { kind, window, currency, amount, used, remaining, resetsAt, counts, zone, isBound } =
    limit;
  return [
    kindNames[kind],
    window,
    money(amount, currency),
    isBound
      ? html`<small>at most</small> ${amountText(used, currency)}`
      : amountText(used, currency),
    amountText(remaining, currency),
    times.time(resetsAt),
    balanceNames[counts],
    zone,
  ];
}

function changeRow(change: LimitChangeRow, { times }: Reader): TableRow {
  const { at, kind, window, currency, amount, by, reason } = change;
  return [
    times.time(at),
    kindNames[kind],
    window,
    amount === null ? html`lifted <small>${currency}</small>` : money(amount, currency),
    nameOf(by),
    reason === null ? null : said(reason),
  ];
}

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
${field(reasonLabel, 'reason', reasonAttributes)}
<button>Set the limit, at once</button></form>`;
}

function liftForm({ operatorId, playerId }: PlayerView, limits: readonly LimitRow[]): Html {
  const choices = limits.map(({ kind, window, currency, amount }) => {
    const text = `${kindNames[kind]} per ${window}: ${amountText(amount, currency)} ${currency}`;
    return [`${kind} ${window} ${currency}`, text] as const;
  });
  return html`<form method="post" action="lift-limit" aria-label="Lift a limit">
${hidden({ operator: operatorId, player: playerId })}
${select('Limit to lift', 'limit', choices)}
${field(reasonLabel, 'reason', reasonAttributes)}
<button>Lift the limit, at once</button></form>`;
}
