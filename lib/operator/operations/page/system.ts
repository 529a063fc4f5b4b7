import {
  agoOf,
  badge,
  card,
  count,
  counted,
  empty,
  facts,
  html,
  type Html,
  id,
  part,
  stackedTable,
  verdict,
  type ZonedTimes,
} from '../../../platform/html';
import type { DebitCheckBreaker } from '../../wallet';
import { type StorePart, storeParts, type SystemView } from '../view/system';
import { consumers } from './consumers';
import type { PageBody, Reader } from './layout';

/** Which processes, store and consumers run, and how they are set. */
export function systemPage(view: SystemView, reader: Reader): PageBody {
  return {
    title: 'System',
    body: html`${storeVerdict(view)}
${part('processes', 'Processes', null, processList(view, reader))}
${part('this-process', 'The process that answers', null, card(facts(processFacts(view, reader))))}
${part('store', 'The store', null, card(facts(settingsOf(view, reader))))}
${part('settings', 'Settings of the server', null, settingList(view))}
${part('parts', 'What the store can do', null, partList(view))}
${consumers(view.events)}`,
  };
}

function storeVerdict({ store, settings }: SystemView): Html {
  if (store !== 'ready') {
    return verdict({
      tone: 'bad',
      title: 'The store is not ready',
      text: 'It does not answer, or its server could lose acknowledged money. The log has the reason.',
    });
  }
  const states = settings === 'missing' ? [] : settings.map(({ isMet }) => isMet);
  if (states.includes(false)) {
    return verdict({
      tone: 'warn',
      title: 'The store is ready, but its server could lose money',
      text: 'Wrong settings were accepted when it was opened. Those below say what each does.',
    });
  }
  return verdict({
    tone: 'good',
    title: 'The store is ready',
    text: states.includes(null)
      ? 'It answers. Not every setting of its server could be read: that it keeps what is acknowledged was assumed.'
      : 'It answers, and its server passed the checks: what is acknowledged is kept.',
  });
}

function processList({ processes, asOf }: SystemView, { times }: Reader): Html {
  if (processes === 'missing') {
    const text = html`Each process that has <code>--admin-port</code> writes a row a minute, where the store keeps minutes.`;
    return empty('This store keeps no minutes of processes', text);
  }
  if (processes === 'unavailable') {
    return html`<p class="notice warn">The store did not answer, so it is not known which processes run.</p>`;
  }
  return stackedTable(
    'Processes of the last three hours',
    ['process', 'version', `first minute, ${times.zone}`, 'last minute', '#calls', 'state'],
    processes.map(({ process, version, isThis, firstAt, lastAt, calls, isRunning }) => [
      html`<span>${id(process)}${isThis ? html` <small>this one</small>` : null}</span>`,
      version ?? 'not known',
      times.time(firstAt),
      html`${agoOf(lastAt, asOf)}`,
      count(calls),
      isRunning ? badge('good', 'runs') : badge('plain', 'ended or silent'),
    ]),
    html`<b>No process has counted</b>A process with <code>--admin-port</code> writes its first row within two minutes.`,
  );
}

const dayMs = 86_400_000;

function megabytes(bytes: number): string {
  return `${count(Math.round(bytes / 1_000_000))} MB`;
}

function processFacts({ process, asOf, debitChecks }: SystemView, { times }: Reader) {
  const { version, node, uptimeSeconds, memoryBytes, heapBytes, busyShare } = process;
  const since = new Date(Date.parse(asOf) - uptimeSeconds * 1000).toISOString();
  return [
    ['runs since', html`${times.time(since)}, version ${version}, Node ${node}`],
    ['memory', html`${megabytes(memoryBytes)}, of it ${megabytes(heapBytes)} for objects in use`],
    [
      'event loop',
      html`busy ${count(Math.round(busyShare * 100))} % of the time since then, on average`,
    ],
    ...debitChecks.map((one) => ['debit check', breakerText(one, times)] as const),
  ] as const;
}

/** The circuit breaker of a debit check (D12.5). */
function breakerText(
  { state, since, unasked, silence }: DebitCheckBreaker,
  times: ZonedTimes,
): Html {
  if (state === 'closed' || since === null) {
    return html`${badge('good', 'circuit breaker closed')} it answers, or was not needed (D12.5)`;
  }
  const label = badge(state === 'open' ? 'bad' : 'warn', `circuit breaker ${state}`);
  const how = silence === 'refuse' ? 'their debits were declined' : 'their debits were let through';
  return html`${label} since ${times.time(since)}: ${counted(unasked, 'call')} not asked for, ${how} (D12.5)`;
}

/** What the store checks of its server, and why money needs it. */
function settingList({ settings }: SystemView): Html {
  if (settings === 'missing') {
    return html`<p>This store does not know settings of a server.</p>`;
  }
  return stackedTable(
    'Settings of the server, as the last check found them',
    ['setting', 'value', 'must be', '=otherwise', 'state'],
    settings.map(({ name, value, needs, otherwise, isMet }) => [
      html`<code>${name}</code>`,
      value ?? (isMet === null ? 'not readable' : 'none'),
      needs,
      otherwise,
      isMet === null
        ? badge('warn', 'not checked')
        : isMet
          ? badge('good', 'right')
          : badge('bad', 'wrong'),
    ]),
    'The server was not checked yet.',
  );
}

function settingsOf({ decimals, unit, retentionMs }: SystemView, { booksZone }: Reader) {
  const kept =
    retentionMs === null
      ? 'The store does not say.'
      : html`${counted(Math.floor(retentionMs / dayMs), 'day')} at least. An older first debit is refused, because its round may be forgotten (D10.2).`;
  return [
    ['decimals', html`${count(decimals)}. A finer amount is refused (D2.5).`],
    [
      'unit of calls',
      unit === '1'
        ? '1: an amount of 100 is 100.00. An RGS that sends 100 for 1.00 needs 1/100, in a new store.'
        : '1/100: an amount of 100 is 1.00.',
    ],
    ['rounds that are over', kept],
    ['days of the books', html`in ${booksZone}`],
  ] as const;
}

/** What is shown with a part of the store. */
const uses: Readonly<Record<StorePart, string>> = {
  players: 'accounts, cash and blocks of players',
  events: 'events for consumers, such as the archive',
  totals: 'sums by quarter of an hour for the page Money, where a process counts them',
  reconciliations: 'what comparisons with the RGS found',
  minutes: 'the calls of every process',
  history: 'the rounds of a player as a list, where its option is set',
  repairs: 'repairs by people',
  acts: 'what people changed',
};

function partList({ parts }: SystemView): Html {
  return stackedTable(
    'Parts of the store',
    ['part', '=for', 'state'],
    storeParts.map((name) => [
      name,
      uses[name],
      parts[name] ? badge('good', 'there') : badge('plain', 'not there'),
    ]),
    'No part.',
  );
}
