import {
  ageOf,
  counted,
  type Html,
  html,
  type HtmlPart,
  id,
  money,
  part,
  stackedTable,
  type Tile,
  tiles,
  verdict,
} from '../../../../platform/html';
import type { RoundJson } from '../../../wallet';
import type { RoundPageView } from '../../view/rounds/list';
import type { PageBody } from '../layout';
import { linkTo, playerLink, roundHref } from '../links';
import { eachGiven, purse, stateBadge } from '../words';
import { lanes } from './lanes';
import { type RepairContext, repairsOfRound, repairsOnPaper, wayOn } from './repairs';
import { roundVerdict } from './sentences';

/** What the reader may do and asked for. */
interface RoundContext extends RepairContext {
  /** Whether the store can list rounds, and so lead to those before and after. */
  readonly hasHistory: boolean;
  /** The first block of the part of a long round that is shown; null for the first and the last ones. */
  readonly firstCall: number | null;
  /** Whether it is for paper: every call, and nothing that only a screen can do. */
  readonly isPrint: boolean;
}

/** A round: was the win paid, and if not, why. */
export function roundPage(view: RoundPageView, context: RoundContext): PageBody {
  const { round, unpaid } = view;
  const { gameRound, gameCode, stateSince, transactions } = round;
  const { times, asOf } = context.reader;
  const opened = transactions[0]?.at;
  const about: readonly HtmlPart[] = [
    ...(view.isRepaired ? [stateBadge('repaired')] : []),
    gameCode === null ? 'no game' : id(gameCode),
    ...(opened === undefined ? [] : [html`opened ${times.day(opened)}`]),
    html`of the operator ${id(round.operatorId)}`,
  ];
  const since = html`<span class="nw" title="since ${stateSince}">for ${ageOf(stateSince, asOf)}</span>`;
  const open = transactions.filter(({ hash }) => unpaid.includes(hash));
  const { isPrint } = context;
  const way = isPrint ? null : wayOn(round, context);
  const end = way === null ? since : html`${way} · ${since}`;
  const repairs = isPrint ? repairsOnPaper(round, context) : repairsOfRound(round, context);
  const happened = part(
    'lanes',
    'What happened',
    html`<small>one block is one call</small>`,
    lanes(round, context.reader, isPrint ? 'all' : (context.firstCall ?? 'ends')),
  );
  return {
    title: `Round ${gameRound}`,
    heading: html`Round <bdi>${gameRound}</bdi>`,
    crumb: html`<a href="waiting">Waiting</a> / ${playerLink(round)} / round`,
    tools: isPrint
      ? null
      : html`${context.hasHistory ? besideLinks(round) : null}${printLink(round)}`,
    below: about.map((one, at) => html`${at === 0 ? '' : ' · '}${one}`),
    body: html`${verdict({ ...roundVerdict(round, open), end })}${tiles(tilesOf(view))}
${repairs === null || isPrint ? html`${happened}${repairs}` : html`<div class="grid"><div class="c8">${happened}</div><div class="c4">${repairs}</div></div>`}
${pendingOf(round, context)}
${isPrint ? paperNote(round, context) : part('record', 'Record', null, recordOf(round))}`,
  };
}

/** Most characters of a record on the page. */
const longestRecord = 10_000;

/** The round as the store has it; of a long one the link to it. */
function recordOf(round: RoundJson): Html {
  const text = JSON.stringify(round, null, 2);
  if (text.length > longestRecord) {
    const { operatorId: operator, playerId: player, gameRound } = round;
    const link = linkTo('round.json', { operator, player, round: gameRound });
    return html`<p class="card"><a href="${link}">The whole round, as the store has it</a>, as JSON</p>`;
  }
  return html`<details class="card"><summary>The whole round, as the store has it</summary><pre tabindex="0">${text}</pre></details>`;
}

/** The page for a file of complaints: one A4 page of a usual round, and every call of a long one. */
function printLink(round: RoundJson): Html {
  return html`<a class="btn noprint" href="${`${roundHref(round)}&print=1`}">Print view</a>`;
}

