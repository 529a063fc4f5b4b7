import {
  count,
  counted,
  type Html,
  html,
  id,
  money,
  stackedTable,
  type TableRow,
  verdict,
} from '../../../platform/html';
import type { Person } from '../configuration/person';
import type { AttentionView } from '../view/waiting/attention';
import type { RepairRow, RepairsView } from '../view/repairs';
import { inZone, type PageBody, type Reader } from './layout';
import { linkTo, nextLink, operatorLinks, playerLink, roundLink } from './links';
import { rowsOf, unlessWhole } from './waiting';
import { amountsOf, repairBadge, repairWord, said, shortNameOf } from './words';

/** The proposals that wait for a person, each with the round where it is decided. */
export function proposalsPage(
  view: AttentionView,
  { person, times }: Reader & { readonly person: Person },
): PageBody {
  const { next } = view;
  return {
    title: 'Repairs',
    body: html`${view.isLate ? null : proposalsVerdict(view, person)}${unlessWhole(view, times)}${view.fitting === 0 && view.isWhole ? null : rowsOf(view, person, 'No repair waits for approval.')}${nextLink(next === null ? null : linkTo('repairs', { after: next }), 'Next page')}`,
  };
}

/** How many proposals wait, and whether this person can decide them. */
function proposalsVerdict({ fitting, isWhole }: AttentionView, { may }: Person): Html {
  const end = html`<a href="repair-log">All repairs</a>`;
  if (fitting === 0) {
    const title = isWhole
      ? 'No repair waits for approval'
      : 'No repair that was listed waits for approval';
    const text = 'What was decided is in the list of all repairs.';
    return verdict({ tone: isWhole ? 'good' : 'warn', title, text, end });
  }
  const title = `${isWhole ? '' : 'At least '}${counted(fitting, 'repair')} ${fitting === 1 ? 'waits' : 'wait'} for approval`;
  const who = may.includes('approve')
    ? 'You can decide those that another person proposed.'
    : 'That needs a person with the right approve.';
  const text = `${who} Each is decided on the page of its round, which shows what it moves and why.`;
  return verdict({ tone: 'warn', title, text, end });
}

/** Every repair of an operator, with its outcome; null where the store does not list them. */
export function repairLogPage(
  view: RepairsView | null,
  operators: readonly string[],
  reader: Reader,
): PageBody {
  const title = 'All repairs';
  if (view === null) {
    const text = 'Each is on the page of its round.';
    return {
      title,
      body: verdict({ tone: 'note', title: 'This store does not list repairs', text }),
    };
  }
  const { operatorId, repairs, next } = view;
  const proposed = inZone('proposed', reader);
  const older = next === null ? null : linkTo('repair-log', { operator: operatorId, from: next });
  return {
    title,
    below:
      'Every repair that was ever proposed, the latest first, with who proposed it, who decided it and why.',
    body: html`${logVerdict(view, reader)}${operatorLinks('repair-log', operatorId, operators)}${
      repairs.length === 0
        ? null
        : stackedTable(
            'All repairs, the latest proposal first',
            ['round', 'player', 'repair', '#amount', '=outcome', proposed, 'decided', '=why'],
            repairs.map((row) => repairRow(row, reader)),
            null,
          )
    }${nextLink(older, 'Older repairs')}`,
  };
}

/** The outcomes of the repairs on the page, the money that was given by them, and whether one is to be decided. */
function logVerdict({ repairs, given, next }: RepairsView, { times }: Reader): Html {
  const end = html`<a href="repairs">Those that wait for approval</a>`;
  const [newest, oldest] = [repairs[0], repairs.at(-1)];
  if (newest === undefined || oldest === undefined) {
    const text = 'A round that waits for a person has on its page what can be proposed.';
    return verdict({ tone: 'note', title: 'No repair was proposed', text, end });
  }
  const statuses = new Map<RepairRow['status'], number>();
  for (const { status } of repairs) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const outcomes = [...statuses].map(([status, number]) => {
    const word = repairWord(status);
    return `${count(number)} ${number === 1 ? word : word.replace('waits', 'wait')}`;
  });
  const sums = Object.entries(given).filter(([, sum]) => sum !== '0');
  const gave = sums.length === 0 ? null : html` Those that were made gave ${amountsOf(sums)}.`;
  return verdict({
    tone: statuses.has('proposed') ? 'warn' : 'note',
    title: `${counted(repairs.length, 'repair')}${next === null ? '' : ' on this page'}: ${outcomes.join(', ')}`,
    text: html`Proposed from ${times.time(oldest.proposedAt)} to ${times.time(newest.proposedAt)}.${gave}`,
    end,
  });
}

function repairRow(row: RepairRow, { times }: Reader): TableRow {
  const { proposedAt, proposedBy, kind, amount, currency, status, decidedAt, decidedBy } = row;
  const { reason, note, reference } = row;
  const settled = reference === undefined ? null : html` (settled as ${id(reference)})`;
  const decided: Html | null =
    decidedAt === undefined || decidedBy === undefined
      ? null
      : html`${times.time(decidedAt)} <small>${shortNameOf(decidedBy)}</small>`;
  return [
    roundLink(row),
    playerLink(row),
    kind,
    money(amount, currency ?? ''),
    repairBadge(status),
    html`${times.time(proposedAt)} <small>${shortNameOf(proposedBy)}</small>`,
    decided,
    html`${said(reason)}${settled}${note === undefined ? null : html`; ${said(note)}`}`,
  ];
}
