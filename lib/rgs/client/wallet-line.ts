import { writeQuery } from '../../protocol/client/outgoing';
import { writeJson } from '../../protocol/json/write';
import { writtenDocument } from '../../protocol/json/documents';
import { readSignedParameters, readSignedParts } from '../../protocol/signature';
import type {
  BalanceAnswer,
  BalanceQuestion,
  WalletAnswer,
  WalletCall,
  WalletLine,
} from '../ports';
import { cut, meaningOf, readReply, timeOut } from '../settlement/answer';
import { type Attempt, type Attempted, attemptsById } from './attempt';
import { type FindingListener, reportFinding } from './finding';
import { attemptSettings, type LineOptions, type Party } from './settings';
import { readBalance } from './read-balance';
import { type VoidSpelling, voidSpeller, walletMessage } from './transactions';

/** Options of {@link createWalletLine}. */
export interface WalletLineOptions extends LineOptions {
  /** The wallets, each with the id of its operator; `/doTransactions` and `/getBalance` are appended. */
  readonly wallets: readonly Party[];
  /** Time limit of an attempt, in milliseconds of real time; 5000 unless set (W1). */
  readonly walletTimeoutMs?: number;
  /** How a void is spelled; `lower` unless set (W6). */
  readonly voidSpelling?: VoidSpelling;
}

/**
 * The line to the operators' wallets over HTTP (operator-api 4.1, 4.2; W1). Each method makes one attempt,
 * signed anew, with the same body each time. None rejects: an operator that is not configured is silent.
 */
export function createWalletLine(options: WalletLineOptions): WalletLine {
  const { walletTimeoutMs = 5000, voidSpelling = 'lower', onFinding = null } = options;
  const settings = attemptSettings(options, 'operator ID', walletTimeoutMs);
  const spellVoid = voidSpeller(voidSpelling, settings.random);
  const wallets: Wallets = {
    attempts: attemptsById(options.wallets, settings),
    spellVoid,
    onFinding,
  };
  return Object.freeze<WalletLine>({
    doTransactions: (call) => doTransactions(wallets, call),
    getBalance: (question) => getBalance(wallets, question),
  });
}

interface Wallets {
  readonly attempts: ReadonlyMap<string, Attempt>;
  readonly spellVoid: ReturnType<typeof voidSpeller>;
  readonly onFinding: FindingListener | null;
}

async function doTransactions(
  { attempts, spellVoid, onFinding }: Wallets,
  call: WalletCall,
): Promise<WalletAnswer> {
  const { owner, gameRound } = call;
  const operation = 'doTransactions';
  const found = { call: operation, round: gameRound, about: call };
  const attempt = attempts.get(owner.operatorId);
  const message = walletMessage(call, spellVoid);
  const body = writeJson(message);
  const { parts } = readSignedParts(operation, writtenDocument(message));
  if (attempt === undefined || parts === null) {
    reportFinding(onFinding, 'cannotBeSent', found);
    return { answer: cut, balance: null };
  }
  const target = `/${operation}`;
  const attempted = await attempt({ operation, method: 'POST', target, body, parts });
  if (isSignatureRefused(attempted)) reportFinding(onFinding, 'walletRefusesSignature', found);
  return walletAnswer(attempted, owner, (id, detail) =>
    reportFinding(onFinding, id, found, detail),
  );
}

async function getBalance(
  { attempts, onFinding }: Wallets,
  question: BalanceQuestion,
): Promise<BalanceAnswer> {
  const { owner, externalSessionId } = question;
  const operation = 'getBalance';
  const found = { call: operation, round: null, about: question };
  const { playerId, currency, gameCode } = owner;
  const attempt = attempts.get(owner.operatorId);
  const signed = new Map(Object.entries({ playerId, currency, gameCode }));
  const { parts } = readSignedParameters(operation, signed);
  if (attempt === undefined || parts === null) {
    reportFinding(onFinding, 'cannotBeSent', found);
    return { kind: 'silent' };
  }
  // W11: gameCode always; externalSessionId, which is not signed, if the launch gave one.
  const session = externalSessionId === null ? {} : { externalSessionId };
  const query = writeQuery(Object.entries({ playerId, currency, gameCode, ...session }));
  const target = `/${operation}${query}`;
  const attempted = await attempt({ operation, method: 'GET', target, body: null, parts });
  if (isSignatureRefused(attempted)) reportFinding(onFinding, 'walletRefusesSignature', found);
  return balanceAnswer(attempted, owner, (id, detail) =>
    reportFinding(onFinding, id, found, detail),
  );
}

