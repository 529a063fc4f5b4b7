import { isZone } from '../../platform/html';
import type { Reader } from './page/layout';
import { type Answer, type PageRequest, type Route, statusOf } from './request';
import { approve, propose, reject } from './actions';
import { playerHref, roundHref } from './page/links';
import { hitsPage, notFoundPage, searchPage } from './page/search';
import { startPage, type StartView } from './page/overview/start';
import { openRoundsPage, waitingPage } from './page/waiting';
import { exportChanges } from './export/changes';
import type { ExportedFile } from './export/form';
import { exportNotable } from './export/notable';
import { exportRounds } from './export/rounds';
import { changesPage } from './page/changes';
import { noticeOf } from './page/notices';
import { historyPage } from './page/player/history';
import { pendingPage } from './page/pending';
import { personPage, zoneName } from './page/person';
import { block, liftLimit, setLimit } from './player-actions';
import { playerPage } from './page/player/overview';
import { proposalsPage, repairLogPage } from './page/repairs';
import { moneyPage } from './page/money/period';
import { systemPage } from './page/system';
import { reconciliationPage } from './page/money/reconciliation';
import { roundPage } from './page/round/overview';
import { findBeside, findRound, readRound, roundPageView } from './view/rounds/list';
import { askIn, readAsk } from './view/waiting/order';
import { searchOrder, type SearchView, viewHits } from './view/players/search';
import { viewOutlook } from './view/rounds/outlook';
import { filterIn } from './view/rounds/filter';
import { changesFilterIn, viewChanges } from './view/players/changes';
import { firstCallOf, hashOf, playerOf, RequestFault, roundOf } from './view/request';
import { orUnavailable } from './view/query-store';
import { rowsOnOverview, viewAttention, viewOpenRounds } from './view/waiting/attention';
import { viewConsumers, viewMoney } from './view/health';
import { viewLastDay } from './view/money/last-day';
import { viewMoneyPeriod } from './view/money/read';
import { viewCalls } from './view/minutes';
import { viewLastRepair } from './view/waiting/last-repair';
import { viewPending } from './view/waiting/pending';
import { viewHistory } from './view/players/history';
import { viewPlayer } from './view/players/player';
import { viewReconciliation } from './view/reconciliation';
import { viewSystem } from './view/system';
import { viewRepairs } from './view/repairs';

/** The pages and the forms, by name. */
export const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['', { isPost: false, isLive: true, answer: start }],
  ['attention', { isPost: false, isLive: true, answer: start }],
  ['waiting', { isPost: false, isLive: true, answer: waiting }],
  ['open', { isPost: false, isLive: true, answer: open }],
  ['pending', { isPost: false, isLive: true, answer: pending }],
  ['search', { isPost: false, answer: search }],
  ['player', { isPost: false, answer: player }],
  ['round', { isPost: false, answer: round }],
  ['beside', { isPost: false, answer: beside }],
  ['repairs', { isPost: false, isLive: true, answer: repairs }],
  ['repair-log', { isPost: false, isLive: true, answer: repairLog }],
  ['money', { isPost: false, isLive: true, answer: moneyOfPeriod }],
  ['rounds.csv', fileRoute((request) => exportRounds(request, 'csv'))],
  ['rounds.jsonl', fileRoute((request) => exportRounds(request, 'jsonl'))],
  ['notable.csv', fileRoute((request) => exportNotable(request, 'csv'))],
  ['notable.jsonl', fileRoute((request) => exportNotable(request, 'jsonl'))],
  ['history', { isPost: false, isLive: true, answer: history }],
  ['changes', { isPost: false, isLive: true, answer: changes }],
  ['changes.csv', fileRoute((request) => exportChanges(request, 'csv'))],
  ['changes.jsonl', fileRoute((request) => exportChanges(request, 'jsonl'))],
  ['reconciliation', { isPost: false, isLive: true, answer: reconciliation }],
  ['system', { isPost: false, isLive: true, answer: system }],
  ['person', { isPost: false, answer: reader }],
  ['zone', { isPost: true, answer: keepZone }],
  ['propose', { isPost: true, repair: 'proposed', rights: ['propose'], answer: propose }],
  ['approve', { isPost: true, repair: 'made', rights: ['approve'], answer: approve }],
  ['reject', { isPost: true, repair: 'proposed', rights: ['propose', 'approve'], answer: reject }],
  ['block', { isPost: true, rights: ['block'], answer: block }],
  ['limit', { isPost: true, rights: ['block'], answer: setLimit }],
  ['lift-limit', { isPost: true, rights: ['block'], answer: liftLimit }],
]);

