import { isAmountText } from '../money/amount';
import { isSignable } from '../identifiers';
import { documentOf, type SignedDocument } from '../json/documents';
import { isJsonObject } from '../json/parse';

/** How a field becomes text: a string, a number as written, or an amount by D1.5. */
export type FieldKind = 'text' | 'number' | 'amount';

/** A signed field of a message. */
export interface SignedField {
  readonly name: string;
  readonly kind: FieldKind;
  /** Adds nothing to the signed string if absent. */
  readonly optional: boolean;
}

/** A list of a message. Each item adds the same fields, in order. */
interface SignedList {
  readonly list: string;
  readonly fields: readonly SignedField[];
}

const text = (name: string): SignedField => ({ name, kind: 'text', optional: false });
const number = (name: string): SignedField => ({ name, kind: 'number', optional: false });
const optional = (field: SignedField): SignedField => ({ ...field, optional: true });

/**
 * What each operation of the Operator API signs after secret, X-H-AUTH-ID and X-H-TIMESTAMP, in order
 * (operator-api 4.1 to 4.5; getGameList by the public documentation; getGameURL by E24.2).
 */
export const signedFields = {
  doTransactions: [
    text('playerId'),
    text('gameCode'),
    text('gameRound'),
    {
      list: 'transactions',
      fields: [text('hash'), optional({ name: 'amount', kind: 'amount', optional: true })],
    },
  ],
  getBalance: [text('playerId'), text('currency'), optional(text('gameCode'))],
  assignPlayerFreerounds: [
    text('playerId'),
    text('gameCode'),
    text('serial'),
    text('currency'),
    number('stake'),
    number('count'),
  ],
  getStats: [],
  getGameConfiguration: [text('gameCode'), text('currency')],
  getGameList: [],
  getGameURL: [
    optional(text('playerId')),
    text('gameCode'),
    text('currency'),
    text('language'),
    text('mode'),
  ],
} as const satisfies Record<string, readonly (SignedField | SignedList)[]>;

/** An operation whose signed fields are known. */
export type SignedOperation = keyof typeof signedFields;

/**
 * What the RGS signs towards a game provider, in the same way (E2.8). Its getGameConfiguration is another
 * call than the operator's of the same name. In the other direction the body is signed (E2.2).
 */
export const engineSignedFields = {
  getGameConfiguration: [text('currency')],
  getGameResult: [text('gameRound')],
  doAutoClose: [text('gameRound')],
  health: [],
  certifiedfiles: [],
} as const satisfies Record<string, readonly SignedField[]>;

/** A call of the RGS to a game provider. */
export type EngineSignedCall = keyof typeof engineSignedFields;

/** One part of the signed string, as written in the message. */
export interface SignedPart {
  /** Name of the field, without its place in a list. */
  readonly name: string;
  readonly text: string;
  /** An amount has a second spelling that may have been signed (D1.5). */
  readonly isAmount: boolean;
}

/** The parts to sign, or the field that cannot be read (D1.6, D1.7). */
export type SignedParts =
  | { readonly parts: readonly SignedPart[] }
  | { readonly parts: null; readonly field: string };

/** Reads the signed parts of a parsed JSON message, by the operation's list. */
export function readSignedParts(operation: SignedOperation, message: SignedDocument): SignedParts {
  const parts: SignedPart[] = [];
  const fault = readFields(signedFields[operation], message, message.value, null, parts);
  return fault === null ? { parts } : { parts: null, field: fault };
}

/** Reads the signed parts of parameters that are all strings, such as those of a query. */
export function readSignedParameters(
  operation: SignedOperation,
  parameters: ReadonlyMap<string, string>,
): SignedParts {
  return readSignedParts(operation, documentOf(parameters));
}

/** Reads the signed parts of a call to a game provider from its JSON message (E2.8). */
export function readEngineParts(call: EngineSignedCall, message: SignedDocument): SignedParts {
  const parts: SignedPart[] = [];
  const fault = readFields(engineSignedFields[call], message, message.value, null, parts);
  return fault === null ? { parts } : { parts: null, field: fault };
}

/** Reads the signed parts of a call to a game provider from the parameters of its query (E2.8). */
export function readEngineParameters(
  call: EngineSignedCall,
  parameters: ReadonlyMap<string, string>,
): SignedParts {
  return readEngineParts(call, documentOf(parameters));
}

/**
 * Reads the signed parts of a call whose list the kit does not know: strings, and numbers as written, in
 * the named order. None may be absent.
 */
export function readNamedParts(names: readonly string[], message: SignedDocument): SignedParts {
  const { value } = message;
  if (!isJsonObject(value)) return { parts: null, field: 'the body' };
  const parts: SignedPart[] = [];
  for (const name of names) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    const signed = typeof member === 'string' ? member : message.lexeme(value, name);
    if (signed === undefined || !isSignable(signed)) return { parts: null, field: name };
    parts.push({ name, text: signed, isAmount: false });
  }
  return { parts };
}

/** An item of a list, by its index. */
interface ItemPlace {
  readonly list: string;
  readonly index: number;
}

function readFields(
  fields: readonly (SignedField | SignedList)[],
  message: SignedDocument,
  container: unknown,
  place: ItemPlace | null,
  parts: SignedPart[],
): string | null {
  if (!isJsonObject(container)) return place === null ? 'the body' : `${place.list}/${place.index}`;
  for (const field of fields) {
    if ('list' in field) {
      const fault = readList(field, message, container, parts);
      if (fault !== null) return fault;
    } else if (!readField(field, message, container, parts)) {
      return place === null ? field.name : `${place.list}/${place.index}/${field.name}`;
    }
  }
  return null;
}

function readList(
  { list, fields }: SignedList,
  message: SignedDocument,
  container: Record<string, unknown>,
  parts: SignedPart[],
): string | null {
  const items = container[list];
  if (!Array.isArray(items)) return list;
  for (let index = 0; index < items.length; index++) {
    const fault = readFields(fields, message, items[index], { list, index }, parts);
    if (fault !== null) return fault;
  }
  return null;
}

/** Adds the field to the parts if it is present; false if it cannot be signed. */
function readField(
  { name, kind, optional: isOptional }: SignedField,
  message: SignedDocument,
  container: Record<string, unknown>,
  parts: SignedPart[],
): boolean {
  const value = container[name];
  if (value === undefined || value === null) return isOptional;
  if (kind === 'text') {
    if (typeof value !== 'string' || !isSignable(value)) return false;
    parts.push({ name, text: value, isAmount: false });
    return true;
  }
  const lexeme = message.lexeme(container, name);
  if (lexeme === undefined) return false;
  // Checked before anything is computed from it: its other spelling would be signed too (D1.5).
  if (kind === 'amount' && !isAmountText(lexeme)) return false;
  parts.push({ name, text: lexeme, isAmount: kind === 'amount' });
  return true;
}