/** Reports what is wrong with a reply. */
type Notice = (id: 'balanceUnreadable' | 'walletUnreadable', detail: string) => void;

/** What settlement makes of the attempt, and the balance that came with it, at any status (W1). */
function walletAnswer(
  attempted: Attempted,
  of: { readonly mode: string; readonly currency: string },
  notice: Notice,
): WalletAnswer {
  if (attempted.kind === 'timeOut') return { answer: timeOut, balance: null };
  if (attempted.kind === 'cut') return { answer: cut, balance: null };
  const { status, document } = attempted;
  const answer = readReply(status, document?.value);
  // A 5xx is silence by its status: W2 and W3 say what comes of it.
  if (status < 500) noticeForeign(attempted, notice);
  if (document === null || meaningOf(answer) === 'silent') return { answer, balance: null };
  const read = readBalance(document, of);
  if (read.kind === 'unreadable') notice('balanceUnreadable', `${read.why}.`);
  if (read.kind === 'absent' && status < 300) notice('balanceUnreadable', absent);
  return { answer, balance: read.kind === 'known' ? read.balance : null };
}

function balanceAnswer(
  attempted: Attempted,
  of: { readonly mode: string; readonly currency: string },
  notice: Notice,
): BalanceAnswer {
  if (attempted.kind !== 'reply') return { kind: 'silent' };
  noticeForeign(attempted, notice);
  const { status, document } = attempted;
  const answer = readReply(status, document?.value);
  const meaning = meaningOf(answer);
  const error = answer.kind === 'reply' ? (answer.body?.error ?? null) : null;
  if (meaning === 'silent') return { kind: 'silent' };
  if (meaning === 'refusal' || error !== null) {
    return {
      kind: 'refused',
      error: { id: error?.id ?? null, clientmsg: error?.clientmsg ?? null },
    };
  }
  if (document === null) return { kind: 'silent' };
  const read = readBalance(document, of);
  if (read.kind === 'known') return { kind: 'known', balance: read.balance };
  notice('balanceUnreadable', read.kind === 'absent' ? absent : `${read.why}.`);
  return { kind: 'silent' };
}

const absent = 'the reply has no "balances".';

/** The wallet sheds load, or refuses our signature, which is another finding. */
const withoutBody: readonly number[] = [401, 429, 503];

/** Reports a reply that no wallet gives: not JSON, a redirect, an error without errorCode. */
function noticeForeign(
  { status, document, contentType }: Attempted & { readonly kind: 'reply' },
  notice: Notice,
): void {
  const answer = readReply(status, document?.value);
  const body = answer.kind === 'reply' ? answer.body : null;
  const isError = body !== null && (body.error !== null || body.hashesProcessed.length > 0);
  const isSuccess = body !== null && status >= 200 && status < 300;
  if (isSuccess || (isError && status >= 400 && status < 500) || withoutBody.includes(status))
    return;
  const fault = body === null ? 'no JSON object' : 'without a balance or an errorCode';
  const hint = status >= 500 ? 'its log has the reason' : 'check the path of its address';
  notice('walletUnreadable', `${status}, ${contentType ?? 'no content type'}, ${fault}; ${hint}.`);
}

const signatureWrong = 1001;

function isSignatureRefused(attempted: Attempted): boolean {
  if (attempted.kind !== 'reply') return false;
  const { status, document } = attempted;
  const answer = readReply(status, document?.value);
  const id = answer.kind === 'reply' ? answer.body?.error?.id : null;
  return status === 401 || id === signatureWrong;
}
