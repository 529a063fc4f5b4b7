import type {
  Group,
  CaseResult,
  CertificationResult,
  LeftOut,
  Verdict,
} from '../../../../lib/proof/certify/talk/case';
import { type Exchange, type WalletReply, curlOf } from '../../../../lib/proof/certify/client';

/** When the sample run began. */
export const startedAt = Date.UTC(2026, 10, 22, 11, 24, 43, 125);

/** What a hostile wallet may answer: markup, an end of CDATA, controls, a change of direction, half a pair. */
export const hostile =
  '<script>document.title="broken"</script><img src=x onerror=alert(1)>]]>&amp;"\'`\u0000\u0007\u001b[31m\u202e\ud800\ufffe--> </textarea></pre>';

/** A reply with this body. */
export function reply(status: number, body: string | Uint8Array): WalletReply {
  const headers = { 'content-type': 'application/json', 'x-note': 'a <b>note</b>' };
  return { kind: 'reply', status, headers, body: Buffer.from(body), ms: 12.4 };
}

/** The signature of each call of the sample. */
export const signature = 'd2hhdCBpcyBzaWduZWQ=';

/** A call of doTransactions and what came of it. */
export function exchangeWith(answer: WalletReply): Exchange {
  const transaction = { type: 'debit', isFirstDebit: true, currency: 'EUR', amount: 1.05 };
  const body = { playerId: 'ann', gameRound: 'r-0193', transactions: [transaction] };
  return {
    url: 'https://wallet.example/rgs',
    request: {
      method: 'POST',
      path: '/doTransactions',
      headers: [
        ['X-H-AUTH-ID', 'my-casino'],
        ['X-H-AUTH-SIG', signature],
        ['Content-Type', 'application/json'],
      ],
      body: Buffer.from(JSON.stringify(body)),
    },
    reply: answer,
  };
}

/** A case of the sample, `required` and passed unless set otherwise. */
export function caseOf(id: string, group: Group, more: Partial<CaseResult> = {}): CaseResult {
  const { exchange = null, steps = [] } = more;
  return {
    id,
    group,
    level: 'required',
    rule: 'Operator API 3, rule 2',
    given: 'a round with a debit',
    when: 'the same debit is sent again',
    expected: 'it is answered 200, and the balance is what it was',
    verdict: 'passed',
    message: null,
    details: [],
    exchange,
    steps,
    curl: exchange === null ? null : curlOf(exchange),
    needs: null,
    exception: null,
    at: startedAt + 1000,
    durationMs: 84.2,
    ...more,
  };
}

/** A case that did not pass. */
export function openCase(
  verdict: Verdict,
  level: CaseResult['level'],
  more: Partial<CaseResult> = {},
): CaseResult {
  const id = more.id ?? `${level}-${verdict}`;
  const message = 'the debit must be answered 200, but got 500 without a JSON object';
  return caseOf(id, 'idempotency', { verdict, level, message, ...more });
}

const shrunk = [
  'seed 42, history 17, shrunk from 31 calls to 3:',
  '1. debit h1 of 1.05 in round r1: 200',
  '2. void h1 of round r1: 503',
  '3. void h1 of round r1: 200, and the balance rose by 2.10',
];

/** A case of every standing, with the answers of a wallet that means no good. */
export const everyCase: readonly CaseResult[] = [
  caseOf('balance-is-reported', 'basics'),
  caseOf('plain-round', 'basics', { message: 'the balance came with 2 decimals' }),
  openCase('failed', 'required', {
    exchange: exchangeWith(reply(500, `{"note": 1.10, "list": [1, {}], "text": "a \\" b: {"}`)),
    details: shrunk,
  }),
  openCase('failed', 'required', {
    id: 'hostile-answer',
    message: `came ${hostile}`,
    exchange: exchangeWith(reply(200, hostile)),
    details: [hostile],
  }),
  openCase('failed', 'required', {
    id: 'not-utf-8',
    exchange: exchangeWith(reply(200, Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]))),
  }),
  openCase('inconclusive', 'required', {
    message: 'the set-up failed: the debit must be answered 200, but got no reply within 10000 ms',
    exchange: exchangeWith({ kind: 'timeOut', ms: 10_000 }),
  }),
  openCase('failed', 'advisory', {
    otherwise: 'the void is refused with 4xx',
    exchange: exchangeWith({ kind: 'cut', why: 'socket hang up', ms: 3 }),
  }),
  openCase('inconclusive', 'advisory', { message: 'the balance could not be read' }),
  openCase('inconclusive', 'required', {
    id: 'other-operator',
    group: 'tenancy',
    message: 'not tried: it needs --second-operator-id',
    needs: '--second-operator-id',
  }),
  openCase('failed', 'required', {
    id: 'known-failure',
    exception: 'CAS-2311: fixed in release 7, due in December',
    exchange: exchangeWith(reply(200, 'x'.repeat(9000))),
  }),
];

const leftOut: readonly LeftOut[] = [
  {
    id: 'rules-under-load',
    group: 'load',
    level: 'required',
    rule: 'Operator API 8',
    expected: 'the rules hold',
    why: 'without --load',
  },
];

/** The sample run. */
export function sample(more: Partial<CertificationResult> = {}): CertificationResult {
  return {
    outcome: 'failed',
    summary: '3 required cases failed and 1 stayed undecided.',
    version: '0.1.0',
    wallet: { name: 'Casino wallet', version: '7.1', sent: ['casino-wallet/7.1.0'] },
    runBy: 'Ann Example, QA',
    seed: 42,
    profile: 'full',
    urls: ['https://wallet.example/rgs', 'https://wallet-2.example/rgs'],
    operatorId: 'my-casino',
    currency: 'EUR',
    gameCode: 'game-bells',
    startedAt,
    durationMs: 201_400,
    cases: everyCase,
    leftOut,
    timings: [timing('doTransactions'), timing('getBalance')],
    money: [
      { playerId: 'ann', start: 10_000_000n, end: 9_895_000n },
      { playerId: 'bob', start: 10_000_000n, end: null },
    ],
    mostAtRisk: 3_000_000n,
    resultsHash: '5f2b'.repeat(16),
    ...more,
  };
}

function timing(call: string) {
  const limits = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, null];
  const counts = [0, 3, 120, 340, 210, 40, 12, 3, 0, 1, 0];
  const buckets = limits.map((upToMs, at) => ({ upToMs, count: counts[at] ?? 0 }));
  return { call, count: 729, p50: 8.2, p90: 19, p99: 88.25, max: 812, buckets };
}

/** A run in which every case passed. */
export function passedSample(more: Partial<CertificationResult> = {}): CertificationResult {
  const cases = everyCase.filter(({ verdict }) => verdict === 'passed');
  const summary = 'Every required case passed.';
  return sample({ outcome: 'passed', summary, cases, leftOut: [], ...more });
}

/** A run that could not begin. */
export function unrunSample(): CertificationResult {
  const summary = 'The wallet did not answer getBalance.';
  const nothing = { cases: [], leftOut: [], timings: [], money: [], mostAtRisk: 0n };
  return sample({ outcome: 'not run', summary, ...nothing });
}
