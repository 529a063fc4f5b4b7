import { type Html, html, timesIn } from '../../platform/html';
import { StoreUnavailableError } from '../wallet';
import type { Answer, PageRequest, Route } from './request';
import { approve, propose, reject } from './actions';
import { exportChanges } from './changes-export';
import { changesPage } from './page/changes';
import { linkTo, roundHref } from './page/layout';
import { notFoundPage, searchPage } from './page/search';
import { openRoundsPage, startPage, type StartView } from './page/start';
import { pendingPage } from './page/pending';
import { block, liftLimit, setLimit } from './player-actions';
import { playerPage } from './page/player';
import { proposalsPage, repairLogPage } from './page/repairs';
import { reconciliationPage } from './page/reconciliation';
import { roundPage } from './page/round';
import { findRound, type SearchView, viewRound } from './view/rounds';
import { filterIn } from './view/rounds-filter';
import { changesFilterIn, viewChanges } from './view/changes';
import { hashOf, playerOf, RequestFault, roundOf } from './view/request';
import type { Listed } from './view/query-store';
import { viewAttention, viewOpenRounds } from './view/attention';
import { viewConsumers, viewMoney } from './view/health';
import { viewPending } from './view/pending';
import { viewPlayer } from './view/player';
import { viewReconciliation } from './view/reconciliation';
import { viewRepairs } from './view/repairs';

/** The pages and the forms, by name. */
export const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['', { isPost: false, answer: start }],
  ['attention', { isPost: false, answer: start }],
  ['open', { isPost: false, answer: open }],
  ['pending', { isPost: false, answer: pending }],
  ['search', { isPost: false, answer: search }],
  ['player', { isPost: false, answer: player }],
  ['round', { isPost: false, answer: round }],
  ['repairs', { isPost: false, answer: repairs }],
  ['repair-log', { isPost: false, answer: repairLog }],
  ['changes', { isPost: false, answer: changes }],
  ['changes.csv', { isPost: false, answer: (request) => exported(request, 'csv') }],
  ['changes.jsonl', { isPost: false, answer: (request) => exported(request, 'jsonl') }],
  ['reconciliation', { isPost: false, answer: reconciliation }],
  ['propose', { isPost: true, rights: ['propose'], answer: propose }],
  ['approve', { isPost: true, rights: ['approve'], answer: approve }],
  ['reject', { isPost: true, rights: ['propose', 'approve'], answer: reject }],
  ['block', { isPost: true, rights: ['block'], answer: block }],
  ['limit', { isPost: true, rights: ['block'], answer: setLimit }],
  ['lift-limit', { isPost: true, rights: ['block'], answer: liftLimit }],
]);

/** The start page is shown even if the store does not answer, and says so. */
async function start(request: PageRequest): Promise<Answer> {
  const { person, openHours } = request;
  const [money, attention, openRounds, pendingRounds, events] = await Promise.all([
    viewMoney(request),
    viewAttention(request, request.fields.get('after')).catch(unlessUnavailable(null)),
    listed(viewOpenRounds(request, null)),
    listed(viewPending(request)),
    listed(viewConsumers(request)),
  ]);
  const json: StartView = { money, attention, openRounds, pending: pendingRounds, events };
  const status = attention === null ? 503 : 200;
  const page = () => startPage(json, { person, openHours });
  return { kind: 'page', status, here: './', json, page };
}

function listed<T>(work: Promise<T | null>): Promise<Listed<T>> {
  return work.then((found) => found ?? 'missing').catch(unlessUnavailable('unavailable'));
}

function unlessUnavailable<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof StoreUnavailableError) return instead;
    throw error;
  };
}

/** The rounds without an end. */
async function open(request: PageRequest): Promise<Answer> {
  const json = await viewOpenRounds(request, request.fields.get('after'));
  const page = () => openRoundsPage(json, request.openHours);
  return { kind: 'page', status: 200, here: null, json: json ?? { missing: true }, page };
}

/** The rounds with work pending at the ledger. */
async function pending(request: PageRequest): Promise<Answer> {
  const json = await viewPending(request);
  return {
    kind: 'page',
    status: 200,
    here: null,
    json: json ?? { missing: true },
    page: () => pendingPage(json),
  };
}

