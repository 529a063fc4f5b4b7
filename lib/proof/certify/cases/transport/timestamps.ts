import { type CaseContext, mustSucceed } from '../../talk';
import { casesIn } from '../../talk/case';
import { isoNow, mustAllBeRefused, signedAt } from './forge';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** A debit of a new round, signed with this timestamp. */
function debitAt(context: CaseContext, timestamp: string) {
  const round = context.round();
  return signedAt(context, round.message([round.firstDebit(context.stake)]), timestamp);
}

/** A debit with each of these timestamps; each must be refused. */
function mustRefuseAt(context: CaseContext, timestamps: readonly string[]): Promise<void> {
  const requests = timestamps.map(
    (text) => [`a debit with the timestamp "${text}"`, debitAt(context, text)] as const,
  );
  return mustAllBeRefused(context, requests);
}

async function mustAcceptAt(context: CaseContext, timestamps: readonly string[]): Promise<void> {
  for (const text of timestamps) {
    mustSucceed(await context.send(debitAt(context, text)), `a debit with the timestamp "${text}"`);
  }
}

/** The same moment by clocks of another zone. */
function inZone(context: CaseContext, hours: number, zone: string): string {
  return isoNow(context, hours * 60 * minuteMs).replace('Z', zone);
}

/** X-H-TIMESTAMP. */
export const timestampCases = casesIn('signature', [
  {
    id: 'timestamp-without-milliseconds',
    rule: 'Operator API 5, rule 1 (ISO 8601)',
    given: 'a player with money',
    when: 'a debit comes with a timestamp in whole seconds',
    expected: 'it is answered 200',
    play: (context) => mustAcceptAt(context, [isoNow(context).replace(/\.\d+Z$/, 'Z')]),
  },
  {
    id: 'timestamp-in-another-zone',
    rule: 'Operator API 5, rule 1 (UTC is recommended, not demanded)',
    given: 'a player with money',
    when: 'debits come with the time of now in the zones +02:00 and -05:00',
    expected: 'each is answered 200',
    play: (context) =>
      mustAcceptAt(context, [inZone(context, 2, '+02:00'), inZone(context, -5, '-05:00')]),
  },
  {
    id: 'timestamp-without-zone',
    rule: 'Operator API 5, rule 1 (D1.3)',
    given: 'a player with money',
    when: 'a debit comes with a timestamp without a zone',
    expected: 'it is read as UTC, and answered 200',
    otherwise: 'ISO 8601 takes it for local time, and does not say whose.',
    play: (context) => mustAcceptAt(context, [isoNow(context).replace('Z', '')]),
  },
  {
    id: 'timestamp-of-a-slow-network',
    rule: 'Operator API 5, gaps (D1.3)',
    given: "a player with money, and a service whose clock differs from the wallet's",
    when: 'debits come with timestamps a minute old and half a minute ahead',
    expected: 'each is answered 200',
    otherwise: 'The specification does not show the permitted difference; a smaller one is legal.',
    play: (context) =>
      mustAcceptAt(context, [isoNow(context, -minuteMs), isoNow(context, minuteMs / 2)]),
  },
  {
    id: 'timestamp-too-old',
    rule: 'Operator API 5, gaps (D1.3)',
    given: 'a player with money',
    when: 'debits come with rightly signed timestamps of an hour and of a year ago',
    expected: 'each is refused, and no money moves',
    otherwise:
      'The specification does not show the permitted difference; without one a captured call is valid for ever.',
    play: (context) =>
      mustRefuseAt(context, [isoNow(context, -60 * minuteMs), isoNow(context, -365 * dayMs)]),
  },
  {
    id: 'timestamp-ahead',
    rule: 'Operator API 5, gaps (D1.3)',
    given: 'a player with money',
    when: 'debits come with rightly signed timestamps an hour and a year ahead',
    expected: 'each is refused, and no money moves',
    otherwise: 'The specification does not show the permitted difference.',
    play: (context) =>
      mustRefuseAt(context, [isoNow(context, 60 * minuteMs), isoNow(context, 365 * dayMs)]),
  },
  {
    id: 'timestamp-not-a-date',
    rule: 'Operator API 5, rule 1 (D1.3)',
    given: 'a player with money',
    when: 'debits come with rightly signed timestamps that are not a date-time of ISO 8601',
    expected: 'each is refused, and no money moves',
    otherwise:
      'A wallet that reads the timestamp as a mere text breaks no rule of the specification.',
    play(context) {
      const milliseconds = String(context.clock.now());
      const inMonth13 = isoNow(context).replace(/-\d\d-/, '-13-');
      const date = isoNow(context).slice(0, 10);
      const header = new Date(context.clock.now()).toUTCString();
      return mustRefuseAt(context, ['now', milliseconds, inMonth13, date, header]);
    },
  },
]);
