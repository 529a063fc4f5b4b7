import {
  ExactNumber,
  findUnwritable,
  isPlainObject,
  MessageFault,
  parseJson,
  type Writable,
  writeJson,
} from '../../json';
import { checkNames } from './names';
import { payloadsOf, type PostedCall, readBody, readSettings } from './read';

/** The members that hold an amount: a bigint, a safe integer or a text of digits becomes a JSON integer. */
const amounts = ['debitAmount', 'creditAmount', 'winAmount', 'wagerAmount', 'amount', 'stake'];

/**
 * The body of a call as a game provider sends it: members by their names on the wire, amounts as bigint,
 * safe integer or text of digits, `expires` as a Date too. Undefined members are left out. The body is read
 * as the RGS will read it, so that what it refuses for its form is not sent; nor is a member that the call
 * does not have.
 * @throws MessageFault with the wrong field.
 */
export function writeRequest(name: PostedCall, request: object): string {
  const payloads = payloadsOf(name);
  if (!isPlainObject(request)) throw new MessageFault('', 'must be an object');
  checkNames(name, request, payloads);
  const message = onWire(request, payloads, '');
  const fault = findUnwritable(message);
  if (fault !== null) throw new MessageFault(fault.pointer, fault.problem);
  const body = writeJson(message as Writable);
  readBody(name, parsed(body));
  return body;
}

/**
 * The query of getOperatorSettings with its question mark.
 * @throws MessageFault with the wrong field.
 */
export function writeSettingsQuery(request: object): string {
  const texts = Object.entries(request).filter(([, value]) => typeof value === 'string');
  const { game, operator, currency } = readSettings(new Map(texts as [string, string][]));
  return `?${new URLSearchParams({ game, operator, currency }).toString()}`;
}

/** A value with exact amounts and times as texts; what is below `payloads` stays as it is. */
function onWire(value: unknown, payloads: readonly string[], path: string): unknown {
  if (payloads.includes(path)) return value;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (amounts.includes(name)) return amountOnWire(value);
  if (name === 'expires' && value instanceof Date) return timeOnWire(value);
  if (Array.isArray(value)) return value.map((item) => onWire(item, payloads, path));
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => {
    return [key, onWire(member, payloads, path === '' ? key : `${path}/${key}`)] as const;
  });
  return Object.fromEntries(members);
}

/** What is not an amount stays, to be refused by name. */
function amountOnWire(value: unknown): unknown {
  const isWhole = typeof value === 'bigint' || Number.isSafeInteger(value);
  const isDigits = typeof value === 'string' && /^\d{1,16}$/.test(value);
  return isWhole || isDigits ? new ExactNumber(String(value)) : value;
}

function timeOnWire(time: Date): unknown {
  return Number.isNaN(time.getTime()) ? 'not a time' : time.toISOString();
}

function parsed(body: string): ReturnType<typeof parseJson> {
  try {
    return parseJson(body);
  } catch {
    throw new MessageFault('', 'has a forbidden key or more than 16 levels');
  }
}