function fileRoute(make: (request: PageRequest) => Promise<ExportedFile>): Route {
  const answer = async (request: PageRequest) =>
    ({ kind: 'file', file: await make(request) }) as const;
  return { isPost: false, rights: ['export'], answer };
}

/** The start page is shown even if the store does not answer, and says so. */
async function start(request: PageRequest): Promise<Answer> {
  const { person, openHours } = request;
  const [money, listed, openRounds, pendingRounds, events, lastDay, minutes] = await Promise.all([
    viewMoney(request),
    orUnavailable(viewAttention(request, request.fields.get('after'), {}, rowsOnOverview)),
    orUnavailable(viewOpenRounds(request, null)),
    orUnavailable(viewPending(request)),
    orUnavailable(viewConsumers(request)),
    orUnavailable(viewLastDay(request)),
    viewCalls(request),
  ]);
  const attention = typeof listed === 'string' ? null : listed;
  const lists = { attention, openRounds, pending: pendingRounds, events };
  const json: StartView = { money, ...lists, lastDay, minutes };
  const page = (who: Reader) => startPage(json, { ...who, person, openHours });
  return { kind: 'page', ...statusOf(attention), here: './', json, page };
}

/** The rounds that wait for a person, those that are asked for. */
async function waiting(request: PageRequest): Promise<Answer> {
  const { fields, store, person } = request;
  const texts = askIn(fields);
  const [json, openRounds, pendingRounds] = await Promise.all([
    viewAttention(request, fields.get('after'), readAsk(texts, store.decimals)),
    orUnavailable(viewOpenRounds(request, null)),
    orUnavailable(viewPending(request)),
  ]);
  const others = { openRounds, pending: pendingRounds };
  const last = json.total === 0 ? await orUnavailable(viewLastRepair(request)) : 'missing';
  const repairedAt = last === 'missing' || last === 'unavailable' ? null : last;
  const page = (who: Reader) => waitingPage(json, others, texts, { ...who, person, repairedAt });
  return { kind: 'page', ...statusOf(json), here: 'waiting', json, page };
}

/** The rounds without an end. */
async function open(request: PageRequest): Promise<Answer> {
  const json = await viewOpenRounds(request, request.fields.get('after'));
  const { openHours, person } = request;
  const page = (who: Reader) => openRoundsPage(json, openHours, { ...who, person });
  return { kind: 'page', status: 200, here: 'waiting', json: json ?? { missing: true }, page };
}

/** The rounds with work pending at the ledger. */
async function pending(request: PageRequest): Promise<Answer> {
  const json = await viewPending(request);
  return {
    kind: 'page',
    status: 200,
    here: 'waiting',
    json: json ?? { missing: true },
    page: (who) => pendingPage(json, who),
  };
}

async function search(request: PageRequest): Promise<Answer> {
  const { fields, operators } = request;
  const text = (fields.get('q') ?? '').trim();
  if (text !== '') return searchText(request, text);
  if ((fields.get('player') ?? '') === '') {
    const json: SearchView = { operators, order: searchOrder(request.store) };
    const page = () => searchPage(json);
    return { kind: 'page', status: 200, here: null, json, page };
  }
  if ((fields.get('hash') ?? '') !== '') return searchHash(request);
  if ((fields.get('round') ?? '') === '') {
    return { kind: 'moved', to: playerHref(playerOf(request)) };
  }
  return { kind: 'moved', to: roundHref(roundOf(request)) };
}

/** Redirects to what one text means, if it is one thing; else lists what it may mean. */
async function searchText(request: PageRequest, text: string): Promise<Answer> {
  const json = await viewHits(request, text);
  const [only] = json.hits;
  if (only !== undefined && json.hits.length === 1 && json.isWhole) {
    const { gameRound } = only;
    return {
      kind: 'moved',
      to: gameRound === null ? playerHref(only) : roundHref({ ...only, gameRound }),
    };
  }
  const page = () => hitsPage(json, request.operators);
  return { kind: 'page', status: only === undefined ? 404 : 200, here: null, json, page };
}

/** Redirects to the player's round with the hash, or says how far the search went. */
async function searchHash(request: PageRequest): Promise<Answer> {
  const { fields } = request;
  const key = playerOf(request);
  const wanted = { hash: hashOf(request), cursor: fields.get('from') || null };
  const found = await findRound(request, key, wanted);
  if ('gameRound' in found) return { kind: 'moved', to: roundHref(found) };
  const page = () => notFoundPage(key, found);
  return { kind: 'page', status: 404, here: null, json: found, page };
}

