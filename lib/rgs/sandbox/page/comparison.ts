import { type Html, html, section, table } from '../../../platform/html';
import type { BookedPlayerView, BookedRoundView, BooksView } from '../view/books';
import type { FindingView } from '../view/wire';
import { roundLink, timeOf } from './layout';

/** The three books side by side, and the findings. */
export function booksPage(books: BooksView, findings: readonly FindingView[]): Html {
  const verdict = books.agree
    ? html`<p class="notice good">The books agree.</p>`
    : html`<p class="notice bad">The books differ: ${books.differences.length} differences.</p>`;
  return html`${verdict}
${section('differences', 'Differences, in minor units', differences(books))}
${section('doubts', 'Doubts', texts('Doubts', books.doubts, 'Nothing is in doubt.', 'warn'))}
${section('players', 'Players, in minor units', players(books.players))}
${section('booked-rounds', 'Rounds, in minor units', booked(books.rounds))}
${section('notes', 'Notes', texts('Notes', books.notes, 'No notes.', 'dim'))}
${section('findings', 'Findings', listed(findings))}`;
}

function differences({ differences: rows }: BooksView): Html {
  return table(
    'Differences in minor units',
    ['round', 'player', 'what', '#RGS', '#wallet', '#provider'],
    rows.map((one) => [
      one.round === null ? 'no single round' : roundLink(one.round),
      `${one.playerId} (${one.operatorId}) ${one.currency}`,
      html`<span class="bad">${one.what}</span>`,
      one.service,
      one.wallet,
      one.provider,
    ]),
    'No difference.',
  );
}

function texts(
  label: string,
  rows: readonly { readonly round: string | null; readonly text: string }[],
  unless: string,
  kind: string,
): Html {
  return table(
    label,
    ['round', 'text'],
    rows.map(({ round, text }) => [
      round === null ? null : roundLink(round),
      html`<span class="${kind}">${text}</span>`,
    ]),
    unless,
  );
}

function players(rows: readonly BookedPlayerView[]): Html {
  return table(
    'Players, amounts in minor units',
    ['player', '#start', '#RGS', '#wallet', '#provider', '#owed', 'verdict'],
    rows.map((one) => [
      `${one.playerId} (${one.operatorId}) ${one.currency}`,
      one.start,
      one.service.least === one.service.most
        ? one.service.least
        : `${one.service.least} to ${one.service.most}`,
      one.wallet,
      one.provider,
      one.owed,
      verdictOf(one.verdict),
    ]),
    'No player has been seen.',
  );
}

function booked(rows: readonly BookedRoundView[]): Html {
  return table(
    'Rounds, amounts in minor units',
    ['round', 'player', 'RGS', 'wallet', 'provider', 'verdict'],
    rows.map(({ gameRound, playerId, service, wallet, provider, verdict }) => [
      roundLink(gameRound),
      playerId,
      `${service.state}: stake ${service.stake}, win ${service.win}`,
      wallet === null ? 'not seen' : `changed by ${wallet.change}`,
      provider === null
        ? 'no book'
        : `${provider.state}: stake ${provider.stake}, win ${provider.win}`,
      verdictOf(verdict),
    ]),
    'No round has been played.',
  );
}

function verdictOf(verdict: 'agree' | 'differ' | 'doubt'): Html {
  const kinds = { agree: 'good', differ: 'bad', doubt: 'warn' } as const;
  return html`<span class="${kinds[verdict]}">${verdict}</span>`;
}

function listed(rows: readonly FindingView[]): Html {
  return table(
    'Findings',
    ['time', 'finding', 'rule', 'call', 'round', 'text'],
    rows.map((one) => [
      timeOf(one.at),
      one.id,
      one.rule,
      one.call,
      one.round === null ? null : roundLink(one.round),
      one.text,
    ]),
    'No findings.',
  );
}
