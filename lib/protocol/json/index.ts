export {
  documentOf,
  levelsOf,
  memberText,
  MessageFault,
  noDocument,
  presentIn,
  type SignedDocument,
  writtenDocument,
} from './documents';
export {
  type DecimalText,
  type ExactJson,
  type ExactJsonObject,
  exactRest,
  exactValue,
  findUnwritable,
  isJsonNumber,
  isPlainObject,
  readExactAmount,
} from './exact';
export { Fields } from './fields';
export {
  isJsonObject,
  type JsonDocument,
  type JsonLimits,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
} from './parse';
export { parseBytes } from './parse-bytes';
export { ExactNumber, JsonText, type Writable, writeJson } from './write';