/** Who took it, and from where: paper has no address. */
function paperNote(round: RoundJson, { person, reader }: RoundContext): Html {
  const { times, asOf } = reader;
  return html`<p class="dim"><small>Every call that the wallet has of this round, as of ${times.time(asOf)}, ${times.zone}, taken by ${id(person.name ?? person.id)}. Round <bdi>${round.gameRound}</bdi> of the player <bdi>${round.playerId}</bdi>, operator <bdi>${round.operatorId}</bdi>.</small></p><p class="noprint dim">The print of your browser makes a page of A4 of it, or several of a long round. <a href="${roundHref(round)}">Back to the round</a></p>`;
}

/** Links along the player's rounds. Where they lead is looked for when they are followed: the page costs nothing more. */
function besideLinks({ operatorId, playerId, gameRound }: RoundJson): Html {
  const query = { operator: operatorId, player: playerId, round: gameRound };
  const link = (side: 'before' | 'after', name: string): Html =>
    html`<a class="btn noprint" href="${linkTo('beside', { ...query, side })}">${name}</a>`;
  return html`${link('before', '‹ Before')}${link('after', 'After ›')}`;
}

function tilesOf({ round, unpaidSums, unpaid, result }: RoundPageView): Tile[] {
  const { currency, transactions, repairs = [], declined } = round;
  const own = currency ?? '';
  const accepted = (type: string) =>
    transactions.filter((one) => one.type === type && one.outcome === 'accepted').length;
  const paid = repairs.filter(({ kind, status }) => kind === 'pay' && status === 'done').length;
  const before =
    declined === null ? null : html` · later wins are declined because of ${id(declined)}`;
  const [gave, ...gaveOthers] = eachGiven(round);
  const [owed = '0', ...owedOthers] = Object.entries(unpaidSums).map(([name, sum]) =>
    money(sum, name),
  );
  const isPaid = unpaid.length === 0;
  return [
    {
      name: 'Taken',
      value: purse(round.debits, own),
      below: html`${counted(accepted('debit'), 'bet')}${before}`,
    },
    {
      name: 'Given, with repairs',
      value: gave,
      below: html`${besides(gaveOthers)}${counted(accepted('credit'), 'win')}, ${paid === 0 ? 'no repair' : counted(paid, 'repair')}`,
    },
    {
      name: 'Not paid',
      value: owed,
      below: html`${besides(owedOthers)}${isPaid ? 'no win is owed' : `${counted(unpaid.length, 'win')} refused for good`}`,
      isAlarm: !isPaid,
    },
    {
      name: 'Result for the player',
      value: money(result, own, 'always'),
      below: `given less taken${gaveOthers.length === 0 ? '' : ', without other currencies'}`,
    },
  ];
}

/** Most pending postings on the page. */
const mostPending = 20;

/** The amounts of other currencies, before what else is said. */
function besides(others: readonly Html[]): Html[] {
  return others.map((one) => html`${one} · `);
}

function pendingOf({ pending }: RoundJson, { reader }: RepairContext): Html | null {
  if (pending === null) return null;
  const { since, posts, reversals } = pending;
  const rows = [
    ...posts.map((hash) => ['to post', hash] as const),
    ...reversals.map((hash) => ['to reverse', hash] as const),
  ];
  const shown = rows.slice(0, mostPending).map(([what, hash]) => [what, id(hash)]);
  const more = rows.length - shown.length;
  const rest =
    more === 0
      ? null
      : html`<p class="dim">${counted(more, 'more posting')} ${more === 1 ? 'is' : 'are'} in the JSON of this page.</p>`;
  const name = "Pending at the platform's ledger";
  return part(
    'pending',
    name,
    html`<small>since ${reader.times.time(since)}; the sweeper tries it again</small>`,
    html`${stackedTable(name, ['what', 'hash'], shown, 'Nothing.')}${rest}`,
  );
}