async function search(request: PageRequest): Promise<Answer> {
  const { fields, operators } = request;
  if ((fields.get('player') ?? '') === '') {
    const json: SearchView = { operators };
    const page = () => searchPage(operators);
    return { kind: 'page', status: 200, here: 'search', json, page };
  }
  if ((fields.get('hash') ?? '') !== '') return searchHash(request);
  if ((fields.get('round') ?? '') === '') {
    const { operatorId, playerId } = playerOf(request);
    return { kind: 'moved', to: linkTo('player', { operator: operatorId, player: playerId }) };
  }
  const { operatorId, playerId, gameRound } = roundOf(request);
  return { kind: 'moved', to: roundHref({ operatorId, playerId, gameRound }) };
}

/** Redirects to the player's round with the hash, or says how far the search went. */
async function searchHash(request: PageRequest): Promise<Answer> {
  const { fields } = request;
  const key = playerOf(request);
  const wanted = { hash: hashOf(request), cursor: fields.get('from') || null };
  const found = await findRound(request, key, wanted);
  if ('gameRound' in found) return { kind: 'moved', to: roundHref(found) };
  const page = () => notFoundPage(key, found);
  return { kind: 'page', status: 404, here: 'search', json: found, page };
}

async function player(request: PageRequest): Promise<Answer> {
  const { fields } = request;
  const filter = filterIn(fields);
  const places = { cash: fields.get('cash') || null, rounds: fields.get('rounds') || null, filter };
  const json = await viewPlayer(request, playerOf(request), places);
  const mayBlock = request.person.may.includes('block') && request.store.players !== undefined;
  const page = () => playerPage(json, { mayBlock, filter });
  return { kind: 'page', status: 200, here: null, json, page, notice: noticeOf(fields) };
}

async function round(request: PageRequest): Promise<Answer> {
  const { store, person, clock, fields } = request;
  const json = await viewRound(request, roundOf(request));
  const keepsRepairs = store.repairs !== undefined;
  const asOf = new Date(clock.now()).toISOString();
  const page = () => roundPage(json, { person, keepsRepairs, asOf });
  return { kind: 'page', status: 200, here: null, json, page, notice: noticeOf(fields) };
}

/** The proposals that wait for another person. */
async function repairs(request: PageRequest): Promise<Answer> {
  const json = await viewAttention(request, request.fields.get('after'), 'proposed');
  const page = () => proposalsPage(json, request.person);
  return { kind: 'page', status: 200, here: 'repairs', json, page };
}

/** Every repair, also those that were decided. */
async function repairLog(request: PageRequest): Promise<Answer> {
  const json = await viewRepairs(request);
  const page = () => repairLogPage(json, request.operators);
  return { kind: 'page', status: 200, here: null, json: json ?? { missing: true }, page };
}

/** What people changed. */
async function changes(request: PageRequest): Promise<Answer> {
  const { fields, operators } = request;
  const json = await viewChanges(request);
  const filter = changesFilterIn(fields);
  const page = () => changesPage(json, { operators, filter, times: timesIn('UTC') });
  return { kind: 'page', status: 200, here: 'changes', json: json ?? { missing: true }, page };
}

async function exported(request: PageRequest, form: 'csv' | 'jsonl'): Promise<Answer> {
  const file = await exportChanges(request, form);
  if (file === null) throw new RequestFault(501, 'This store does not list what people did.');
  return { kind: 'file', file };
}

/** What comparisons with the RGS found. */
async function reconciliation(request: PageRequest): Promise<Answer> {
  const { fields, operators } = request;
  const json = await viewReconciliation(request);
  const cell = { day: fields.get('day') || null, currency: fields.get('currency') || null };
  return {
    kind: 'page',
    status: 200,
    here: 'reconciliation',
    json: json ?? { missing: true },
    page: () => reconciliationPage(json, operators, cell),
  };
}

/** What a form did, in our own words: a link could carry any other text. */
function noticeOf(fields: URLSearchParams): Html | null {
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
]);
