import { badge, type Html, html, part, stackedTable, type Tone } from '../../../platform/html';
import type { AttentionView, RoundView, StateView } from '../view/state';
import { amount, inMoney, unbroken } from '../wire/amounts';
import { button, coverage, listed, roundLink, shortened, times } from './frame';

/** Most rounds on a page of the list, and in a list on the overview. */
const [mostRounds, mostWaiting] = [50, 10] as const;

const badTones: Readonly<Partial<Record<RoundView['state'], Tone>>> = {
  stranded: 'bad',
  crashed: 'bad',
};

/** The state of a round by shape and colour; one that is over without a word is in plain text. */
export function stateOf({ state, needsPerson }: Pick<RoundView, 'state' | 'needsPerson'>): Html {
  if (needsPerson) return badge('bad', state);
  if (state === 'closed') return html`<span class="dim">closed</span>`;
  return badge(badTones[state] ?? 'plain', state);
}

/** Which rounds of a list are shown. */
interface Range {
  readonly from: number;
  readonly most: number;
}

/** The rounds of a page of the list. */
export function roundsPage(state: StateView, from: number): Html {
  return roundsPart(state, { from, most: mostRounds });
}

/** Rounds, latest first. */
export function roundsPart({ rounds }: StateView, { from, most }: Range): Html {
  const shown = rounds.slice(from, from + most);
  // The overview shows a few: more of them begin with these.
  const next = most < mostRounds ? 0 : from + shown.length;
  const isMore = from + shown.length < rounds.length;
  const rows = shown.map((one) => {
    const { currency, creditPending } = one;
    return [
      roundLink(one.gameRound),
      html`<bdi>${shortened(one.playerId)}</bdi>`,
      html`<bdi>${shortened(one.gameCode)}</bdi>`,
      stateOf(one),
      amount(one.stake, currency),
      amount(one.amountToCollect, currency),
      amount(one.amountCredited, currency),
      creditPending === '0'
        ? amount(creditPending, currency)
        : badge('warn', amount(creditPending, currency)),
      times.clock(one.startedAt),
    ];
  });
  const columns = [
    'round',
    'player',
    'game',
    'state',
    '#bet',
    '#to collect',
    '#paid',
    '#due',
    'started',
  ];
  const drawn = stackedTable('Rounds', columns, rows, html`<b>No round yet</b>`);
  const covers = coverage(shown.length, rounds.length, 'latest rounds');
  const more = isMore ? html`<a href="/rounds?from=${next}">More rounds</a>` : null;
  return part('rounds', 'Rounds', html`${covers} ${more}`, drawn);
}

/** The rounds that wait for a person, with what can be done. */
export function attentionPart({ attention, rounds }: StateView): Html | null {
  if (attention.length === 0) return null;
  const shown = attention.slice(0, mostWaiting);
  const known = new Map(rounds.map((round) => [round.gameRound, round]));
  const rows = shown.map((one) => {
    const round = known.get(one.gameRound);
    return [
      roundLink(one.gameRound),
      round === undefined ? null : html`<bdi>${shortened(round.playerId)}</bdi>`,
      html`<bdi>${one.why}</bdi>`,
      round === undefined ? null : owedOf(round),
      waysOf(one),
    ];
  });
  const columns = ['round', 'player', 'why', '#not paid', 'what you can do'];
  const drawn = listed('Rounds that wait for a person', columns, rows, '');
  const beside = coverage(shown.length, attention.length, 'rounds');
  return part('attention', 'Waits for a person', beside, drawn);
}

/** What of a round is granted and not paid: refused, held or due. */
export function owedOf({ credits, currency }: RoundView): Html {
  const open = credits.filter(({ state }) => ['refused', 'held', 'due'].includes(state));
  const sum = open.reduce((all, one) => all + BigInt(one.amount ?? '0'), 0n);
  return amount(String(sum), currency);
}

/** A button for each way that a person has (E16.2); without one, where it is settled. */
export function waysOf({ gameRound, ways }: AttentionView): Html {
  if (ways.length === 0) return html`Nothing more at the RGS: settle it at the wallet.`;
  const labels = { close: 'Close', resend: 'Send again', giveUp: 'Give up' } as const;
  const short = shortened(gameRound);
  return html`<div class="tools">${ways.map((how) =>
    button('resolve', labels[how], { round: gameRound, how }, { name: `${labels[how]}: ${short}` }),
  )}</div>`;
}

/** What is due at the wallet. */
export function duePart({ due, rounds }: StateView): Html | null {
  if (due.length === 0) return null;
  const shown = due.slice(0, mostWaiting);
  const known = new Map(rounds.map(({ gameRound, currency }) => [gameRound, currency]));
  const rows = shown.map((one) => [
    roundLink(one.gameRound),
    one.type,
    one.amount === null ? null : inMoney(one.amount, known.get(one.gameRound) ?? null, unbroken),
    times.clock(one.at),
    one.reason,
  ]);
  const columns = ['round', 'transaction', '#amount', 'since', 'reason'];
  const drawn = listed('Due at the wallet', columns, rows, '');
  const beside = coverage(shown.length, due.length, 'transactions');
  return part('due', 'Due at the wallet', beside, drawn);
}