async function player(request: PageRequest): Promise<Answer> {
  const { fields } = request;
  const filter = filterIn(fields);
  const [cash, rounds] = [fields.get('cash') || null, fields.get('rounds') || null];
  const places = { cash, rounds, filter, playsAll: fields.get('played') === 'all' };
  const json = await viewPlayer(request, playerOf(request), places);
  const mayBlock = request.person.may.includes('block') && request.store.players !== undefined;
  const mayExport = request.person.may.includes('export');
  const page = (who: Reader) => playerPage(json, { ...who, mayBlock, mayExport, filter });
  return { kind: 'page', status: 200, here: null, json, page, notice: noticeOf(fields) };
}

async function round(request: PageRequest): Promise<Answer> {
  const { store, person, fields } = request;
  const key = roundOf(request);
  const report = await readRound(request, key);
  const outlook = await viewOutlook(request, key, report);
  const view = roundPageView(report, store.decimals);
  const keepsRepairs = store.repairs !== undefined;
  const hasHistory = store.history !== undefined;
  const more = { outlook, firstCall: firstCallOf(request), isPrint: fields.has('print') };
  const page = (who: Reader) =>
    roundPage(view, { person, keepsRepairs, hasHistory, ...more, reader: who });
  const notice = noticeOf(fields);
  return { kind: 'page', status: 200, here: null, json: view.round, page, notice };
}

/** Redirects to the player's round before or after one; to the same round, with a word, if it is the first or the last. */
async function beside(request: PageRequest): Promise<Answer> {
  const key = roundOf(request);
  const side = request.fields.get('side');
  if (side !== 'before' && side !== 'after') {
    throw new RequestFault(400, 'side must be before or after.');
  }
  const found = await findBeside(request, key, side);
  const to = found === null ? roundHref(key, `none-${side}`) : roundHref(found);
  return { kind: 'moved', to };
}

/** The proposals that wait for another person. */
async function repairs(request: PageRequest): Promise<Answer> {
  const json = await viewAttention(request, request.fields.get('after'), { isProposed: true });
  const { person } = request;
  const page = (who: Reader) => proposalsPage(json, { ...who, person });
  return { kind: 'page', ...statusOf(json), here: 'repairs', json, page };
}

/** Every repair, also those that were decided. */
async function repairLog(request: PageRequest): Promise<Answer> {
  const json = await viewRepairs(request);
  const page = (who: Reader) => repairLogPage(json, request.operators, who);
  return { kind: 'page', status: 200, here: null, json: json ?? { missing: true }, page };
}

/** The money of a day, a week or a month. */
async function moneyOfPeriod(request: PageRequest): Promise<Answer> {
  const json = await viewMoneyPeriod(request);
  const page = (who: Reader) => moneyPage(json, request.operators, who);
  return { kind: 'page', status: 200, here: 'money', json, page };
}

/** The rounds of a player in a period, and whether they are all. */
async function history(request: PageRequest): Promise<Answer> {
  const { fields, operators, person } = request;
  const filter = filterIn(fields);
  const json = await viewHistory(request, filter);
  const mayExport = person.may.includes('export');
  const page = (who: Reader) => historyPage(json, filter, operators, { ...who, mayExport });
  return { kind: 'page', status: 200, here: 'history', json, page };
}

/** What people changed. */
async function changes(request: PageRequest): Promise<Answer> {
  const { fields, operators, person } = request;
  const json = await viewChanges(request);
  const filter = changesFilterIn(fields);
  const mayExport = person.may.includes('export');
  const page = (who: Reader) => changesPage(json, { ...who, operators, filter, mayExport });
  return { kind: 'page', status: 200, here: 'changes', json: json ?? { missing: true }, page };
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
    page: (who) => reconciliationPage(json, operators, cell, who),
  };
}

/** What runs, and how it is set; also where the store does not answer. */
async function system(request: PageRequest): Promise<Answer> {
  const json = await viewSystem(request);
  const page = (who: Reader) => systemPage(json, who);
  return { kind: 'page', status: json.store === 'ready' ? 200 : 503, here: 'system', json, page };
}

/** Who the reader is here. */
async function reader(request: PageRequest): Promise<Answer> {
  const { person: json, signOut } = request;
  const page = (who: Reader) => personPage(json, signOut, who);
  return { kind: 'page', status: 200, here: null, json, page, notice: noticeOf(request.fields) };
}

/** Keeps the zone of the reader's times. */
async function keepZone({ fields }: PageRequest): Promise<Answer> {
  const zone = fields.get(zoneName);
  if (!isZone(zone)) throw new RequestFault(400, 'There is no such time zone.');
  return { kind: 'moved', to: 'person?did=zone', zone };
}
